//! Indices of arrays: entries, slices, new axes, places in a list or an array.

use super::callee::Given;
use super::elaborate::{Elaborator, unsupported};
use super::program::NodeId;
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attr};
use crate::shape::Dim;
use crate::source::ast::{Expr, ExprKind, IndexItem};

/// One part of an index, read.
enum Part {
    NewAxis,
    Rest,
    /// From, to, step.
    Slice(Option<Value>, Option<Value>, i64),
    At(Dim),
    /// An entry counted from the end: how far.
    FromEnd(i64),
    Places(Vec<i64>),
    Array(NodeId),
    /// Where a condition holds.
    Condition(NodeId),
}

impl Elaborator<'_> {
    /// `array[items]`.
    pub fn subscript(
        &mut self,
        operand: &Operand,
        items: &[IndexItem],
        brackets: Span,
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        let mut node = self.node(operand)?;
        let given = Given { positional: vec![operand.clone()], keywords: Vec::new() };
        let call = Call { name: "[]", framework: None, given: &given, place: brackets, whole };
        let parts: Vec<Part> = items.iter().map(|item| self.part(item, brackets)).collect::<Result<_, _>>()?;
        let used = parts.iter().filter(|part| !matches!(part, Part::NewAxis | Part::Rest)).count();
        let rank = self.program.shape(node).rank();
        if used > rank {
            return Err(self.too_many(used, rank, brackets));
        }
        if let [Part::Array(rows), Part::Array(columns)] = parts[..] {
            return self.paired(node, rows, columns, &call);
        }
        if let [Part::Condition(condition)] = parts[..] {
            return self.picked(node, condition, brackets);
        }
        let mut axis = 0;
        for part in parts {
            let kept = !matches!(part, Part::At(_) | Part::FromEnd(_));
            let value = match part {
                Part::Rest => {
                    axis += rank - used;
                    continue;
                }
                Part::Slice(None, None, 1) => {
                    axis += 1;
                    continue;
                }
                Part::NewAxis => self.made("unsqueeze", &[node], vec![("axis", Attr::Axes(vec![axis]))], &call)?,
                Part::Slice(start, end, step) => self.part_slice(node, axis, start, end, step, &call)?,
                Part::At(at) => self.entry(node, axis, at, &call)?,
                Part::FromEnd(at) if axis == 0 => self.made("index", &[node], vec![("at", Attr::Whole(at))], &call)?,
                Part::FromEnd(at) => {
                    let place = self.dims(node)[axis].clone() - Dim::size(usize::try_from(-at).unwrap_or(usize::MAX));
                    self.entry(node, axis, place, &call)?
                }
                Part::Places(places) => self.places(node, axis, &places, &call)?,
                Part::Array(at) if used == 1 && axis == 0 => self.looked_up(node, at, &call)?,
                Part::Condition(_) => {
                    let told = unsupported(brackets, "a condition is supported as the only index");
                    return Err(told.help("use where(c, a, b)"));
                }
                Part::Array(_) => {
                    return Err(unsupported(brackets, "an array of places is supported as the only index"));
                }
            };
            node = self.node(&Operand { value, span: whole })?;
            axis += usize::from(kept);
        }
        Ok(Value::Node(node))
    }

    fn too_many(&self, used: usize, rank: usize, brackets: Span) -> Diagnostic {
        if rank == 0 {
            return super::arguments::out_of_range(0, 0, brackets);
        }
        let message = format!("{used} indices are too many for an array of rank {rank}");
        Diagnostic::at(Kind::AxisOutOfRange, brackets, message)
    }

    fn part(&mut self, item: &IndexItem, brackets: Span) -> Result<Part, Diagnostic> {
        let at = match item {
            IndexItem::Slice(start, end, step) => {
                let mut bound = |expr: &Option<Expr>| match expr {
                    None => Ok(None),
                    Some(expr) => match self.expr(expr)? {
                        Value::Nothing => Ok(None),
                        value if value.dim().is_some() || value.whole().is_some() => Ok(Some(value)),
                        _ => Err(unsupported(expr.span, "the bounds of a slice are whole numbers or dimensions")),
                    },
                };
                let (start, end, step) = (bound(start)?, bound(end)?, bound(step)?);
                let step = step.map_or(Some(1), |step| step.whole());
                let step = step.ok_or_else(|| unsupported(brackets, "the step of a slice is a whole number"))?;
                return Ok(Part::Slice(start, end, step));
            }
            IndexItem::At(at) => at,
        };
        match &at.kind {
            ExprKind::None => return Ok(Part::NewAxis),
            ExprKind::Ellipsis => return Ok(Part::Rest),
            _ => {}
        }
        let value = self.expr(at)?;
        let refuse = || unsupported(brackets, "this index is not supported: an index is a whole number");
        match &value {
            Value::Nothing => Ok(Part::NewAxis),
            Value::Path(path) if path.ends_with(".newaxis") => Ok(Part::NewAxis),
            Value::Tuple(items) => {
                items.iter().map(Value::whole).collect::<Option<_>>().map(Part::Places).ok_or_else(refuse)
            }
            Value::Node(node) if self.is_condition(*node) => Ok(Part::Condition(*node)),
            Value::Node(node) => Ok(Part::Array(*node)),
            Value::Counter(_) => Err(refuse()),
            _ => match (value.whole(), value.dim()) {
                (Some(at), _) if at < 0 => Ok(Part::FromEnd(at)),
                (_, Some(dim)) => Ok(Part::At(dim)),
                _ => Err(refuse()),
            },
        }
    }

    fn part_slice(
        &mut self,
        node: NodeId,
        axis: usize,
        start: Option<Value>,
        end: Option<Value>,
        step: i64,
        call: &Call,
    ) -> Result<Value, Diagnostic> {
        let size = self.dims(node)[axis].clone();
        if step < 0 {
            return self.backward_slice(node, axis, (start, end), step, call);
        }
        let by = usize::try_from(step).ok().filter(|step| *step > 0);
        let by = by.ok_or_else(|| unsupported(call.place, "the step of a slice is not 0"))?;
        let start = start.map_or(Dim::size(0), |value| bound(&value, &size));
        let end = end.map_or(size.clone(), |value| bound(&value, &size));
        if let (Some(start), Some(end)) = (start.as_size(), end.as_size())
            && start >= end
        {
            return Err(unsupported(call.place, "nothing is left of the array here"));
        }
        let span = end - start.clone() + Dim::size(by - 1);
        let length = span.floor_divided_by(by).ok_or_else(|| {
            unsupported(call.place, format!("how many entries this slice has is not known: the axis has {size}"))
        })?;
        self.slice(node, axis, start, length, step, call)
    }

    /// `x[start:end:-step]`: the axis turned round, then forward.
    fn backward_slice(
        &mut self,
        node: NodeId,
        axis: usize,
        (start, end): (Option<Value>, Option<Value>),
        step: i64,
        call: &Call,
    ) -> Result<Value, Diagnostic> {
        let turned = self.made("flip", &[node], vec![("axis", Attr::Axes(vec![axis]))], call)?;
        let turned = self.node(&Operand { value: turned, span: call.whole })?;
        let size = self.dims(node)[axis].clone();
        // Place i of the axis is place size − 1 − i of the turned one.
        let from_end = |value: Option<Value>| {
            value.map(|value| super::fold::size(size.clone() - Dim::size(1) - bound(&value, &size)))
        };
        let step = step.checked_neg().unwrap_or(i64::MAX);
        match (from_end(start), from_end(end), step) {
            (None, None, 1) => Ok(Value::Node(turned)),
            (start, end, step) => self.part_slice(turned, axis, start, end, step, call),
        }
    }

    /// The entries at places of an axis, one after the other.
    fn places(&mut self, node: NodeId, axis: usize, places: &[i64], call: &Call) -> Result<Value, Diagnostic> {
        let size = self.dims(node)[axis].clone();
        let mut parts = Vec::new();
        for at in places {
            let start = match usize::try_from(at.unsigned_abs()) {
                Ok(back) if *at < 0 => size.clone() - Dim::size(back),
                Ok(at) => Dim::size(at),
                Err(_) => return Err(unsupported(call.place, "this place is out of range")),
            };
            let value = self.slice(node, axis, start, Dim::size(1), 1, call)?;
            parts.push(self.node(&Operand { value, span: call.whole })?);
        }
        match parts.as_slice() {
            [one] => Ok(Value::Node(*one)),
            [] => Err(unsupported(call.place, "nothing is left of the array here")),
            parts => self.made("concatenate", parts, vec![("axis", Attr::Axes(vec![axis]))], call),
        }
    }

    /// `table[classes]`: a row of the table for each class.
    fn looked_up(&mut self, node: NodeId, at: NodeId, call: &Call) -> Result<Value, Diagnostic> {
        let classes = self.dims(node)[0].clone();
        let hot = self.made("one_hot", &[at], vec![("classes", Attr::Dims(vec![classes]))], call)?;
        let hot = self.node(&Operand { value: hot, span: call.whole })?;
        self.made("tensordot", &[hot, node], vec![("axes", Attr::Whole(1))], call)
    }

    /// Where the entries are that an index chooses, as a condition: `x[c]`,
    /// `x[arange(n), y]`; `None` for other indices.
    pub fn chosen_entries(
        &mut self,
        array: &Operand,
        items: &[IndexItem],
        call: &Call,
    ) -> Result<Option<NodeId>, Diagnostic> {
        let mut nodes = Vec::new();
        for item in items {
            let IndexItem::At(at) = item else { return Ok(None) };
            match self.expr(at)? {
                Value::Node(node) => nodes.push(node),
                _ => return Ok(None),
            }
        }
        let dims = self.node(array).map(|node| self.dims(node))?;
        match nodes[..] {
            [condition] if self.is_condition(condition) && self.dims(condition) == dims => Ok(Some(condition)),
            [rows, columns] if self.counts_rows(rows, &dims) => {
                let classes = vec![("classes", Attr::Dims(vec![dims[1].clone()]))];
                let hot = self.made("one_hot", &[columns], classes, call)?;
                let hot = self.node(&Operand { value: hot, span: call.whole })?;
                let one = self.program.number(ops::Number::ONE);
                let chosen = self.made("eq", &[hot, one], Vec::new(), call)?;
                self.node(&Operand { value: chosen, span: call.whole }).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Is this 0, 1, … up to the number of rows of a matrix?
    fn counts_rows(&self, rows: NodeId, dims: &[Dim]) -> bool {
        let counts = self.program.op(rows).is_some_and(|(op, _)| Some(op) == ops::by_name("arange"));
        counts && dims.len() == 2 && self.dims(rows) == dims[..1]
    }

    /// `p[arange(n), y]`: of each row the entry of its class.
    fn paired(&mut self, node: NodeId, rows: NodeId, columns: NodeId, call: &Call) -> Result<Value, Diagnostic> {
        let dims = self.dims(node);
        if !self.counts_rows(rows, &dims) {
            let message = "two arrays of places are supported where the first counts all rows";
            return Err(unsupported(call.place, message).help("write x[arange(n), y]"));
        }
        let hot = self.made("one_hot", &[columns], vec![("classes", Attr::Dims(vec![dims[1].clone()]))], call)?;
        let hot = self.node(&Operand { value: hot, span: call.whole })?;
        let picked = self.made("mul", &[hot, node], Vec::new(), call)?;
        let picked = self.node(&Operand { value: picked, span: call.whole })?;
        let attrs = vec![("axis", Attr::Axes(vec![1])), ("keepdims", Attr::Flag(false))];
        self.made("sum", &[picked], attrs, call)
    }
}

/// A bound of a slice: from the end if negative, within the axis where sizes are known.
fn bound(value: &Value, size: &Dim) -> Dim {
    match (value.whole(), value.dim()) {
        (Some(at), _) if at < 0 => {
            let back = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
            match size.as_size() {
                Some(size) => Dim::size(size.saturating_sub(back)),
                None => size.clone() - Dim::size(back),
            }
        }
        (Some(at), _) => {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            Dim::size(size.as_size().map_or(at, |size| at.min(size)))
        }
        (None, Some(dim)) => dim,
        (None, None) => size.clone(),
    }
}
