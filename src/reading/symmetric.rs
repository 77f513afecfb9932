//! Derivatives of a scalar by a matrix that is assumed symmetric or diagonal.
//!
//! The gradient G takes the entries as independent. Where S stays symmetric, the
//! same differential is ⟨(G + Gᵀ)/2, dS⟩; where Sᵢⱼ and Sⱼᵢ are one variable, the
//! derivative by it is that along Eᵢⱼ + Eⱼᵢ, or along Eᵢᵢ on the diagonal:
//! G + Gᵀ − G ∘ I. The symmetry itself is used after all that.

use super::closed::derived;
use super::{Reading, size};
use crate::form::{FormId, Forms, Refusal};
use crate::graph::{NodeId, Program, Property};
use crate::ops::{Attr, Number};

/// What is a derivative of a scalar by a structured matrix besides the gradient G
/// with independent entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structured {
    /// By a symmetric matrix.
    Symmetric {
        /// The symmetric gradient (G + Gᵀ)/2.
        gradient: NodeId,
        /// The derivative with tied entries, G + Gᵀ − G ∘ I.
        tied: NodeId,
    },
    /// By a diagonal matrix: the derivative by its diagonal, G ∘ I.
    Diagonal(NodeId),
}

/// The derivatives of the scalar `out` by `wrt`, where properties make its entries
/// depend on each other; `gradient` is that with independent entries.
pub fn structured(program: &mut Program, out: NodeId, wrt: NodeId, gradient: NodeId) -> Option<Structured> {
    let is = |property: &Property| program.properties.iter().any(|(node, p)| *node == wrt && p == property);
    let symmetric = is(&Property::Symmetric) || is(&Property::PositiveDefinite);
    if program.shape(out).rank() > 0 || program.shape(wrt).rank() != 2 {
        return None;
    }
    if is(&Property::Diagonal) {
        let diagonal = matrix(program, out, wrt, &on_diagonal)?;
        return Some(Structured::Diagonal(diagonal));
    }
    if !symmetric {
        return None;
    }
    let half = matrix(program, out, wrt, &|forms, g| {
        let turned = forms.transposed(g)?;
        let sum = combined(forms, &[(g, 1), (turned, 1)])?;
        forms.scaled(sum, Number::ratio(1, 2).ok_or(Refusal::Overflow)?)
    })?;
    let tied = matrix(program, out, wrt, &|forms, g| {
        let (turned, diagonal) = (forms.transposed(g)?, on_diagonal(forms, g)?);
        combined(forms, &[(g, 1), (turned, 1), (diagonal, -1)])
    })?;
    let written = as_written(program, out, wrt, gradient)?;
    // A node more is no price for the spelling that says what it is.
    let tied = if size(program, written) <= size(program, tied) + 1 { written } else { tied };
    Some(Structured::Symmetric { gradient: half, tied })
}

/// G + Gᵀ, simplified, and from it G ∘ I.
fn as_written(program: &mut Program, out: NodeId, wrt: NodeId, gradient: NodeId) -> Option<NodeId> {
    let twice = matrix(program, out, wrt, &|forms, g| {
        let turned = forms.transposed(g)?;
        combined(forms, &[(g, 1), (turned, 1)])
    })?;
    let n = program.shape(wrt).0.first()?.clone();
    let identity = program.call_with("eye", &[], &[("dims", Attr::Dims(vec![n]))]).ok()?;
    // A matrix has the diagonal of its transpose.
    let transpose = program.op(gradient).is_some_and(|(op, _)| op.notation.is_transpose());
    let plain = program.node(gradient).args.first().copied().filter(|_| transpose).unwrap_or(gradient);
    let diagonal = program.call("mul", &[plain, identity]).ok()?;
    program.call("sub", &[twice, diagonal]).ok()
}

fn matrix(
    program: &mut Program,
    out: NodeId,
    wrt: NodeId,
    then: &dyn Fn(&mut Forms, FormId) -> Result<FormId, Refusal>,
) -> Option<NodeId> {
    let reading: Reading = derived(program, out, wrt, 1, then).ok()?;
    reading.matrix.then_some(reading.node)
}

/// G ∘ I.
fn on_diagonal(forms: &mut Forms, g: FormId) -> Result<FormId, Refusal> {
    let shape = forms.form(g).shape.clone();
    forms.product(&[(g, vec![0, 0])], &[0, 0], shape, &[])
}

fn combined(forms: &mut Forms, parts: &[(FormId, i64)]) -> Result<FormId, Refusal> {
    let shape = parts.first().map(|(form, _)| forms.form(*form).shape.clone()).unwrap_or_default();
    let mut terms = Vec::new();
    for (form, sign) in parts {
        let scaled = forms.scaled(*form, Number::whole(*sign))?;
        terms.extend(forms.form(scaled).terms.clone());
    }
    forms.intern_form(shape, terms)
}
