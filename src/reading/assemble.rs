//! From a derivation to its readings.

use super::{
    Answers, Excluded, Reading, backward, derivative, identity_path, matrix_of, parts, pullback_of, simplified, size,
};
use crate::derive::{self, Derivation, Map, View};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Attr, Notation};
use crate::shape::{Name, Shape};
use std::collections::HashSet;

/// A pullback of more nodes than this is given as a backward pass.
const ONE_LINE: usize = 40;
/// A product of more named parts than this is given as the product alone, without
/// one matrix for it and without its backward pass (`--wrt all` gives that).
const ONE_MATRIX: usize = 64;

/// The readings of a finished derivation. Matrices of named parts and of factors
/// are added to the derivation's program.
///
/// # Errors
/// What cannot be derived, with its place.
pub fn answers(derivation: &mut Derivation) -> Result<Answers, Diagnostic> {
    let (out, wrt) = derivation.whole.as_ref().map_or((derivation.out, derivation.wrt), |w| (w.out, w.wrt));
    let jacobian = match derivation.view {
        View::Jacobian => jacobian(derivation),
        View::Differential => None,
    };
    let mut collected = Vec::new();
    let mut notes = Notes::default();
    let mut jacobian_domain = Vec::new();
    if let (Some(matrix), true) = (jacobian, derivation.parts.is_empty())
        && let Some(reading) = shorter_jacobian(derivation, matrix)
    {
        collected = lines(&reading);
        notes.use_of(&reading);
        jacobian_domain = reading.domain;
    }
    let one_line = derivation.parts.is_empty() && derivation.loops.is_empty();
    let mut map = derivation.result.clone();
    let mut program = match &derivation.whole {
        // The batch has the same derivation; its names and differentials are those of whole matrices.
        Some(whole) => {
            let batch = derive::without_rows(&whole.program, out, wrt)?;
            map = batch.result;
            batch.program
        }
        None => derivation.program.clone(),
    };
    let (mut differential, mut gradient, mut pullback, mut pass) = (None, None, None, Vec::new());
    let mut structured = None;
    if one_line {
        let dx = program.hole(wrt);
        differential = derive::applied(&mut program, &[], &map, dx)?;
        let cotangent = program.cotangent(out);
        pullback = differential.and_then(|node| pullback_of(&mut program, node, wrt, cotangent));
        differential = differential.map(|node| shortest(&mut program, node, &mut notes));
        pullback = pullback.map(|node| shortest(&mut program, node, &mut notes));
        pullback = pullback.filter(|node| size(&program, *node) <= ONE_LINE);
    }
    let short = derivation.parts.len() <= ONE_MATRIX;
    if program.shape(out).rank() == 0
        && derivation.loops.is_empty()
        && short
        && let Some(reading) = derivative(&mut program, out, wrt, 1).ok().filter(|reading| reading.matrix)
        // Where the differential has named parts a long gradient is given as a backward pass.
        && (one_line || parts(&program, &[reading.node]).size <= ONE_LINE)
    {
        notes.of(&reading);
        structured = super::structured(&mut program, out, wrt, reading.node);
        if jacobian.is_none() {
            let raw = reading.steps.first().map(|(_, before, _)| (Name::from("collect"), *before));
            collected = raw.into_iter().chain(lines(&reading)).collect();
        }
        gradient = Some(reading);
    }
    if short && pullback.is_none() && derivation.result != Map::Zero {
        pass = backward(&mut program, out, &[wrt]).unwrap_or_default();
    }
    let identity = identity_path(derivation);
    let conventions = conventions(derivation);
    Ok(Answers {
        program,
        out,
        wrt,
        jacobian,
        gradient: gradient.as_ref().map(|reading| reading.node),
        gradient_uses: gradient.map(|reading| reading.used).unwrap_or_default(),
        structured,
        stacked: None,
        differential,
        pullback,
        backward: pass,
        collected,
        domain: notes.domain,
        jacobian_domain,
        used: notes.used,
        identity,
        conventions,
    })
}

/// What readings have in common: the points they leave out, the properties they use.
#[derive(Default)]
struct Notes {
    domain: Vec<Excluded>,
    used: Vec<usize>,
}

