//! Calls whose meaning depends on what they are given: maxima with or without an
//! axis, arrays like others, losses of class numbers.

use super::callee::Given;
use super::elaborate::Elaborator;
use super::program::NodeId;
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::Diagnostic;
use crate::ops::{Attr, Framework, Number};
use crate::shape::Dim;

type Read = fn(&mut Elaborator, &Call) -> Result<Option<Value>, Diagnostic>;

/// The calls read here.
pub(super) const READERS: &[(&[&str], Read)] = &[
    (&["max", "min"], |e, call| {
        let largest = call.name == "max";
        if let Some(Operand { value: Value::Node(other), .. }) = call.named(1, &["other"]) {
            let (x, other) = (e.first(call)?, *other);
            let op = if largest { "maximum" } else { "minimum" };
            return e.made(op, &[x, other], Vec::new(), call).map(Some);
        }
        let along = call.named(1, &["dim", "axis"]);
        let torch = matches!(call.framework, None | Some(Framework::Torch));
        let pair = torch && along.is_some() && call.given.keywords.iter().all(|(name, ..)| &**name != "axis");
        if !pair {
            return Ok(None);
        }
        let x = e.first(call)?;
        let axis = super::rearrange::axis_of(call.whole_needed(1, &["dim"])?, e.dims(x).len(), call)?;
        let keep = call.named(2, &["keepdim", "keepdims"]).is_some_and(|keep| keep.value == Value::Flag(true));
        let attrs = vec![("axis", Attr::Axes(vec![axis])), ("keepdims", Attr::Flag(keep))];
        let values = e.made(if largest { "amax" } else { "amin" }, &[x], attrs, call)?;
        // PyTorch gives the places too; they are whole numbers and do not move.
        Ok(Some(Value::Tuple(vec![values, Value::Nothing])))
    }),
    (&["sum"], |e, call| {
        let Some(Operand { value: Value::Tuple(items), span }) = call.named(0, &[]) else { return Ok(None) };
        let items: Vec<Operand> = items.iter().map(|value| Operand { value: value.clone(), span: *span }).collect();
        let mut scalar = true;
        for item in &items {
            let node = e.node(item)?;
            scalar &= e.program.shape(node).rank() == 0;
        }
        // Python's own sum adds the items up; those of frameworks add all entries too.
        if !scalar && call.place.of(e.text) != "sum" {
            return Err(call
                .refuse("a list of arrays is summed entry by entry in Python, in all in NumPy")
                .help("stack the list, and name the axis"));
        }
        let mut items = items.into_iter();
        let Some(first) = items.next() else { return Ok(Some(Value::Number(Number::ZERO))) };
        items.try_fold(first.value, |total, item| e.both("add", total, item.value, call)).map(Some)
    }),
    (&["arange"], |e, call| {
        let given = call.rest(0);
        if given.is_empty() {
            return Ok(None);
        }
        let dim = |value: &Value| value.dim().ok_or_else(|| call.refuse("arange takes whole numbers or dimensions"));
        let (start, end) = match given.as_slice() {
            [end] => (Dim::size(0), dim(end)?),
            [start, end] | [start, end, _] => (dim(start)?, dim(end)?),
            _ => return Err(call.refuse("arange takes a start, an end and a step")),
        };
        let step = match given.get(2) {
            Some(step) => step.whole().and_then(|step| usize::try_from(step).ok()).filter(|step| *step > 0),
            None => Some(1),
        };
        let step = step.ok_or_else(|| call.refuse("the step of arange is a whole number above 0"))?;
        let span = end - start.clone() + Dim::size(step - 1);
        let length = span.floor_divided_by(step).filter(|length| length.as_size() != Some(0));
        let length = length.ok_or_else(|| call.refuse("how many numbers arange gives is not known"))?;
        let mut value = e.made("arange", &[], vec![("length", Attr::Dims(vec![length]))], call)?;
        if step != 1 {
            let step = Value::Number(Number::whole(i64::try_from(step).unwrap_or(i64::MAX)));
            value = e.both("mul", value, step, call)?;
        }
        match start.as_size() {
            Some(0) => Ok(Some(value)),
            _ => e.both("add", value, super::fold::size(start), call).map(Some),
        }
    }),
    (&["zeros_like", "ones_like"], |e, call| {
        let x = e.first(call)?;
        let op = if call.name == "ones_like" { "ones" } else { "zeros" };
        let dims = e.dims(x);
        e.made(op, &[], vec![("dims", Attr::Dims(dims))], call).map(Some)
    }),
    (&["full_like"], |e, call| {
        let x = e.first(call)?;
        let value = call.named(1, &["fill_value"]).ok_or_else(|| call.refuse("full_like needs a value"))?;
        let (value, dims) = (e.node(value)?, e.dims(x));
        e.made("broadcast_to", &[value], vec![("dims", Attr::Dims(dims))], call).map(Some)
    }),
    (&["dot"], |e, call| {
        let numpy = matches!(call.framework, Some(Framework::NumPy | Framework::Jax));
        let (Some(x), Some(y)) = (call.named(0, &["a"]), call.named(1, &["b"])) else { return Ok(None) };
        let (x, y) = (e.node(x)?, e.node(y)?);
        let ranks = [x, y].map(|node| e.program.shape(node).rank());
        match ranks {
            _ if !numpy || ranks == [1, 1] => Ok(None),
            [0, _] | [_, 0] => e.made("mul", &[x, y], Vec::new(), call).map(Some),
            [1 | 2, 1 | 2] => e.made("matmul", &[x, y], Vec::new(), call).map(Some),
            _ => Err(call.refuse("dot of arrays of rank 3 and more is not supported").help("use @ or einsum")),
        }
    }),
    (&["cross_entropy"], cross_entropy),
    (&["kl_div"], |e, call| {
        // `batchmean` is the sum over the number of rows.
        let batch = |operand: &Operand| operand.value == Value::Text("batchmean".into());
        let mut given = Given { positional: call.given.positional.clone(), keywords: call.given.keywords.clone() };
        let Some((.., reduction)) = given.keywords.iter_mut().find(|(name, _, o)| &**name == "reduction" && batch(o))
        else {
            return Ok(None);
        };
        reduction.value = Value::Text("sum".into());
        let x = e.first(call)?;
        let rows = e.dims(x).first().cloned().unwrap_or_else(|| Dim::size(1));
        match e.abbreviated(&Call { given: &given, ..*call })? {
            Some(total) => e.both("div", total, super::fold::size(rows), call).map(Some),
            None => Ok(None),
        }
    }),
];

