//! The entries of an array at which a condition holds: `x[x > 0]`.
//!
//! How many there are is not known before the program runs, so they never are an array
//! of the graph. Functions of single entries go on with the whole array; what adds
//! entries up counts 0 for the others.

use super::build::{Env, build};
use super::callee::{Callee, Given};
use super::elaborate::{Elaborator, unsupported};
use super::fold;
use super::program::NodeId;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attr, Axes};
use crate::shape::Dim;

/// Entries that a condition picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Picked {
    /// All entries.
    pub array: NodeId,
    /// Which of them; of the array's first axes.
    pub condition: NodeId,
}

/// What adds entries up, with what it comes to: x are all entries, c the condition with
/// as many axes, one the condition as it is, n how many entries stand behind each of its places.
const SUMS: &[(&[&str], &str)] = &[
    (&["sum"], "sum(where(c, x, 0), axis)"),
    (&["mean", "average"], "sum(where(c, x, 0), axis) / (n * sum(one))"),
    (&["norm", "linalg.norm", "linalg.vector_norm"], "norm(where(c, x, 0), axis)"),
];

/// What multiplies two vectors and adds up.
const PRODUCTS: &[&str] = &["matmul", "dot", "inner", "vdot"];
const PRODUCT: &str = "sum(where(c, x * y, 0))";

/// The refusal of picked entries where an array is needed.
pub(super) fn unknown_number(span: Span) -> Diagnostic {
    let message = "how many entries a condition picks is not known before the program runs";
    unsupported(span, message).help("sum(x[c]), mean(x[c]) and norm(x[c]) are read; else write where(c, x, 0)")
}