impl Notes {
    fn of(&mut self, reading: &Reading) {
        self.use_of(reading);
        for one in &reading.domain {
            if !self.domain.contains(one) {
                self.domain.push(*one);
            }
        }
    }

    fn use_of(&mut self, reading: &Reading) {
        self.used.extend(&reading.used);
        self.used.sort_unstable();
        self.used.dedup();
    }
}

fn shortest(program: &mut Program, node: NodeId, notes: &mut Notes) -> NodeId {
    let short = simplified(program, node);
    if size(program, short.node) < size(program, node) {
        notes.of(&short);
        return short.node;
    }
    node
}

/// The whole derivative as one matrix.
fn jacobian(derivation: &mut Derivation) -> Option<NodeId> {
    if !derivation.loops.is_empty() || derivation.parts.len() > ONE_MATRIX {
        return None;
    }
    let program = &mut derivation.program;
    // A part mentions only parts that were named after it.
    let mut named = vec![None; derivation.parts.len()];
    for (index, part) in derivation.parts.iter().enumerate().rev() {
        let node = matrix(program, &named, &part.map, part.node, part.base)?;
        named[index] = Some(Matrix { node, out: program.shape(part.node).rank(), by: program.shape(part.base).rank() });
    }
    matrix(program, &named, &derivation.result.clone(), derivation.out, derivation.wrt)
}

/// A Jacobian matrix with the ranks of what it maps to and from.
#[derive(Clone, Copy)]
struct Matrix {
    node: NodeId,
    out: usize,
    by: usize,
}

fn matrix(program: &mut Program, named: &[Option<Matrix>], map: &Map, node: NodeId, base: NodeId) -> Option<NodeId> {
    let (out, by) = (program.shape(node).clone(), program.shape(base).clone());
    as_matrix(program, named, map, &out, &by).map(|m| m.node)
}

/// The matrix of a map from the shape `by` to the shape `out`.
fn as_matrix(program: &mut Program, named: &[Option<Matrix>], map: &Map, out: &Shape, by: &Shape) -> Option<Matrix> {
    let ranks = |node| Matrix { node, out: out.rank(), by: by.rank() };
    match map {
        Map::Identity => identity(program, by).map(ranks),
        Map::Zero => {
            let dims: Vec<_> = out.0.iter().chain(&by.0).cloned().collect();
            program.call_with("zeros", &[], &[("dims", Attr::Dims(dims))]).ok().map(ranks)
        }
        Map::Sum(terms) => {
            let mut sum: Option<NodeId> = None;
            for term in terms {
                let next = as_matrix(program, named, term, out, by)?.node;
                sum = Some(match sum {
                    None => next,
                    Some(before) => program.call("add", &[before, next]).ok()?,
                });
            }
            sum.map(ranks)
        }
        Map::Compose(factors) => {
            let mut product: Option<Matrix> = None;
            for factor in factors {
                // Inside a product the shapes are the factor's own.
                let next = match factor {
                    Map::Factor(f) => factor_matrix(program, f.node, f.of)?,
                    Map::Named(part) => (*named.get(*part)?)?,
                    Map::Sum(terms) => {
                        let side = terms.iter().find_map(|t| inner_shapes(program, named, t))?;
                        as_matrix(program, named, factor, &side.0, &side.1)?
                    }
                    _ => return None,
                };
                product = Some(match product {
                    None => next,
                    Some(left) => times(program, left, next)?,
                });
            }
            product
        }
        Map::Factor(f) => factor_matrix(program, f.node, f.of),
        Map::Named(part) => named.get(*part).copied().flatten(),
        Map::Pending { .. } | Map::Product(_) | Map::Turns(_) => None,
    }
}

/// The shapes a term of a sum maps to and from, where it says.
fn inner_shapes(program: &Program, named: &[Option<Matrix>], map: &Map) -> Option<(Shape, Shape)> {
    match map {
        Map::Factor(f) => Some((program.shape(f.node).clone(), program.shape(f.of).clone())),
        Map::Compose(factors) => {
            let first = inner_shapes(program, named, factors.first()?)?;
            let last = inner_shapes(program, named, factors.last()?)?;
            Some((first.0, last.1))
        }
        Map::Sum(terms) => terms.iter().find_map(|t| inner_shapes(program, named, t)),
        Map::Named(part) => {
            let m = named.get(*part)?.as_ref()?;
            let shape = program.shape(m.node);
            Some((Shape(shape.0[..m.out].to_vec()), Shape(shape.0[m.out..].to_vec())))
        }
        _ => None,
    }
}

