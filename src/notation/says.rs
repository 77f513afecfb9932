//! What is said beside a formula: reasons, properties, shapes; names in them are formulas.

use super::Math;
use super::page::{Piece, Says};
use crate::derive::{Part, Reason, Word};
use crate::graph::Program;
use crate::reading::says as property_says;
use crate::shape::Shape;

/// The reasons of a line, one after the other.
pub(super) fn reasons(all: &[Reason], program: &Program, parts: &[Part]) -> Says {
    let piece = |word: Word| match word {
        Word::Plain(words) => Piece::Text(words),
        Word::Name(name) => Piece::Math(Math::Name(name)),
    };
    Says::joined(all.iter().map(|reason| Says(reason.words(program, parts).into_iter().map(piece).collect())))
}

/// A shape as a formula: batch × d_model.
pub(super) fn shape(of: &Shape) -> Says {
    let sizes: Vec<Math> = of.0.iter().cloned().map(Math::Size).collect();
    match sizes.len() {
        0 => of.to_string().into(),
        1 => Says(sizes.into_iter().map(Piece::Math).collect()),
        _ => Says(vec![Math::Infix("×", sizes).into()]),
    }
}

/// Words in which properties and settings of the program occur, these with the name
/// of what they are of.
pub(super) fn given(program: &Program, words: &str) -> Says {
    let properties = program.properties.iter().enumerate().map(|(i, (node, _))| (*node, property_says(program, i)));
    let settings = program.settings.iter().filter_map(|(node, number)| {
        let name = program.name(*node)?;
        Some((*node, format!("{name} = {number}")))
    });
    for (node, phrase) in properties.chain(settings) {
        let found = words.find(&phrase).zip(program.name(node));
        let Some((at, name)) = found.filter(|(_, name)| phrase.starts_with(&***name)) else { continue };
        let mut says = given(program, &words[..at]);
        says.0.push(Math::Name(name.clone()).into());
        says.0.extend(given(program, &words[at + name.len()..]).0);
        return says;
    }
    words.into()
}
