//! Calls that rearrange arrays: sizes with a −1, orders of axes, parts as tuples.
//!
//! What such a call means depends on how its arguments are written; it is read
//! here, down to operations with plain attributes.

use super::arguments::{from_front, out_of_range};
use super::callee::Given;
use super::elaborate::Elaborator;
use super::program::NodeId;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::{self, Attr, Attrs, Framework};
use crate::shape::Dim;

/// A call being read.
pub(super) struct Call<'g> {
    pub name: &'g str,
    pub framework: Option<Framework>,
    pub given: &'g Given,
    /// The place of the name.
    pub place: Span,
    pub whole: Span,
}

type Read = fn(&mut Elaborator, &Call) -> Result<Option<Value>, Diagnostic>;

/// All calls that are read beforehand.
const TABLES: [&[(&[&str], Read)]; 6] = [
    READERS,
    super::parts::READERS,
    super::meanings::READERS,
    super::norms::READERS,
    super::algebra::READERS,
    super::hidden::READERS,
];

/// The calls read here. A reader that gives nothing leaves the call to the table of operations.
const READERS: &[(&[&str], Read)] = &[
    (&["reshape", "view"], |e, call| {
        let x = e.first(call)?;
        let wanted = match call.named(1, &["shape", "newshape"]) {
            Some(Operand { value: Value::Tuple(items), .. }) => items.clone(),
            _ => call.rest(1),
        };
        e.reshaped(x, &wanted, call).map(Some)
    }),
    (&["view_as", "reshape_as"], |e, call| {
        let (x, dims) = (e.first(call)?, e.dims_of(call, 1)?);
        e.reshape(x, dims, call).map(Some)
    }),
    (&["expand_as", "broadcast_like"], |e, call| {
        let (x, dims) = (e.first(call)?, e.dims_of(call, 1)?);
        e.made("broadcast_to", &[x], vec![("dims", Attr::Dims(dims))], call).map(Some)
    }),
    (&["flatten", "ravel"], |e, call| {
        let x = e.first(call)?;
        let dims = e.dims(x);
        let (start, end) = (call.whole_or(1, &["start_dim"], 0)?, call.whole_or(2, &["end_dim"], -1)?);
        if dims.is_empty() {
            return e.reshape(x, vec![Dim::size(1)], call).map(Some);
        }
        let (start, end) = (axis_of(start, dims.len(), call)?, axis_of(end, dims.len(), call)?);
        let merged = dims.iter().skip(start).take(end + 1 - start.min(end)).cloned();
        let merged = merged.fold(Dim::size(1), |product, dim| product * dim);
        let lead = dims[..start].iter().cloned();
        let flat = lead.chain([merged]).chain(dims[end.max(start) + 1..].iter().cloned()).collect();
        e.reshape(x, flat, call).map(Some)
    }),
    (&["unflatten"], |e, call| {
        let x = e.first(call)?;
        let dims = e.dims(x);
        let axis = axis_of(call.whole_needed(1, &["dim"])?, dims.len(), call)?;
        let parts = match call.named(2, &["sizes", "shape"]) {
            Some(Operand { value: Value::Tuple(items), .. }) => items.clone(),
            _ => return Err(call.refuse("unflatten takes an axis and a tuple of sizes")),
        };
        let parts = settled(&parts, &dims[axis], call)?;
        let all = [&dims[..axis], &parts, &dims[axis + 1..]].concat();
        e.reshape(x, all, call).map(Some)
    }),
    (&["permute", "permute_dims"], |e, call| {
        let x = e.first(call)?;
        let order = match call.named(1, &["dims", "axes", "order"]) {
            Some(Operand { value: Value::Tuple(items), .. }) => items.clone(),
            Some(one) if call.given.positional.len() < 2 => vec![one.value.clone()],
            _ => call.rest(1),
        };
        e.permuted(x, &order, call).map(Some)
    }),
    (&["transpose", "swapaxes", "swapdims"], |e, call| {
        let x = e.first(call)?;
        let rank = e.program.shape(x).rank();
        let numpy = call.name == "transpose" && matches!(call.framework, Some(Framework::NumPy | Framework::Jax));
        let axes = match call.named(1, &["axes"]) {
            None if call.named(1, &["dim0", "axis1"]).is_some() => call.rest(1),
            // Without axes all of them are reversed.
            None if numpy => return e.made("transpose", &[x], Vec::new(), call).map(Some),
            None => return Ok(None),
            Some(Operand { value: Value::Tuple(items), .. }) => return e.permuted(x, items, call).map(Some),
            Some(_) => call.rest(1),
        };
        if numpy || axes.len() > 2 {
            return e.permuted(x, &axes, call).map(Some);
        }
        let (a, b) = (call.whole_needed(1, &["dim0", "axis1"])?, call.whole_needed(2, &["dim1", "axis2"])?);
        let (a, b) = (axis_of(a, rank, call)?, axis_of(b, rank, call)?);
        let mut order: Vec<usize> = (0..rank).collect();
        order.swap(a, b);
        e.ordered(x, order, call).map(Some)
    }),
    (&["moveaxis", "movedim"], |e, call| {
        let x = e.first(call)?;
        let rank = e.program.shape(x).rank();
        let from = axis_of(call.whole_needed(1, &["source"])?, rank, call)?;
        let to = axis_of(call.whole_needed(2, &["destination"])?, rank, call)?;
        let mut order: Vec<usize> = (0..rank).filter(|axis| *axis != from).collect();
        order.insert(to, from);
        e.ordered(x, order, call).map(Some)
    }),
    (&["expand"], |e, call| {
        let x = e.first(call)?;
        let own = e.dims(x);
        let wanted = call.rest(1);
        let lead = wanted.len().saturating_sub(own.len());
        let dim = |(i, value): (usize, &Value)| match value.whole() {
            Some(-1) => i.checked_sub(lead).and_then(|axis| own.get(axis).cloned()),
            _ => value.dim(),
        };
        let dims: Option<Vec<Dim>> = wanted.iter().enumerate().map(dim).collect();
        let dims = dims.ok_or_else(|| call.refuse("expand takes sizes; -1 keeps the size of an axis"))?;
        e.made("broadcast_to", &[x], vec![("dims", Attr::Dims(dims))], call).map(Some)
    }),
    (&["matrix_power", "linalg.matrix_power"], |e, call| {
        let (x, n) = (e.first(call)?, call.whole_needed(1, &["n"])?);
        e.matrix_power(x, n, call).map(Some)
    }),
    (&["masked_fill", "masked_fill_"], |e, call| {
        let x = e.first(call)?;
        let (Some(mask), Some(value)) = (call.named(1, &["mask"]), call.named(2, &["value"])) else {
            return Err(call.refuse("masked_fill takes a mask and a value"));
        };
        let (mask, value) = (e.node(mask)?, e.node(value)?);
        e.made("where", &[mask, value, x], Vec::new(), call).map(Some)
    }),
    (&["dropout"], |e, call| {
        let kept = call.named(2, &["training"]).is_some_and(|training| training.value == Value::Flag(false));
        let none = call.named(1, &["p"]).is_some_and(|p| p.value.whole() == Some(0));
        if kept || none {
            return e.first(call).map(Value::Node).map(Some);
        }
        Err(call.refuse("dropout draws random numbers").help("say p=0 or training=False"))
    }),
];

