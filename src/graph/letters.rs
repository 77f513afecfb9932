//! What a name is by its first letter, and which names an expression leaves free.

use super::dialect::Dialect;
use crate::shape::Name;
use crate::source::ast::{Expr, ExprKind, IndexItem};
use std::collections::HashSet;

/// The rank a name has by its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Scalar = 0,
    Vector = 1,
    Matrix = 2,
}

/// Names of numbers in the literature; single Greek letters are too.
const SCALARS: &[&str] = &["alpha", "beta", "gamma", "lam", "mu", "sigma", "tau", "eps", "epsilon"];

/// Capitals are matrices, small letters vectors, Greek ones scalars.
pub(super) fn sort_of(name: &str) -> Sort {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    match stem.trim_start_matches('_').chars().next() {
        Some('α'..='ω') => Sort::Scalar,
        _ if SCALARS.contains(&stem) => Sort::Scalar,
        Some(first) if first.is_uppercase() => Sort::Matrix,
        _ => Sort::Vector,
    }
}

/// Names used as values, in order of appearance, each once, added to `found`.
pub(super) fn free_names(expr: &Expr, dialect: &Dialect, found: &mut Vec<Name>) {
    let mut seen: HashSet<Name> = found.iter().cloned().collect();
    walk(expr, &mut |name, place| {
        let free = match place {
            Place::Value => true,
            Place::Called => false,
            Place::Dotted => dialect.path(name).is_none(),
        };
        if free && seen.insert(name.clone()) {
            found.push(name.clone());
        }
    });
}

/// All names, wherever they stand.
pub(super) fn all_names(expr: &Expr, found: &mut Vec<Name>) {
    walk(expr, &mut |name, _| found.push(name.clone()));
}

/// How a name is used.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Value,
    Called,
    Dotted,
}

/// Visits every name. Depth is bounded by the parser.
pub(super) fn walk(expr: &Expr, visit: &mut dyn FnMut(&Name, Place)) {
    match &expr.kind {
        ExprKind::Name(name) => visit(name, Place::Value),
        ExprKind::Chain(first, links) => {
            walk(first, visit);
            links.iter().for_each(|(_, _, right)| walk(right, visit));
        }
        ExprKind::Unary(_, inner) | ExprKind::Starred(inner) => walk(inner, visit),
        ExprKind::Logic(_, _, parts) => parts.iter().for_each(|part| walk(part, visit)),
        ExprKind::If(_, test, first, second) => [test, first, second].iter().for_each(|part| walk(part, visit)),
        ExprKind::Each(_, item, _, iter) => [item, iter].iter().for_each(|part| walk(part, visit)),
        ExprKind::Call(function, arguments) => {
            match &function.kind {
                ExprKind::Name(name) => visit(name, Place::Called),
                _ => walk(function, visit),
            }
            arguments.iter().for_each(|argument| walk(&argument.value, visit));
        }
        ExprKind::Attribute(base, _, _) => match &base.kind {
            ExprKind::Name(name) => visit(name, Place::Dotted),
            _ => walk(base, visit),
        },
        ExprKind::Index(base, items) => {
            walk(base, visit);
            for item in items {
                match item {
                    IndexItem::At(at) => walk(at, visit),
                    IndexItem::Slice(a, b, c) => {
                        [a, b, c].into_iter().flatten().for_each(|part| walk(part, visit));
                    }
                }
            }
        }
        ExprKind::Tuple(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}
