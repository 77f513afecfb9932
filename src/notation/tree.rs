//! The derivative as the expression tree it is.

use super::Math;
use super::map::Maps;
use super::names::{identity, with_identity};
use super::page::{Block, Branch, Page, Piece};
use super::ranks::ranks;
use super::sheet::title;
use crate::derive::{Derivation, Map, View};
use crate::reading::Answers;
use crate::shape::Dim;
use crate::witness::Checked;

/// The page of the tree alone.
pub fn tree_page(found: &Checked<(Derivation, Answers)>, origin: &str) -> Page {
    let derivation = &found.value().0;
    let maps = Maps::new(derivation);
    let left = maps.left(derivation.out, derivation.wrt, View::Jacobian);
    let root = Branch {
        label: Piece::Math(left),
        aside: String::new(),
        children: vec![branch(derivation, &maps, &derivation.result)],
    };
    let mut blocks = vec![Block::Tree(root)];
    for (i, part) in derivation.parts.iter().enumerate().filter(|(_, part)| part.like.is_none()) {
        let like: Vec<&str> =
            derivation.parts.iter().filter(|other| other.like == Some(i)).map(|other| &*other.name).collect();
        let aside = match like.as_slice() {
            [] => String::new(),
            [one] => format!("{one} has the same form"),
            [first, .., last] => format!("{first} … {last} have the same form"),
        };
        let label = Piece::Math(Math::Name(part.name.clone()));
        blocks.push(Block::Tree(Branch { label, aside, children: vec![branch(derivation, &maps, &part.map)] }));
    }
    for (i, turn) in derivation.loops.iter().enumerate() {
        for (name, block, map) in maps.turn_blocks(i, turn) {
            let inner = Maps::new(&block.turn);
            let children = vec![branch(&block.turn, &inner, &map)];
            blocks.push(Block::Tree(Branch { label: Piece::Math(name), aside: String::new(), children }));
        }
    }
    let (title, ranks) = (title(derivation.read()), ranks(found.value()));
    let page = Page { title, origin: origin.to_string(), blocks, ranks, ..Page::default() };
    with_identity(page, identity(&derivation.program))
}

/// A map without the identity beside it.
pub(super) fn beside(map: &Map) -> Map {
    match map {
        Map::Sum(terms) if terms.contains(&Map::Identity) => {
            let mut rest = terms.clone();
            if let Some(i) = rest.iter().position(|term| *term == Map::Identity) {
                rest.remove(i);
            }
            Map::sum(rest)
        }
        other => other.clone(),
    }
}

/// Depth is that of the map: paragraphs keep it short.
fn branch(derivation: &Derivation, maps: &Maps, map: &Map) -> Branch {
    let leaf = |label: Piece| Branch { label, aside: String::new(), children: Vec::new() };
    let parent = |label: &str, parts: &[Map]| Branch {
        label: label.into(),
        aside: String::new(),
        children: parts.iter().map(|part| branch(derivation, maps, part)).collect(),
    };
    match map {
        Map::Identity => leaf("Identity".into()),
        Map::Zero => leaf("Zero".into()),
        Map::Sum(terms) => parent("Sum", terms),
        Map::Compose(all) => parent("Compose", all),
        Map::Factor(factor) => leaf(Piece::Math(maps.open_factor(*factor))),
        Map::Product(i) => match derivation.loops.get(*i) {
            None => leaf("Product".into()),
            Some(of) => {
                let turn = leaf(Piece::Math(maps.turn_name(*i, &of.index)));
                let body = match of.alone().is_some_and(|turn| turn.result.has_bare_identity()) {
                    false => turn,
                    true => Branch {
                        label: "Sum".into(),
                        aside: String::new(),
                        children: vec![leaf("Identity".into()), turn],
                    },
                };
                let last = of.count.clone() - Dim::size(1);
                let label = format!("Product over {} = {last} … 0, the last leftmost", of.index).replace('-', "−");
                let aside = match of.alone() {
                    Some(_) => String::new(),
                    None => {
                        let place: Vec<String> = of.place().iter().map(|name| name.to_string()).collect();
                        format!("its block [{}]", place.join(", "))
                    }
                };
                Branch { label: label.into(), aside, children: vec![body] }
            }
        },
        other => leaf(Piece::Math(maps.plain(other, derivation.wrt, View::Jacobian))),
    }
}
