//! Names on the page that the program has taken: what stands in their place.

use super::Math;
use super::page::{Block, Branch, Fact, Page, Piece};
use crate::graph::Program;

/// What the identity is called on a page about `program`: I, unless that is a
/// name of the program.
pub(super) fn identity(program: &Program) -> &'static str {
    let named = || program.graph().node_indices().filter_map(|id| program.name(id));
    let free = |name: &&str| !named().any(|taken| **taken == **name);
    ["I", "Id", "Eye"].into_iter().find(free).unwrap_or("Identity")
}

/// The page with the identity called `name`.
pub(super) fn with_identity(mut page: Page, name: &str) -> Page {
    if name == "I" {
        return page;
    }
    for block in &mut page.blocks {
        each_formula(block, &mut |math| call(math, name));
    }
    page
}

/// Depth is that of the formula.
fn call(math: &mut Math, name: &str) {
    if *math == Math::Identity {
        *math = Math::name(name);
    }
    math.each(&mut |part| call(part, name));
}

/// Calls `visit` on every formula of a block.
pub(super) fn each_formula(block: &mut Block, visit: &mut dyn FnMut(&mut Math)) {
    match block {
        Block::Prose(pieces) => each_piece(pieces, visit),
        Block::Equations(equations) => equations.iter_mut().for_each(|(left, right)| {
            visit(left);
            visit(right);
        }),
        Block::Steps(steps) => steps.iter_mut().for_each(|(left, right, says)| {
            visit(left);
            visit(right);
            each_piece(&mut says.0, visit);
        }),
        Block::Lines(left, rows) => {
            visit(left);
            rows.iter_mut().for_each(|row| {
                visit(&mut row.math);
                each_piece(&mut row.why.0, visit);
                for found in &mut row.found {
                    [&mut found.left, &mut found.right].into_iter().for_each(&mut *visit);
                    [&mut found.why, &mut found.shape].into_iter().for_each(|says| each_piece(&mut says.0, visit));
                }
            });
        }
        Block::Facts(facts) => {
            for (_, fact) in facts {
                match fact {
                    Fact::Equation(left, right) => [left, right].into_iter().for_each(&mut *visit),
                    Fact::Prose(pieces) => each_piece(pieces, visit),
                }
            }
        }
        Block::Tree(branch) => each_label(branch, visit),
        Block::Numbers(what, _) => visit(what),
        Block::Listing(_) => {}
    }
}

fn each_piece(pieces: &mut [Piece], visit: &mut dyn FnMut(&mut Math)) {
    for piece in pieces {
        if let Piece::Math(math) = piece {
            visit(math);
        }
    }
}

/// Depth is that of the tree.
fn each_label(branch: &mut Branch, visit: &mut dyn FnMut(&mut Math)) {
    each_piece(std::slice::from_mut(&mut branch.label), visit);
    branch.children.iter_mut().for_each(|child| each_label(child, visit));
}
