//! Calls that cut arrays up or put them together.

use super::elaborate::Elaborator;
use super::program::NodeId;
use super::rearrange::{Call, axis_of};
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind};
use crate::ops::{Attr, Framework};
use crate::shape::Dim;

type Read = fn(&mut Elaborator, &Call) -> Result<Option<Value>, Diagnostic>;

/// The calls read here.
pub(super) const READERS: &[(&[&str], Read)] = &[
    (&["chunk", "tensor_split", "array_split"], |e, call| {
        let (x, count) = (e.first(call)?, call.whole_needed(1, &["chunks", "sections", "indices_or_sections"])?);
        let axis = e.cut_axis(x, call, 2)?;
        e.in_equal_parts(x, axis, count, call).map(Some)
    }),
    (&["split"], |e, call| {
        let x = e.first(call)?;
        let axis = e.cut_axis(x, call, 2)?;
        let numpy = matches!(call.framework, Some(Framework::NumPy | Framework::Jax));
        match call.named(1, &["split_size_or_sections", "split_size", "indices_or_sections"]) {
            Some(Operand { value: Value::Tuple(items), .. }) => {
                let dims: Option<Vec<Dim>> = items.iter().map(Value::dim).collect();
                let dims = dims.ok_or_else(|| call.refuse("the parts of split are sizes"))?;
                let lengths = if numpy { between(&dims, &e.dims(x)[axis]) } else { dims };
                e.in_parts(x, axis, &lengths, call).map(Some)
            }
            Some(count) if numpy => {
                let count = count.value.whole().ok_or_else(|| call.refuse("the number of parts is a whole number"))?;
                e.in_equal_parts(x, axis, count, call).map(Some)
            }
            Some(size) => {
                let size = size.value.dim().ok_or_else(|| call.refuse("the size of a part is a whole number"))?;
                let whole = e.dims(x)[axis].clone();
                let lengths = repeated(&whole, &size).ok_or_else(|| {
                    call.refuse(&format!("how many parts of {size} there are in {whole} is not known"))
                })?;
                e.in_parts(x, axis, &lengths, call).map(Some)
            }
            None => Err(call.refuse("split needs the size of a part")),
        }
    }),
    (&["unbind"], |e, call| {
        let x = e.first(call)?;
        let axis = e.cut_axis(x, call, 1)?;
        let count = e.dims(x)[axis].as_size().filter(|count| *count <= MOST_PARTS);
        let count = count.ok_or_else(|| call.refuse("an array is taken apart only along an axis of known size"))?;
        (0..count).map(|at| e.entry(x, axis, Dim::size(at), call)).collect::<Result<_, _>>().map(Value::Tuple).map(Some)
    }),
    (&["hstack", "vstack", "row_stack"], |e, call| {
        let parts = e.list(call)?;
        let flat = parts.first().map_or(0, |part| e.program.shape(*part).rank()) < 2;
        if call.name == "hstack" || !flat {
            let axis = usize::from(call.name == "hstack" && !flat);
            return e.made("concatenate", &parts, vec![("axis", Attr::Axes(vec![axis]))], call).map(Some);
        }
        e.made("stack", &parts, vec![("axis", Attr::Axes(vec![0]))], call).map(Some)
    }),
    (&["narrow"], |e, call| {
        let x = e.first(call)?;
        let axis = axis_of(call.whole_needed(1, &["dim"])?, e.dims(x).len(), call)?;
        let size = |at: usize, name: &str| call.named(at, &[name]).and_then(|operand| operand.value.dim());
        match (size(2, "start"), size(3, "length")) {
            (Some(start), Some(length)) => e.slice(x, axis, start, length, 1, call).map(Some),
            _ => Err(call.refuse("narrow takes an axis, a start and a length")),
        }
    }),
    (&["select"], |e, call| {
        let x = e.first(call)?;
        let axis = axis_of(call.whole_needed(1, &["dim", "axis"])?, e.dims(x).len(), call)?;
        let at = call.named(2, &["index", "at"]).and_then(|operand| operand.value.dim());
        let at = at.ok_or_else(|| call.refuse("select takes an axis and a place"))?;
        e.entry(x, axis, at, call).map(Some)
    }),
    (&["fliplr", "flipud"], |e, call| {
        let x = e.first(call)?;
        let axis = usize::from(call.name == "fliplr");
        e.made("flip", &[x], vec![("axis", Attr::Axes(vec![axis]))], call).map(Some)
    }),
    (&["repeat_interleave"], |e, call| {
        let (x, times) = (e.first(call)?, call.whole_needed(1, &["repeats"])?);
        let axis = match call.named(2, &["dim", "axis"]) {
            Some(_) => axis_of(call.whole_needed(2, &["dim", "axis"])?, e.dims(x).len(), call)?,
            None => return Err(call.refuse("repeat_interleave needs an axis").help("name it: dim=0")),
        };
        e.repeated(x, axis, times, axis + 1, call).map(Some)
    }),
    (&["tile", "repeat"], |e, call| {
        let mut x = e.first(call)?;
        if call.name == "repeat" && matches!(call.framework, Some(Framework::NumPy | Framework::Jax)) {
            let times = call.whole_needed(1, &["repeats"])?;
            let axis = match e.dims(x).len() {
                1 => call.whole_or(2, &["axis"], 0)?,
                _ => call.whole_needed(2, &["axis"])?,
            };
            let axis = axis_of(axis, e.dims(x).len(), call)?;
            return e.repeated(x, axis, times, axis + 1, call).map(Some);
        }
        let times: Option<Vec<i64>> = call.rest(1).iter().map(Value::whole).collect();
        let times = times.ok_or_else(|| call.refuse("each axis is repeated a whole number of times"))?;
        while e.dims(x).len() < times.len() {
            x = e.one(x, call)?;
        }
        let lead = e.dims(x).len() - times.len();
        for (axis, times) in times.iter().enumerate() {
            if *times != 1 {
                let value = e.repeated(x, lead + axis, *times, lead + axis, call)?;
                x = e.node(&Operand { value, span: call.whole })?;
            }
        }
        Ok(Some(Value::Node(x)))
    }),
];

