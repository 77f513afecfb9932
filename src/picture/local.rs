//! The derivative of one operation by one of its arguments.

use crate::derive::rules;
use crate::graph::{Kind, NodeId, Program};
use crate::notation::{self, Math};
use crate::render::flat;

/// A derivative longer than this is not written at an edge.
const LONGEST: usize = 80;

/// The derivative of `node` by `arg`: I where the differential passes unchanged, a
/// matrix where there is a short one, else the differential, and where that is long
/// too, d(node)/d(arg). `None` where there is no rule.
pub(super) fn local(program: &mut Program, node: NodeId, arg: NodeId) -> Option<Math> {
    let differential = rules::local(program, node, &|other| other == arg).ok()?;
    if program.node(differential).kind == Kind::Hole(arg) {
        return Some(Math::Identity);
    }
    let matrix = notation::jacobian(program, differential, arg);
    let mut written = matrix.into_iter().chain([notation::of(program, differential)]);
    let short = written.find(|math| flat(math).chars().count() <= LONGEST);
    Some(short.unwrap_or_else(|| Math::derivative(notation::of(program, node), notation::of(program, arg))))
}