impl Elaborator<'_> {
    /// `array[condition]`; the condition is of all axes, or of the first ones.
    pub fn picked(&mut self, array: NodeId, condition: NodeId, brackets: Span) -> Result<Value, Diagnostic> {
        let (own, of) = (self.dims(array), self.dims(condition));
        let fits = of.len() <= own.len() && of.iter().zip(&own).all(|(a, b)| self.program.unknowns.equal(a, b));
        if !fits || of.is_empty() {
            let shapes = [condition, array].map(|node| self.program.unknowns.resolve_shape(self.program.shape(node)));
            let message = format!("the condition is {}, the array {}", shapes[0].as_tuple(), shapes[1].as_tuple());
            return Err(Diagnostic::at(Kind::ShapeMismatch, brackets, message).help("use where(c, a, b)"));
        }
        Ok(Value::Picked(Picked { array, condition }))
    }

    /// An operator between picked entries, or them and a number; `None` where nothing is picked.
    pub fn picked_operator(
        &mut self,
        name: &str,
        sign: Span,
        left: &Operand,
        right: &Operand,
    ) -> Result<Option<Value>, Diagnostic> {
        if ![left, right].iter().any(|operand| matches!(operand.value, Value::Picked(_))) {
            return Ok(None);
        }
        let given = Given { positional: vec![left.clone(), right.clone()], keywords: Vec::new() };
        match ops::by_name(name) {
            Some(op) => self.call_of_picked(Callee { op, spelling: None, written: (name, None) }, &given, name, sign),
            None => Ok(None),
        }
    }

    /// The call, where it is given picked entries; `None` where it is not.
    pub fn call_of_picked(
        &mut self,
        callee: Callee,
        given: &Given,
        called: &str,
        whole: Span,
    ) -> Result<Option<Value>, Diagnostic> {
        let operands = || given.positional.iter().chain(given.keywords.iter().map(|(.., operand)| operand));
        let mut found: Option<(Picked, Span)> = None;
        for operand in operands() {
            match (&operand.value, found) {
                (Value::Picked(picked), None) => found = Some((*picked, operand.span)),
                (Value::Picked(picked), Some((first, _))) if picked.condition != first.condition => {
                    let message = "entries that different conditions pick are not matched one to one";
                    return Err(unsupported(operand.span, message).help("use where(c, a, b)"));
                }
                _ => {}
            }
        }
        let Some((first, span)) = found else { return Ok(None) };
        let name = callee.written.0;
        if let Some((_, text)) = SUMS.iter().find(|(names, _)| names.contains(&name)) {
            return self.added_up(first, text, given, whole).map(Some);
        }
        if let ([Value::Picked(x), Value::Picked(y)], true) = (
            given.positional.iter().map(|operand| operand.value.clone()).collect::<Vec<_>>().as_slice(),
            PRODUCTS.contains(&name) && given.keywords.is_empty(),
        ) && self.dims(x.array) == self.dims(x.condition)
        {
            let env = Env::new().node("x", x.array).node("y", y.array).node("c", x.condition);
            return self.spelled(PRODUCT, &env, whole).map(Some);
        }
        if callee.op.axes != Axes::Elementwise {
            return Err(unknown_number(span));
        }
        self.entry_by_entry(first, callee, given, called, whole).map(Some)
    }

    /// A function of single entries, of all of them.
    fn entry_by_entry(
        &mut self,
        first: Picked,
        callee: Callee,
        given: &Given,
        called: &str,
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        let rank = self.dims(first.array).len();
        let mut opened = |operand: &Operand| match &operand.value {
            Value::Picked(picked) if self.dims(picked.array).len() == rank => {
                Ok(Operand { value: Value::Node(picked.array), span: operand.span })
            }
            Value::Picked(_) => Err(unknown_number(operand.span)),
            Value::Node(node) if !self.dims(*node).is_empty() => Err(unknown_number(operand.span)),
            _ => Ok(operand.clone()),
        };
        let positional = given.positional.iter().map(&mut opened).collect::<Result<_, _>>()?;
        let keywords = given
            .keywords
            .iter()
            .map(|(name, place, operand)| opened(operand).map(|operand| (name.clone(), *place, operand)));
        let opened = Given { positional, keywords: keywords.collect::<Result<_, Diagnostic>>()? };
        match self.apply_call(callee, opened, called, whole)? {
            Value::Node(array) => Ok(Value::Picked(Picked { array, ..first })),
            other => Ok(other),
        }
    }

    /// A sum over picked entries, all of them or along the axis on which they stand.
    fn added_up(&mut self, picked: Picked, text: &str, given: &Given, whole: Span) -> Result<Value, Diagnostic> {
        let (own, of) = (self.dims(picked.array), self.dims(picked.condition));
        let picks_rank = i64::try_from(own.len() - of.len()).unwrap_or(0) + 1;
        let axis = match (given.positional.get(1), given.keywords.as_slice()) {
            (None, []) => None,
            (Some(axis), []) => Some(axis),
            (None, [(name, _, axis)]) if ["axis", "dim"].contains(&&**name) => Some(axis),
            _ => return Err(unsupported(whole, "of picked entries only an axis is said here")),
        };
        let along = match axis.map(|operand| (operand.value == Value::Nothing, operand.value.whole(), operand.span)) {
            None | Some((true, ..)) => own.len(),
            Some((_, Some(at), _)) if at == 0 || at == -picks_rank => of.len(),
            Some((.., span)) => return Err(unknown_number(span)),
        };
        let behind = own[of.len()..along.max(of.len())].iter().cloned().fold(Dim::size(1), |n, dim| n * dim);
        let mut c = picked.condition;
        for axis in of.len()..own.len() {
            let attrs = [("axis", Attr::Axes(vec![axis]))];
            c = self.program.call_with("unsqueeze", &[c], &attrs).map_err(|_| unknown_number(whole))?;
        }
        let n = self.node(&Operand { value: fold::size(behind), span: whole })?;
        let env = Env::new().node("x", picked.array).node("c", c).node("one", picked.condition).node("n", n);
        self.spelled(text, &env.attr("axis", Attr::Axes((0..along).collect())), whole)
    }

    fn spelled(&mut self, text: &str, env: &Env, whole: Span) -> Result<Value, Diagnostic> {
        let told = |told: Diagnostic| Diagnostic { span: Some(whole), labels: Vec::new(), ..told };
        let node = build(self.program, text, env).map_err(told)?;
        self.program.place(node, whole);
        Ok(Value::Node(node))
    }
}