/// An array is taken apart into no more parts than this.
const MOST_PARTS: usize = 1_000;

/// The lengths between the places where NumPy cuts.
fn between(places: &[Dim], whole: &Dim) -> Vec<Dim> {
    let starts = std::iter::once(Dim::size(0)).chain(places.iter().cloned());
    let ends = places.iter().cloned().chain([whole.clone()]);
    starts.zip(ends).map(|(start, end)| end - start).collect()
}

/// Parts of one length, the last as long as what is left.
fn repeated(whole: &Dim, size: &Dim) -> Option<Vec<Dim>> {
    if let (Some(whole), Some(size)) = (whole.as_size(), size.as_size()) {
        let count = whole.checked_div(size)?;
        let left = whole - count * size;
        let parts = std::iter::repeat_n(Dim::size(size), count.min(MOST_PARTS));
        return Some(parts.chain((left > 0).then(|| Dim::size(left))).collect());
    }
    let count = whole.divided_by(size)?.as_size().filter(|count| *count <= MOST_PARTS)?;
    Some(vec![size.clone(); count])
}

impl Elaborator<'_> {
    /// The axis a call cuts along: the first unless it says another.
    pub fn cut_axis(&mut self, x: NodeId, call: &Call, at: usize) -> Result<usize, Diagnostic> {
        let axis = call.whole_or(at, &["dim", "axis"], 0)?;
        axis_of(axis, self.dims(x).len(), call)
    }

    /// The arrays of a list that is the first argument.
    pub fn list(&mut self, call: &Call) -> Result<Vec<NodeId>, Diagnostic> {
        let Some(Operand { value: Value::Tuple(items), span }) = call.named(0, &["tensors", "arrays", "tup"]) else {
            return Err(call.refuse("a list of arrays is joined").help("write brackets around them"));
        };
        items.iter().map(|item| self.node(&Operand { value: item.clone(), span: *span })).collect()
    }

    pub fn in_equal_parts(&mut self, x: NodeId, axis: usize, count: i64, call: &Call) -> Result<Value, Diagnostic> {
        let whole = self.dims(x)[axis].clone();
        let count = usize::try_from(count).ok().filter(|count| (1..=MOST_PARTS).contains(count));
        let count = count.ok_or_else(|| call.refuse("the number of parts is a whole number above 0"))?;
        let lengths = match (whole.divided_by(&Dim::size(count)), whole.as_size()) {
            (Some(length), _) => Some(vec![length; count]),
            // PyTorch's chunks are as long as the longest; the others are as equal as can be.
            (None, Some(size)) if call.name == "chunk" => repeated(&whole, &Dim::size(size.div_ceil(count))),
            (None, Some(size)) if call.name != "split" => {
                Some((0..count).map(|i| Dim::size(size / count + usize::from(i < size % count))).collect())
            }
            _ => None,
        };
        let lengths = lengths.ok_or_else(|| {
            let message = format!("{whole} is not known to be a multiple of {count}");
            Diagnostic::at(Kind::BadArgument, call.whole, message)
        })?;
        self.in_parts(x, axis, &lengths, call)
    }

    fn in_parts(&mut self, x: NodeId, axis: usize, lengths: &[Dim], call: &Call) -> Result<Value, Diagnostic> {
        let whole = self.dims(x)[axis].clone();
        let total = lengths.iter().cloned().fold(Dim::size(0), |total, length| total + length);
        if !self.program.unknowns.equal(&total, &whole) {
            return Err(call.refuse(&format!("the parts come to {total}, the axis has {whole}")));
        }
        let (mut start, mut parts) = (Dim::size(0), Vec::new());
        for length in lengths {
            parts.push(self.slice(x, axis, start.clone(), length.clone(), 1, call)?);
            start = start + length.clone();
        }
        Ok(Value::Tuple(parts))
    }

    /// `length` entries along an axis from `start` on, `step` apart.
    pub fn slice(
        &mut self,
        x: NodeId,
        axis: usize,
        start: Dim,
        length: Dim,
        step: i64,
        call: &Call,
    ) -> Result<Value, Diagnostic> {
        if self.dims(x)[axis] == length && start.as_size() == Some(0) && step == 1 {
            return Ok(Value::Node(x));
        }
        if length.as_size() == Some(0) {
            return Err(call.refuse("nothing is left of the array here"));
        }
        let attrs = vec![
            ("axis", Attr::Axes(vec![axis])),
            ("start", Attr::Dims(vec![start])),
            ("length", Attr::Dims(vec![length])),
            ("step", Attr::Whole(step)),
        ];
        self.made("slice", &[x], attrs, call)
    }

    /// The entry at one place of an axis.
    pub fn entry(&mut self, x: NodeId, axis: usize, at: Dim, call: &Call) -> Result<Value, Diagnostic> {
        match (axis, at.as_size().and_then(|at| i64::try_from(at).ok())) {
            (0, Some(at)) => self.made("index", &[x], vec![("at", Attr::Whole(at))], call),
            _ => {
                let attrs = vec![("axis", Attr::Axes(vec![axis])), ("at", Attr::Dims(vec![at]))];
                self.made("select", &[x], attrs, call)
            }
        }
    }

    /// An axis of size 1 before the others.
    fn one(&mut self, x: NodeId, call: &Call) -> Result<NodeId, Diagnostic> {
        let value = self.made("unsqueeze", &[x], vec![("axis", Attr::Axes(vec![0]))], call)?;
        self.node(&Operand { value, span: call.whole })
    }

    /// The array `times` over along an axis: an axis more at `at`, broadcast, merged.
    fn repeated(&mut self, x: NodeId, axis: usize, times: i64, at: usize, call: &Call) -> Result<Value, Diagnostic> {
        let Some(times) = usize::try_from(times).ok().filter(|times| *times > 0) else {
            return Err(call.refuse("an array is repeated a whole number of times"));
        };
        let mut dims = self.dims(x);
        let mut merged = dims.clone();
        merged[axis] = merged[axis].clone() * Dim::size(times);
        let value = self.made("unsqueeze", &[x], vec![("axis", Attr::Axes(vec![at]))], call)?;
        let node = self.node(&Operand { value, span: call.whole })?;
        dims.insert(at, Dim::size(times));
        let value = self.made("broadcast_to", &[node], vec![("dims", Attr::Dims(dims))], call)?;
        let node = self.node(&Operand { value, span: call.whole })?;
        self.reshape(node, merged, call)
    }
}