impl Call<'_> {
    /// The argument at a position, else under one of these keywords.
    pub fn named(&self, at: usize, keywords: &[&str]) -> Option<&Operand> {
        let keyword = || self.given.keywords.iter().find(|(name, ..)| keywords.contains(&&**name)).map(|(.., o)| o);
        self.given.positional.get(at).or_else(keyword)
    }

    /// The arguments from a position on, a tuple there opened.
    pub fn rest(&self, at: usize) -> Vec<Value> {
        match self.given.positional.get(at..).unwrap_or(&[]) {
            [Operand { value: Value::Tuple(items), .. }] => items.clone(),
            several => several.iter().map(|operand| operand.value.clone()).collect(),
        }
    }

    /// A whole number, or this one where none is given.
    pub fn whole_or(&self, at: usize, keywords: &[&str], default: i64) -> Result<i64, Diagnostic> {
        match self.named(at, keywords) {
            None => Ok(default),
            Some(operand) => operand.value.whole().ok_or_else(|| {
                let message = format!("a whole number is needed here, not {}", operand.value.sort());
                Diagnostic::at(Kind::BadArgument, operand.span, message)
            }),
        }
    }

    pub fn whole_needed(&self, at: usize, keywords: &[&str]) -> Result<i64, Diagnostic> {
        match self.named(at, keywords) {
            None => {
                let message = format!("{} needs {}", self.name, keywords.first().unwrap_or(&"a whole number"));
                Err(Diagnostic::at(Kind::WrongArity, self.whole, message))
            }
            Some(_) => self.whole_or(at, keywords, 0),
        }
    }

    pub fn refuse(&self, message: &str) -> Diagnostic {
        Diagnostic::at(Kind::BadArgument, self.whole, message)
    }
}

