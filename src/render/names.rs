//! Names as mathematics: `w1` is a w with a 1 below, `d_model` a d with a word below.

use super::typeset::{Face, Role, Set, upright};
use crate::notation::Page;

/// Letters of the Greek alphabet by name, as programs spell them.
const GREEK: [(&str, char); 24] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ϵ'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lam", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("phi", 'ϕ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Sigma", 'Σ'),
    ("Omega", 'Ω'),
];

/// The names of a page.
#[derive(Clone, Copy)]
pub(super) struct Names<'a>(pub &'a Page);

impl Names<'_> {
    /// A name in the face of what it stands for.
    pub fn set(self, name: &str) -> Set {
        match name.split_once('[') {
            Some((stem, rest)) => {
                let at = self.tokens(rest.trim_end_matches(']'));
                let stem = self.from(name, stem, self.faced(stem, self.face(name, stem)));
                Set::Row(vec![stem, Set::Fence("[", Box::new(at), "]")])
            }
            None => self.from(name, name, self.faced(name, self.face(name, name))),
        }
    }

    /// The name with the line of the source it comes from, on each of its parts:
    /// what stands beside a name asks for its form.
    fn from(self, name: &str, stem: &str, set: Set) -> Set {
        let lines = &self.0.lines;
        let Some(line) = lines.get(name).or_else(|| lines.get(stem)).copied() else { return set };
        let from = |set: Box<Set>| Box::new(Set::From(set, line));
        match set {
            Set::Sub(base, under) => Set::Sub(from(base), from(under)),
            other => Set::From(Box::new(other), line),
        }
    }

    /// A name of an array.
    pub fn array(self, name: &str) -> Set {
        self.faced(name, Face::Bold)
    }

    /// The name of a function: a letter, `J_f`, a word.
    pub fn function(self, name: &str) -> Set {
        match name.split('_').next() {
            Some(letter) if letter.chars().count() == 1 && letter.chars().all(char::is_uppercase) => self.array(name),
            _ if name.chars().count() == 1 => Set::Letters(name.to_string(), Face::Italic),
            _ => upright(name),
        }
    }

    fn face(self, name: &str, stem: &str) -> Face {
        let ranks = &self.0.ranks;
        let rank = ranks.get(name).or_else(|| ranks.get(stem)).copied();
        if rank.is_some_and(|rank| rank > 0) { Face::Bold } else { Face::Italic }
    }

    fn faced(self, name: &str, face: Face) -> Set {
        let mut parts = name.split('_');
        let first = parts.next().unwrap_or_default();
        let letters = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &first[letters.len()..];
        let below: Vec<&str> = (!digits.is_empty()).then_some(digits).into_iter().chain(parts).collect();
        if letters.is_empty() || below.contains(&"") || self.clashes(letters, digits) {
            return word(name, face);
        }
        match below.as_slice() {
            [] => word(letters, face),
            below => {
                let mut row = Vec::new();
                for part in below {
                    if !row.is_empty() {
                        row.push(Set::Sign(",", Role::Comma));
                    }
                    row.push(subscript(part));
                }
                let under = if row.len() == 1 { row.remove(0) } else { Set::Row(row) };
                Set::Sub(Box::new(word(letters, face)), Box::new(under))
            }
        }
    }

    /// x1 beside x_1 keeps its digit on the line: two names look different.
    fn clashes(self, letters: &str, digits: &str) -> bool {
        let apart = format!("{letters}_{digits}");
        let begins = format!("{apart}_");
        !digits.is_empty() && self.0.ranks.keys().any(|other| **other == *apart || other.starts_with(&begins))
    }

    /// A size or an index: names, numbers and signs.
    pub fn tokens(self, text: &str) -> Set {
        let (mut row, mut word) = (Vec::new(), String::new());
        for c in text.chars().chain([' ']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                row.push(self.token(&std::mem::take(&mut word)));
            }
            let role = if row.is_empty() { Role::Prefix } else { Role::Binary };
            match c {
                '+' => row.push(Set::Sign("+", role)),
                '-' | '−' => row.push(Set::Sign("−", role)),
                '*' | '×' => row.push(Set::Sign("×", role)),
                ',' => row.push(Set::Sign(",", Role::Comma)),
                ' ' if !matches!(row.last(), None | Some(Set::Sign(..))) => row.push(Set::Gap),
                _ => {}
            }
        }
        while matches!(row.last(), Some(Set::Gap)) {
            row.pop();
        }
        // A blank beside a sign is none of its own.
        let signs: Vec<bool> = row.iter().map(|set| matches!(set, Set::Sign(..))).collect();
        let mut at = 0;
        row.retain(|set| {
            at += 1;
            *set != Set::Gap || !signs.get(at).copied().unwrap_or(true)
        });
        if row.len() == 1 { row.remove(0) } else { Set::Row(row) }
    }

    fn token(self, word: &str) -> Set {
        match word.chars().next() {
            Some(c) if c.is_ascii_digit() => Set::Number(word.to_string()),
            _ => self.set(word),
        }
    }
}

/// A word, or the letter it names.
fn word(letters: &str, face: Face) -> Set {
    let greek = GREEK.iter().find(|(name, _)| *name == letters).map(|(_, letter)| letter.to_string());
    Set::Letters(greek.unwrap_or_else(|| letters.to_string()), face)
}

fn subscript(part: &str) -> Set {
    match part {
        digits if digits.chars().all(|c| c.is_ascii_digit()) => Set::Number(digits.to_string()),
        letter if letter.chars().count() == 1 => Set::Letters(letter.to_string(), Face::Italic),
        word => upright(word),
    }
}
