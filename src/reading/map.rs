//! Readings of one factor of a derivation: a node linear in one hole.

use super::reader::Reader;
use crate::form::Forms;
use crate::graph::{NodeId, Program};

/// The Jacobian matrix of `map`, a node linear in the hole of `hole_of`, in
/// numerator layout: a row is given as its vector, a derivative by a scalar has
/// the shape of the value. `None` where there is no matrix, or no notation for it.
pub fn matrix_of(program: &mut Program, map: NodeId, hole_of: NodeId) -> Option<NodeId> {
    let mut forms = Forms::with_names_as_atoms();
    let linear = forms.form_of(program, map).ok()?;
    let extra = forms.form_of(program, hole_of).ok()?;
    let extra = forms.form(extra).shape.clone();
    if forms.form(linear).shape.len() + extra.len() > 2 {
        return None;
    }
    let identity = forms.identity(&extra).ok()?;
    let parts = forms.filled(linear, &extra, &|of| (of == hole_of).then_some(identity)).ok()?;
    let mut shape = forms.form(linear).shape.clone();
    shape.extend(extra);
    let terms = parts.iter().flat_map(|p| forms.form(*p).terms.clone()).collect();
    let matrix = forms.intern_form(shape, terms).ok()?;
    let mut reader = Reader::new();
    let tree = reader.form(&mut forms, matrix, true)?;
    let tree = reader.trees.chained(tree)?;
    reader.trees.to_node(program, tree)
}

/// The adjoint of `map`, a node linear in the hole of `hole_of`, applied to
/// `cotangent`, a node of the shape of `map`: a node of the shape of `hole_of`.
/// `None` where there is no notation for it.
pub fn pullback_of(program: &mut Program, map: NodeId, hole_of: NodeId, cotangent: NodeId) -> Option<NodeId> {
    let mut forms = Forms::with_names_as_atoms();
    let linear = forms.form_of(program, map).ok()?;
    let cotangent = forms.form_of(program, cotangent).ok()?;
    let shape = forms.form_of(program, hole_of).ok()?;
    let shape = forms.form(shape).shape.clone();
    let parts = forms.adjoint(linear, cotangent).ok()?;
    let parts = parts.into_iter().filter(|(of, _)| *of == hole_of);
    let terms = parts.flat_map(|(_, p)| forms.form(p).terms.clone()).collect();
    let pulled = forms.intern_form(shape, terms).ok()?;
    let mut reader = Reader::new();
    let tree = reader.form(&mut forms, pulled, true)?;
    let tree = reader.trees.chained(tree)?;
    reader.trees.to_node(program, tree)
}