/// Cross-entropy with class numbers, weights on the others (label smoothing), or
/// another reduction than the mean; the plain one is left to the table.
fn cross_entropy(e: &mut Elaborator, call: &Call) -> Result<Option<Value>, Diagnostic> {
    let x = e.first(call)?;
    let Some(target) = call.named(1, &["target", "y", "labels"]) else { return Ok(None) };
    let mut target = e.node(target)?;
    let (dims, rank) = (e.dims(x), e.program.shape(target).rank());
    let Some(classes) = dims.last().cloned() else { return Ok(None) };
    if let Some((_, span, _)) =
        call.given.keywords.iter().find(|(name, ..)| matches!(&**name, "weight" | "ignore_index"))
    {
        return Err(Diagnostic::at(crate::diagnostic::Kind::UnknownKeyword, *span, "this keyword is not supported"));
    }
    let mut x = x;
    if dims.len() > 2 && call.framework == Some(Framework::Torch) {
        // In PyTorch the classes stand along axis 1.
        x = e.last(x, 1, call)?;
        target = if rank == dims.len() { e.last(target, 1, call)? } else { target };
    }
    let classes = e.dims(x).last().cloned().unwrap_or(classes);
    if rank + 1 == dims.len() {
        let made = e.made("one_hot", &[target], vec![("classes", Attr::Dims(vec![classes.clone()]))], call)?;
        target = e.node(&Operand { value: made, span: call.whole })?;
    }
    if let Some(smoothing) = call.named(usize::MAX, &["label_smoothing"]) {
        let smoothing = e.node(smoothing)?;
        let env = super::Env::new().node("y", target).node("s", smoothing).attr("n", Attr::Dims(vec![classes]));
        target = super::build(e.program, "(1 - s) * y + s / n", &env)?;
    }
    let env = super::Env::new().node("x", x).node("y", target);
    let each = "-sum(y * log_softmax(x, -1), -1)";
    let text = match call.named(usize::MAX, &["reduction"]).map(|operand| &operand.value) {
        None => "cross_entropy(x, y)",
        Some(Value::Text(word)) => match &**word {
            "mean" => "cross_entropy(x, y)",
            "sum" => "-sum(y * log_softmax(x, -1))",
            "none" => each,
            _ => return Err(call.refuse("reduction is 'mean', 'sum' or 'none'")),
        },
        Some(_) => return Err(call.refuse("reduction is 'mean', 'sum' or 'none'")),
    };
    let node = super::build(e.program, text, &env)?;
    e.program.place(node, call.whole);
    Ok(Some(Value::Node(node)))
}

impl Elaborator<'_> {
    /// An axis moved behind the others.
    fn last(&mut self, x: NodeId, axis: usize, call: &Call) -> Result<NodeId, Diagnostic> {
        let mut order: Vec<usize> = (0..self.dims(x).len()).filter(|other| *other != axis).collect();
        order.push(axis);
        let value = self.ordered(x, order, call)?;
        self.node(&Operand { value, span: call.whole })
    }

    /// `left name right`, of values that the call made.
    pub fn both(&mut self, name: &str, left: Value, right: Value, call: &Call) -> Result<Value, Diagnostic> {
        let operand = |value| Operand { value, span: call.whole };
        self.binary(name, call.place, operand(left), operand(right))
    }
}