/// An axis counted from the front.
pub(super) fn axis_of(axis: i64, rank: usize, call: &Call) -> Result<usize, Diagnostic> {
    from_front(axis, rank).ok_or_else(|| out_of_range(axis, rank, call.whole))
}

/// The sizes that `values` name, one −1 among them being what is left of `whole`.
fn settled(values: &[Value], whole: &Dim, call: &Call) -> Result<Vec<Dim>, Diagnostic> {
    let open = |value: &Value| value.whole() == Some(-1);
    let known = |value: &Value| {
        value
            .dim()
            .ok_or_else(|| call.refuse(&format!("a size is a whole number or a dimension, not {}", value.sort())))
    };
    let parts: Vec<Dim> = values.iter().filter(|v| !open(v)).map(known).collect::<Result<_, _>>()?;
    let product = parts.iter().cloned().fold(Dim::size(1), |product, dim| product * dim);
    if values.len() - parts.len() > 1 {
        return Err(call.refuse("one size can be -1, not several"));
    }
    let left = || {
        let message = format!("{whole} is not known to be a multiple of {product}");
        whole.divided_by(&product).ok_or_else(|| call.refuse(&message))
    };
    values.iter().map(|value| if open(value) { left() } else { known(value) }).collect()
}

impl Elaborator<'_> {
    /// Reads a call that rearranges, if it is one.
    pub fn rearranged(&mut self, call: &Call) -> Result<Option<Value>, Diagnostic> {
        let of =
            |table: &[(&[&str], Read)]| table.iter().find(|(names, _)| names.contains(&call.name)).map(|(_, r)| *r);
        match TABLES.iter().copied().find_map(of) {
            Some(read) => read(self, call),
            None => Ok(None),
        }
    }

    /// Is this the name of a call that rearranges?
    pub fn rearranges(name: &str) -> bool {
        TABLES.iter().any(|table| table.iter().any(|(names, _)| names.contains(&name)))
    }

    /// The first argument: the array that is rearranged.
    pub fn first(&mut self, call: &Call) -> Result<NodeId, Diagnostic> {
        match call.named(0, &["input", "x", "a", "array"]) {
            Some(operand) => self.node(operand),
            None => Err(Diagnostic::at(Kind::WrongArity, call.whole, format!("{} needs an array", call.name))),
        }
    }

    pub fn dims(&self, node: NodeId) -> Vec<Dim> {
        self.program.unknowns.resolve_shape(self.program.shape(node)).0
    }

    fn dims_of(&mut self, call: &Call, at: usize) -> Result<Vec<Dim>, Diagnostic> {
        match call.named(at, &["other"]) {
            Some(other) => self.node(other).map(|node| self.dims(node)),
            None => Err(Diagnostic::at(Kind::WrongArity, call.whole, format!("{} needs another array", call.name))),
        }
    }

    /// The operation `name`, which the table has.
    pub fn made(
        &mut self,
        name: &str,
        args: &[NodeId],
        attrs: Vec<(&'static str, Attr)>,
        call: &Call,
    ) -> Result<Value, Diagnostic> {
        let Some(op) = ops::by_name(name) else { return Err(call.refuse("this call is not supported")) };
        let args: Vec<(NodeId, Span)> = args.iter().map(|arg| (*arg, self.written(*arg, call))).collect();
        self.apply(op, &args, Attrs(attrs), call.whole, call.whole).map(Value::Node)
    }

    /// Where an argument of the call is written.
    fn written(&self, node: NodeId, call: &Call) -> Span {
        let of = |operand: &&Operand| operand.value == Value::Node(node);
        call.given.positional.iter().find(of).map_or(call.place, |operand| operand.span)
    }

    pub fn reshape(&mut self, x: NodeId, dims: Vec<Dim>, call: &Call) -> Result<Value, Diagnostic> {
        if self.dims(x) == dims {
            return Ok(Value::Node(x));
        }
        self.made("reshape", &[x], vec![("dims", Attr::Dims(dims))], call)
    }

    fn reshaped(&mut self, x: NodeId, wanted: &[Value], call: &Call) -> Result<Value, Diagnostic> {
        let count = self.dims(x).into_iter().fold(Dim::size(1), |product, dim| product * dim);
        let dims = settled(wanted, &count, call)?;
        self.reshape(x, dims, call)
    }

    fn permuted(&mut self, x: NodeId, order: &[Value], call: &Call) -> Result<Value, Diagnostic> {
        let rank = self.program.shape(x).rank();
        let axis = |value: &Value| match value.whole() {
            Some(axis) => axis_of(axis, rank, call),
            None => Err(call.refuse(&format!("an axis is a whole number, not {}", value.sort()))),
        };
        let order = order.iter().map(axis).collect::<Result<Vec<usize>, _>>()?;
        self.ordered(x, order, call)
    }

    /// The axes in this order, as the plainest operation that says so.
    pub fn ordered(&mut self, x: NodeId, order: Vec<usize>, call: &Call) -> Result<Value, Diagnostic> {
        let rank = self.program.shape(x).rank();
        let mut last_two: Vec<usize> = (0..rank).collect();
        if order == last_two {
            return Ok(Value::Node(x));
        }
        if rank == 2 && order == [1, 0] {
            return self.made("transpose", &[x], Vec::new(), call);
        }
        if rank > 2 {
            last_two.swap(rank - 2, rank - 1);
        }
        match order == last_two {
            true => self.made("matrix_transpose", &[x], Vec::new(), call),
            false => self.made("permute", &[x], vec![("order", Attr::Axes(order))], call),
        }
    }

    fn matrix_power(&mut self, x: NodeId, n: i64, call: &Call) -> Result<Value, Diagnostic> {
        let base = match n < 0 {
            true => self.made("inv", &[x], Vec::new(), call)?,
            false => Value::Node(x),
        };
        let Value::Node(base) = base else { return Ok(base) };
        match n.unsigned_abs() {
            0 => {
                let side = self.dims(x).into_iter().take(1).collect();
                self.made("eye", &[], vec![("dims", Attr::Dims(side))], call)
            }
            turns @ 1..=64 => (1..turns).try_fold(Value::Node(base), |power, _| match power {
                Value::Node(power) => self.made("matmul", &[power, base], Vec::new(), call),
                other => Ok(other),
            }),
            _ => Err(call.refuse("a matrix power up to 64 is supported")),
        }
    }
}
