//! What the records of a family share: shape rules, labels, the fields at rest.

use super::{Attrs, Axes, Contraction, Lower, Misfit, Notation, Op, Rule, Value};
use crate::diagnostic::Kind;
use crate::shape::{Dim, Shape, Unknowns};

/// A function applied entry by entry; each record states the rest.
pub const FUNCTION: Op = Op {
    name: "",
    spellings: &[],
    params: &[],
    shape: broadcast,
    value: Value::Lowered,
    rule: Rule::Zero,
    lower: Lower::Atom,
    definition: None,
    notation: Notation::Call(""),
    letter: "",
    axes: Axes::Elementwise,
    domain: &[(-2.0, 2.0)],
    kink: None,
    undefined: &[],
    steep: &[],
    conditioned: false,
    title: "",
    sentence: "",
};

/// A contraction: linear in each argument; each record states its labels and the rest.
pub const LINEAR: Op = Op { axes: Axes::Labels, ..FUNCTION };

/// The common shape of all arguments, broadcast.
pub fn broadcast(unknowns: &mut Unknowns, args: &[&Shape], _: &Attrs) -> Result<Shape, Misfit> {
    let mut common = Shape::scalar();
    for (i, shape) in args.iter().enumerate() {
        common = match unknowns.broadcast(&common, shape) {
            Some(common) => common,
            None => return Err(no_broadcast(unknowns, args, i)),
        };
    }
    Ok(common)
}

/// Argument `i` does not broadcast with those before it.
fn no_broadcast(unknowns: &Unknowns, args: &[&Shape], i: usize) -> Misfit {
    let j = i.saturating_sub(1);
    let (a, b) = (unknowns.resolve_shape(args[j]), unknowns.resolve_shape(args[i]));
    let message = format!("{{{j}}} is {} and {{{i}}} is {}: they do not broadcast", a.as_tuple(), b.as_tuple());
    let misfit = Misfit::new(Kind::ShapeMismatch, message);
    if a.rank() == 2 && b.rank() == 2 && a.0[0] == b.0[1] && a.0[1] == b.0[0] {
        return misfit.help(format!("did you mean {{{i}}}.T?"));
    }
    let clash = a.0.iter().rev().zip(b.0.iter().rev()).find(|(a, b)| a != b && !a.is_one() && !b.is_one());
    match clash {
        Some((a, b)) if a.as_size().is_none() && b.as_size().is_none() => {
            misfit.help(format!("{a} and {b} are different dimensions, even where their sizes agree"))
        }
        _ => misfit,
    }
}

/// Labels of elementwise use: last axes aligned; an axis of size 1 that is
/// broadcast has a label of its own, summed over that one entry.
pub fn aligned(args: &[&Shape], _: &Attrs) -> Contraction {
    let rank = args.iter().map(|shape| shape.rank()).max().unwrap_or(0);
    let out: Vec<u8> = (0..rank as u8).collect();
    let mut extra = rank as u8;
    let full = |axis: usize| args.iter().filter_map(|s| s.from_last(axis)).find(|d| !d.is_one());
    let args = args
        .iter()
        .map(|shape| {
            let labels = (0..shape.rank()).rev().map(|axis| {
                let stretched = shape.from_last(axis).is_some_and(Dim::is_one) && full(axis).is_some();
                if stretched {
                    extra += 1;
                    extra - 1
                } else {
                    (rank - 1 - axis) as u8
                }
            });
            labels.collect()
        })
        .collect();
    Contraction { args, out, divide: Vec::new() }
}

/// The one axis that the attribute `axis` names; the first where it names none.
pub fn one_axis(attrs: &Attrs) -> usize {
    attrs.axes().first().copied().unwrap_or(0)
}

/// The shape without the axes reduced; they stay as 1 with `keepdims`.
pub fn reduced(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    let keep = attrs.flag("keepdims");
    let full = broadcast(unknowns, args, attrs)?;
    let kept = full.0.into_iter().enumerate().filter_map(|(axis, dim)| match attrs.axes().contains(&axis) {
        true => keep.then(|| Dim::size(1)),
        false => Some(dim),
    });
    Ok(Shape(kept.collect()))
}

/// The shape of argument 0, which has a last axis, broadcast with the others; `name` is the operation.
pub fn lanes(unknowns: &mut Unknowns, args: &[&Shape], name: &str) -> Result<Shape, Misfit> {
    let shape = unknowns.resolve_shape(args[0]);
    if shape.rank() == 0 {
        return Err(Misfit::new(Kind::WrongRank, format!("{name} works along an axis, {{0}} is a scalar")));
    }
    match args.iter().skip(1).find(|other| other.rank() > 0) {
        Some(_) => Err(Misfit::new(Kind::WrongRank, format!("the second argument of {name} is a number"))),
        None => Ok(shape),
    }
}

/// The shape of a square matrix, or why argument 0 is none; `name` is the operation.
pub fn square(unknowns: &mut Unknowns, args: &[&Shape], name: &str) -> Result<Shape, Misfit> {
    let shape = unknowns.resolve_shape(args[0]);
    let kind = match shape.rank() {
        2 if unknowns.equal(&shape.0[0], &shape.0[1]) => return Ok(unknowns.resolve_shape(&shape)),
        2 => {
            let message = format!("{name} needs a square matrix, {{0}} is {}", shape.as_tuple());
            return Err(Misfit::new(Kind::NotSquare, message));
        }
        0 => "a scalar".to_string(),
        1 => "a vector".to_string(),
        _ => shape.as_tuple(),
    };
    Err(Misfit::new(Kind::WrongRank, format!("{name} needs a matrix, {{0}} is {kind}")))
}
