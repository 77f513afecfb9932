//! Attributes, indices and methods that look at an array without computing with it.

use super::arguments::out_of_range;
use super::callee::Given;
use super::elaborate::{Elaborator, unsupported};
use super::fold;
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attrs, Number};
use crate::shape::Name;
use crate::source::ast::{Argument, Expr, ExprKind, IndexItem};

/// Methods that give back the same array.
const SAME: &[&str] =
    &["contiguous", "clone", "copy", "float", "double", "requires_grad_", "to", "cpu", "cuda", "type_as", "astype"];

impl Elaborator<'_> {
    /// The dotted path `expr` is, if its root is no value: `torch.nn.functional.relu`.
    pub fn path(&self, expr: &Expr) -> Option<String> {
        let (mut names, mut at) = (Vec::new(), expr);
        loop {
            match &at.kind {
                ExprKind::Attribute(base, name, _) => {
                    names.push(name);
                    at = base;
                }
                ExprKind::Name(name) if !self.knows(name) => {
                    let root = self.dialect.path(name)?.to_string();
                    return Some(names.iter().rev().fold(root, |path, name| format!("{path}.{name}")));
                }
                _ => return None,
            }
        }
    }

    /// `base.name`; `place` is that of the name.
    pub fn attribute(&mut self, base: &Expr, name: &Name, place: Span) -> Result<Value, Diagnostic> {
        let operand = self.operand(base)?;
        let dotted = Span { start: self.dot_before(place), end: place.end };
        if let (Value::Tuple(items), "values") = (&operand.value, &**name)
            && let [values, Value::Nothing] = items.as_slice()
        {
            return Ok(values.clone());
        }
        if let (Value::Tuple(items), Some(at)) = (&operand.value, super::algebra::part_of_slogdet(name))
            && let [_, _] = items.as_slice()
        {
            return Ok(items[at].clone());
        }
        if let Value::Path(path) = &operand.value {
            let path = format!("{path}.{name}");
            if let Some(number) = super::constant::infinity(&path) {
                return Ok(self.infinite(number));
            }
            let number = self.number_named(&path, dotted)?;
            return Ok(number.unwrap_or(Value::Path(path)));
        }
        match &**name {
            "T" | "mT" => self.transposed(&operand, name, dotted),
            "shape" => self.sizes(&operand),
            "ndim" => {
                let node = self.node(&operand)?;
                let rank = i64::try_from(self.program.shape(node).rank()).unwrap_or(i64::MAX);
                Ok(Value::Number(Number::whole(rank)))
            }
            _ => {
                let message = format!("the attribute .{name} is not supported: only .T, .mT, .shape and .ndim are");
                let told = Diagnostic::at(Kind::UnsupportedAttribute, dotted, message);
                Err(match ops::spelled(name, None).is_empty() {
                    true => told,
                    false => told.help(format!("a method is called: .{name}()")),
                })
            }
        }
    }

    /// ∞ as a number, with a note of what it is read as.
    fn infinite(&mut self, number: Number) -> Value {
        let note = "infinity is read as 1e30, which a softmax takes to 0 just the same".to_string();
        if !self.program.assumptions.contains(&note) {
            self.program.assumptions.push(note);
        }
        Value::Number(number)
    }

    /// Where the point before a name stands.
    fn dot_before(&self, place: Span) -> u32 {
        let before = self.text.get(..place.start as usize).unwrap_or("").trim_end();
        if before.ends_with('.') { before.len() as u32 - 1 } else { place.start }
    }

    /// The transpose; of a vector or scalar the same value.
    fn transposed(&mut self, operand: &Operand, name: &str, dotted: Span) -> Result<Value, Diagnostic> {
        let node = self.node(operand)?;
        let rank = self.program.shape(node).rank();
        if rank < 2 {
            return Ok(operand.value.clone());
        }
        let op = match rank {
            2 => ops::by_name("transpose"),
            _ => ops::spelled(name, None).first().map(|(op, _)| *op),
        };
        let Some(op) = op else {
            let message = format!(".{name} is not supported for an array of rank {rank}");
            return Err(Diagnostic::at(Kind::UnsupportedAttribute, dotted, message));
        };
        let whole = operand.span.to(dotted);
        self.apply(op, &[(node, operand.span)], Attrs::default(), dotted, whole).map(Value::Node)
    }

    fn sizes(&mut self, operand: &Operand) -> Result<Value, Diagnostic> {
        let node = self.node(operand)?;
        let shape = self.program.unknowns.resolve_shape(self.program.shape(node));
        Ok(Value::Tuple(shape.0.into_iter().map(fold::size).collect()))
    }

    /// `base[items]`.
    pub fn index(&mut self, base: &Expr, items: &[IndexItem], whole: Span) -> Result<Value, Diagnostic> {
        let after = self.text.get(base.span.end as usize..whole.end as usize).unwrap_or("");
        let bracket = after.find('[').map_or(base.span.end, |at| base.span.end + at as u32);
        let brackets = Span { start: bracket, end: whole.end };
        let (operand, items) = match self.slice_of_turn(base, items, brackets)? {
            Some(slice) => (Operand { value: slice, span: whole }, &items[1..]),
            None => (self.operand(base)?, items),
        };
        if let Value::Tuple(values) = &operand.value {
            return self.item(values, items, brackets);
        }
        match items {
            [] => Ok(operand.value),
            _ => self.subscript(&operand, items, brackets, whole),
        }
    }

    fn item(&mut self, values: &[Value], items: &[IndexItem], brackets: Span) -> Result<Value, Diagnostic> {
        let at = match items {
            [IndexItem::At(at)] => self.expr(at)?.whole(),
            [IndexItem::Slice(start, end, None)] => return self.items(values, start.as_ref(), end.as_ref(), brackets),
            _ => None,
        };
        let Some(at) = at else { return Err(unsupported(brackets, "a tuple is indexed by one whole number")) };
        position(at, values.len()).map(|at| values[at].clone()).ok_or_else(|| {
            let message = format!("index {at} is out of range for {} entries", values.len());
            Diagnostic::at(Kind::AxisOutOfRange, brackets, message)
        })
    }

    fn items(
        &mut self,
        values: &[Value],
        start: Option<&Expr>,
        end: Option<&Expr>,
        brackets: Span,
    ) -> Result<Value, Diagnostic> {
        let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
        let mut bound = |expr: Option<&Expr>, missing: i64| match expr {
            None => Ok(missing),
            Some(expr) => match self.expr(expr)?.whole() {
                Some(at) => Ok((if at < 0 { at.saturating_add(count) } else { at }).clamp(0, count)),
                None => Err(unsupported(brackets, "a slice has whole bounds")),
            },
        };
        let (start, end) = (bound(start, 0)?, bound(end, count)?);
        let range = usize::try_from(start).unwrap_or(0)..usize::try_from(end.max(start)).unwrap_or(0);
        Ok(Value::Tuple(values[range].to_vec()))
    }

    /// Methods that look at shapes, or give back the array itself.
    pub fn structural_method(
        &mut self,
        receiver: &Operand,
        name: &str,
        arguments: &[Argument],
        whole: Span,
    ) -> Result<Option<Value>, Diagnostic> {
        if !matches!(receiver.value, Value::Node(_) | Value::Number(_) | Value::Picked(_)) {
            let message = format!("{} has no methods", receiver.value.sort());
            return Err(Diagnostic::at(Kind::NotAFunction, receiver.span, message));
        }
        let mut given = Given { positional: Vec::new(), keywords: Vec::new() };
        match name {
            _ if SAME.contains(&name) => Ok(Some(receiver.value.clone())),
            "bool" if arguments.is_empty() => self.as_condition(receiver, whole).map(Some),
            "t" if arguments.is_empty() => self.transposed(receiver, "T", whole).map(Some),
            "dim" if arguments.is_empty() => self.sizes(receiver).map(|sizes| Some(length(&sizes))),
            "numel" if arguments.is_empty() => {
                let Value::Tuple(sizes) = self.sizes(receiver)? else { return Ok(None) };
                let one = Value::Number(Number::ONE);
                Ok(sizes.iter().try_fold(one, |product, size| fold::constants("mul", &product, size)))
            }
            "size" => {
                self.read_arguments(arguments, &mut given)?;
                let sizes = self.sizes(receiver)?;
                let (Value::Tuple(values), Some(axis)) = (&sizes, given.positional.first()) else {
                    return Ok(Some(sizes));
                };
                let at = axis.value.whole();
                let found = at.and_then(|at| position(at, values.len()));
                match (found, at) {
                    (Some(at), _) => Ok(Some(values[at].clone())),
                    (None, Some(at)) => Err(out_of_range(at, values.len(), axis.span)),
                    (None, None) => Err(Diagnostic::at(Kind::BadArgument, axis.span, "an axis is a whole number")),
                }
            }
            _ => Ok(None),
        }
    }

    /// Functions of Python itself that look at shapes.
    pub fn builtin(&mut self, name: &str, arguments: &[Argument], whole: Span) -> Result<Option<Value>, Diagnostic> {
        let [Argument { keyword: None, value }] = arguments else { return Ok(None) };
        match name {
            "len" => match self.operand(value)? {
                Operand { value: tuple @ Value::Tuple(_), .. } => Ok(Some(length(&tuple))),
                operand => match self.sizes(&operand)? {
                    Value::Tuple(sizes) if !sizes.is_empty() => Ok(Some(sizes[0].clone())),
                    _ => Err(Diagnostic::at(Kind::WrongRank, whole, "a scalar has no length")),
                },
            },
            "float" | "tuple" | "int" | "list" => match self.expr(value)? {
                Value::Text(word) => Ok(super::constant::infinity(&word).map(|number| self.infinite(number))),
                value => Ok(Some(value)),
            },
            "range" => {
                let operand = self.operand(value)?;
                let given = Given { positional: vec![operand], keywords: Vec::new() };
                let call = Call { name: "arange", framework: None, given: &given, place: whole, whole };
                self.rearranged(&call)
            }
            _ => Ok(None),
        }
    }
}

fn length(tuple: &Value) -> Value {
    let count = if let Value::Tuple(items) = tuple { items.len() } else { 0 };
    Value::Number(Number::whole(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// The position `at` from the front, counted from the end if negative.
fn position(at: i64, count: usize) -> Option<usize> {
    let count = i64::try_from(count).ok()?;
    let at = if at < 0 { at.checked_add(count)? } else { at };
    (0..count).contains(&at).then(|| usize::try_from(at).ok()).flatten()
}