fn factor_matrix(program: &mut Program, node: NodeId, of: NodeId) -> Option<Matrix> {
    let (out, by) = (program.shape(node).rank(), program.shape(of).rank());
    matrix_of(program, node, of).map(|node| Matrix { node, out, by })
}

fn identity(program: &mut Program, by: &Shape) -> Option<NodeId> {
    match by.0.as_slice() {
        [] => Some(program.number(crate::ops::Number::ONE)),
        [n] => program.call_with("eye", &[], &[("dims", Attr::Dims(vec![n.clone()]))]).ok(),
        _ => None,
    }
}

/// The product of two Jacobian matrices. Over a scalar in the middle it is an
/// outer product, or a product with a number.
fn times(program: &mut Program, left: Matrix, right: Matrix) -> Option<Matrix> {
    let op = match (left.out, left.by, right.by) {
        (_, 1, _) => "matmul",
        (1, 0, 1) => "outer",
        _ => "mul",
    };
    let node = program.call(op, &[left.node, right.node]).ok()?;
    Some(Matrix { node, out: left.out, by: right.by })
}

/// The closed form, where it is much shorter than what the rules gave: by a
/// quarter. A product is not rewritten to save a transpose, and not turned round as
/// a whole: w2ᵀ D w1ᵀ (I − A) reads from the left as the chain rule goes.
fn shorter_jacobian(derivation: &mut Derivation, matrix: NodeId) -> Option<Reading> {
    // The identity of a skip stays a term of the sum.
    if matches!(&derivation.result, Map::Sum(terms) if terms.contains(&Map::Identity)) {
        return None;
    }
    let program = &mut derivation.program;
    let reading = derivative(program, derivation.out, derivation.wrt, 1).ok()?;
    let shorter = reading.matrix && 4 * size(program, reading.node) <= 3 * size(program, matrix);
    (shorter && !turns_products(program, reading.node)).then_some(reading)
}

/// Does a transpose of a product without a name occur in the expression?
fn turns_products(program: &Program, node: NodeId) -> bool {
    let unnamed = |id: NodeId, is: fn(Notation) -> bool| {
        program.name(id).is_none() && program.op(id).is_some_and(|(op, _)| is(op.notation))
    };
    let (mut open, mut seen) = (vec![node], HashSet::from([node]));
    while let Some(id) = open.pop() {
        let args = &program.node(id).args;
        let product = |arg: &NodeId| unnamed(*arg, |notation| notation == Notation::Product);
        if unnamed(id, Notation::is_transpose) && args.iter().any(product) {
            return true;
        }
        open.extend(args.iter().filter(|arg| program.name(**arg).is_none() && seen.insert(**arg)));
    }
    false
}

/// What was done, and the expression after it.
fn lines(reading: &Reading) -> Vec<(Name, NodeId)> {
    let mut lines: Vec<(Name, NodeId)> = reading.steps.iter().map(|(name, _, after)| (name.clone(), *after)).collect();
    if lines.last().is_none_or(|(_, node)| *node != reading.node) {
        lines.push((Name::from("collect"), reading.node));
    }
    lines
}

/// The conventions of the operations with a kink that the derivation passed.
fn conventions(derivation: &Derivation) -> Vec<&'static str> {
    let turns = derivation.loops.iter().flat_map(|passed| passed.blocks());
    let mut found: Vec<&'static str> = turns.flat_map(|block| conventions_of(&block.turn)).collect();
    found.extend(conventions_of(derivation));
    let mut distinct = Vec::new();
    for says in found {
        if !distinct.contains(&says) {
            distinct.push(says);
        }
    }
    distinct
}

fn conventions_of(derivation: &Derivation) -> Vec<&'static str> {
    let program = &derivation.program;
    let moves = derive::moving(program, derivation.out, derivation.wrt);
    let passed = (0..=derivation.out.index()).filter(|i| moves[*i]).map(NodeId::new);
    let kinks = passed.filter_map(|id| match &program.node(id).kind {
        Kind::Apply(op, _) => op.kink.as_ref().map(|kink| kink.says),
        _ => None,
    });
    kinks.collect()
}
