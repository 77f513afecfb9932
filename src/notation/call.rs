//! Functions by name with their arguments.

use super::Math;
use super::of::Scribe;
use crate::graph::NodeId;
use crate::ops::{Attr, Attrs, Number, OpRef, ParamKind, Preset};
use crate::shape::Name;

impl Scribe<'_> {
    /// A function by name, attributes where they are not at rest. Did rules and readings
    /// make it (`made`), or is it quoted?
    pub(super) fn call(
        &self,
        (op, attrs): (OpRef, &Attrs),
        name: &str,
        args: &[NodeId],
        made: bool,
        depth: usize,
    ) -> Math {
        let mut written: Vec<Math> = args.iter().map(|arg| self.at(*arg, depth)).collect();
        let rank = args.first().map_or(0, |arg| self.rank(*arg));
        let arrays = op.params.iter().filter(|p| p.is_array());
        let at_rest = |(param, arg): (&crate::ops::Param, &NodeId)| match param.kind {
            ParamKind::ArrayOr(default) => Number::parse(default) == self.program().number_of(*arg),
            _ => false,
        };
        while written.len() > 1 && arrays.clone().zip(args).nth(written.len() - 1).is_some_and(at_rest) {
            written.pop();
        }
        // A column is one whether its axis of one is kept or not; what is quoted says it.
        let column = made && rank == 2 && attrs.axes() == [1];
        let left_out = |param: &&crate::ops::Param| param.is_array() || column && param.name == "keepdims";
        for param in op.params.iter().filter(|param| !left_out(param)) {
            // Sizes are arguments like others: K(m, n).
            if let (Some(Attr::Dims(dims)), ParamKind::Dims) = (attrs.get(param.name), param.kind) {
                written.extend(dims.iter().cloned().map(Math::Size));
                continue;
            }
            let value = attrs.get(param.name).and_then(|attr| keyword(attr, param.kind, rank));
            written.extend(value.map(|value| Math::Keyword(Name::from(param.name), Box::new(value))));
        }
        Math::call(name, written)
    }
}

/// The attribute as it is written; `None` where it is at rest.
fn keyword(attr: &Attr, kind: ParamKind, rank: usize) -> Option<Math> {
    let axis = |axis: &usize| Math::whole(i64::try_from(*axis).unwrap_or(i64::MAX));
    match (attr, kind) {
        (Attr::Axes(axes), ParamKind::Axis(Some(Preset::AllAxes))) if axes.len() == rank => None,
        // A vector has one axis.
        (Attr::Axes(axes), ParamKind::Axis(_)) if rank == 1 && axes.len() == 1 => None,
        (Attr::Axes(axes), _) => match axes.as_slice() {
            [one] => Some(axis(one)),
            several => Some(Math::call("", several.iter().map(axis).collect())),
        },
        (Attr::Flag(flag), ParamKind::Flag(rest)) if *flag == rest => None,
        (Attr::Flag(flag), _) => Some(Math::name(if *flag { "True" } else { "False" })),
        (Attr::Whole(n), ParamKind::Whole(Some(rest))) if *n == rest => None,
        (Attr::Whole(n), _) => Some(Math::whole(*n)),
        (Attr::Text(text), ParamKind::Text(rest)) if **text == *rest => None,
        (Attr::Text(text), _) => Some(Math::Name(text.clone())),
        (Attr::Dims(dims), _) if dims.is_empty() => None,
        (Attr::Dims(dims), ParamKind::Dim(_)) => dims.first().cloned().map(Math::Size),
        (Attr::Dims(dims), _) => Some(Math::call("", dims.iter().cloned().map(Math::Size).collect())),
    }
}
