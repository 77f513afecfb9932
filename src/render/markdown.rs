//! Pages in Markdown.
//!
//! Displayed formulas stand between two dollar signs, which GitHub, mdBook and most
//! others know. Some read them as Markdown before they read them as formulas, so
//! there is no sign in them that Markdown knows (`latex::plain`). Formulas within
//! text are code spans with the formula as text: there is no sign for them that all
//! know.

use super::latex::{Frame, align, equations, fact_equations, plain};
use super::math::flat;
use super::numbers::rows;
use crate::notation::{Block, Branch, Entry, Fact, Math, Page, Piece};

/// A column of text on the usual pages, in tenths of a point at ten points.
const FRAME: Frame = Frame { name: "aligned", before_reason: r"\qquad ", strut: r" \vphantom{\Bigg\vert}", room: 4600 };
/// So many columns are numbers given.
const COLUMNS: usize = 90;

/// The page.
pub fn markdown(page: &Page) -> String {
    let mut parts = Vec::new();
    if !page.title.is_empty() {
        let origin = match page.origin.as_str() {
            origin if origin.is_empty() || origin == page.title => String::new(),
            origin => format!(" ({})", code(origin)),
        };
        parts.push(format!("**{}**{origin}", words(&page.title)));
    }
    for block in &page.blocks {
        match block {
            Block::Prose(pieces) => parts.push(prose(pieces)),
            Block::Listing(entries) => parts.push(listing(entries)),
            Block::Facts(facts) => {
                parts.extend(fact_equations(page, facts).map(|all| displayed(&align(&all, FRAME))));
                parts.extend(said(facts));
            }
            Block::Tree(branch) => parts.push(tree(branch)),
            Block::Numbers(what, array) => {
                let head = if *what == Math::Ellipsis { String::new() } else { format!("{} =\n\n", code(&flat(what))) };
                parts.push(format!("{head}```text\n{}\n```", rows(array, COLUMNS).join("\n")));
            }
            formulas => parts.extend(equations(page, formulas).map(|all| displayed(&align(&all, FRAME)))),
        }
    }
    parts.join("\n\n") + "\n"
}

fn displayed(tex: &str) -> String {
    format!("$$\n{}$$", plain(tex))
}

/// Text with every sign escaped that Markdown would read.
fn words(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            c if c.is_ascii_punctuation()
                && !matches!(c, ',' | '.' | ';' | ':' | '\'' | '(' | ')' | '/' | '=' | '?') =>
            {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}

/// Code between as many backticks as it takes.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    match text.contains('`') {
        true => format!("``` {} ```", text.trim()),
        false => format!("`{text}`"),
    }
}

/// Code in a table, where a bar would end the cell.
fn cell(text: &str) -> String {
    if text.is_empty() { String::new() } else { code(text).replace('|', "\\|") }
}

fn prose(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => words(text),
        Piece::Math(math) => code(&flat(math)),
    };
    pieces.iter().map(piece).collect()
}

fn listing(entries: &[Entry]) -> String {
    let mut lines = vec!["| name | definition | shape |".to_string(), "|---|---|---|".to_string()];
    let row = |entry: &Entry| {
        format!("| {} | {} | {} |", cell(&entry.name), cell(&entry.written), words(&entry.aside)).replace("|  |", "| |")
    };
    lines.extend(entries.iter().map(row));
    lines.join("\n")
}

/// What is said in words, as a list.
fn said(facts: &[(String, Fact)]) -> Option<String> {
    let line = |(label, fact): &(String, Fact)| match fact {
        Fact::Prose(pieces) if label.is_empty() => Some(format!("- {}", prose(pieces))),
        Fact::Prose(pieces) => Some(format!("- *{}*: {}", words(label), prose(pieces))),
        Fact::Equation(..) => None,
    };
    let lines: Vec<String> = facts.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A tree as lists within lists.
fn tree(root: &Branch) -> String {
    let (mut lines, mut stack) = (Vec::new(), vec![(root, 0)]);
    while let Some((branch, level)) = stack.pop() {
        let label = prose(std::slice::from_ref(&branch.label));
        let aside = if branch.aside.is_empty() { String::new() } else { format!(" ({})", words(&branch.aside)) };
        lines.push(format!("{}- {label}{aside}", "  ".repeat(level)));
        stack.extend(branch.children.iter().rev().map(|child| (child, level + 1)));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{cell, code, words};

    #[test]
    fn nothing_is_read_as_markdown() {
        assert_eq!(words("d_model × d_ff"), r"d\_model × d\_ff");
        assert_eq!(words("a * b | c < d"), r"a \* b \| c \< d");
        assert_eq!(code("a`b"), "``` a`b ```");
        assert_eq!(cell("a | b"), r"`a \| b`");
    }
}
