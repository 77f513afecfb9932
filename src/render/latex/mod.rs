//! Pages in LaTeX: text and `align*`, with amsmath and amssymb alone.

mod align;
mod escape;
mod math;
mod plain;

use super::names::Names;
use super::numbers::rows;
use super::typeset::{Place, Setter};
use crate::notation::{Block, Branch, Entry, Fact, Math, Page, Piece, Row, Says};
pub(super) use align::{Equation, Frame, align};
use escape::{code, text};
use math::flat;
pub(super) use math::{flat as tex, width};
pub(super) use plain::plain;

/// The text of an article at ten points is this wide, in tenths of a point, …
const ROOM: usize = 3400;
/// … and that of a document of its own, which has smaller margins.
const WIDE: usize = 4350;
/// A letter of source code, and one of what is said beside it.
const CODE: usize = 43;
const WORDS: usize = 42;
/// So many columns are numbers given.
const COLUMNS: usize = 76;

/// The page as a part of a document, or as a whole one.
pub fn latex(page: &Page, standalone: bool) -> String {
    let room = if standalone { WIDE } else { ROOM };
    let frame = Frame { name: "align*", before_reason: "", strut: "", room };
    let mut out = String::new();
    if standalone {
        out += "\\documentclass[fleqn]{article}\n\\usepackage{amsmath,amssymb}\n\\allowdisplaybreaks\n";
        out += "\\setlength{\\mathindent}{15pt}\n\\setlength{\\textwidth}{455pt}\n\\setlength{\\oddsidemargin}{0pt}\n";
        out += "\\setlength{\\textheight}{640pt}\n\\setlength{\\topmargin}{-40pt}\n";
        out += "\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{6pt plus 2pt}\n\\begin{document}\n\n";
    }
    if !page.title.is_empty() {
        let origin = if page.origin.is_empty() || page.origin == page.title {
            String::new()
        } else {
            format!("\\hfill{{\\footnotesize {}}}", code(&page.origin))
        };
        out += &format!("\\noindent\\textbf{{{}}}{origin}\n\n", text(&page.title));
    }
    for block in &page.blocks {
        let written = match block {
            Block::Prose(pieces) => format!("{}\n", prose(page, pieces)),
            Block::Listing(entries) => listing(entries, room),
            Block::Facts(facts) => fact_blocks(page, facts, frame),
            Block::Tree(branch) => tree(page, branch),
            Block::Numbers(what, array) => {
                let head =
                    if *what == Math::Ellipsis { String::new() } else { format!("${}$ =\n", inline(page, what)) };
                format!("{head}\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n", rows(array, COLUMNS).join("\n"))
            }
            formulas => equations(page, formulas).map_or(String::new(), |all| align(&all, frame)),
        };
        // A blank line before a display would stand as an empty line of text.
        if written.starts_with(r"\begin{align*}") && out.ends_with("\n\n") {
            out.pop();
        }
        out += &written;
        out.push('\n');
    }
    if standalone {
        out += "\\end{document}\n";
    }
    out
}

/// A formula within text.
fn inline(page: &Page, math: &Math) -> String {
    flat(&Setter { names: Names(page), place: Place::Inline }.set(math))
}

fn prose(page: &Page, pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(words) => text(words),
        Piece::Math(math) => format!("${}$", inline(page, math)),
    };
    pieces.iter().map(piece).collect()
}

/// The lines of a block that is made of equations. The identities of the last
/// line bear the label of the skip.
pub(super) fn equations(page: &Page, block: &Block) -> Option<Vec<Equation>> {
    let set = |place: Place, math: &Math| Setter { names: Names(page), place }.set(math);
    let equation = |left: &Math, right: &Math, why: &Says| Equation {
        label: None,
        left: Some(set(Place::Display, left)),
        right: Some(set(Place::Display, right)),
        why: said(page, why),
    };
    Some(match block {
        Block::Equations(all) => all.iter().map(|(left, right)| equation(left, right, &Says::default())).collect(),
        Block::Steps(all) => all.iter().map(|(left, right, why)| equation(left, right, why)).collect(),
        Block::Lines(left, rows) => {
            let line = |(i, row): (usize, &Row)| Equation {
                label: None,
                left: (i == 0).then(|| set(Place::Display, left)),
                right: Some(set(place_of(page, i + 1 == rows.len()), &row.math)),
                why: said(page, &row.why),
            };
            rows.iter().enumerate().map(line).collect()
        }
        _ => return None,
    })
}

/// What is said beside an equation, word by word: as it is written, and how many
/// letters that is. A formula is a word, with what stands close to it.
fn said(page: &Page, says: &Says) -> Vec<(String, usize)> {
    let mut words: Vec<(String, usize)> = Vec::new();
    let mut apart = true;
    for piece in &says.0 {
        let parts: Vec<(String, usize)> = match piece {
            Piece::Text(said) => {
                apart |= said.starts_with(' ');
                said.split_whitespace().map(|word| (text(word), word.chars().count())).collect()
            }
            Piece::Math(math) => {
                let plain = super::math::flat(math);
                let tex = inline(page, math);
                // A formula within words of a formula would end that.
                let written = if tex.contains('$') { text(&plain) } else { format!("${tex}$") };
                vec![(written, plain.chars().count())]
            }
        };
        for (i, (word, letters)) in parts.into_iter().enumerate() {
            match words.last_mut() {
                Some(last) if i == 0 && !apart => *last = (format!("{}{word}", last.0), last.1 + letters),
                _ => words.push((word, letters)),
            }
        }
        apart = matches!(piece, Piece::Text(said) if said.ends_with(' '));
    }
    words
}

/// Where a line stands: the last one is an answer.
pub(super) fn place_of(page: &Page, last: bool) -> Place {
    if page.skip && last { Place::Answer } else { Place::Display }
}

/// Names, expressions and asides in columns.
fn listing(entries: &[Entry], room: usize) -> String {
    let widest = |part: fn(&Entry) -> &str| entries.iter().map(|e| part(e).chars().count()).max().unwrap_or(0);
    let (names, asides) = (widest(|e| &e.name), widest(|e| &e.aside).min(40));
    let room = room.saturating_sub(names * CODE + asides * WORDS + 300) / CODE;
    let mut rows = Vec::new();
    for entry in entries {
        // What is said beside a value stands at its last line.
        let written = pieces_of(&entry.written, room.max(20));
        let mut name = code(&entry.name);
        for (i, part) in written.iter().enumerate() {
            let (before, aside) = (if i == 0 { code("=") + " " } else { "\\quad ".into() }, i + 1 == written.len());
            let aside = if aside { text(&entry.aside) } else { String::new() };
            rows.push(format!("{} & {before}{} & {aside}", std::mem::take(&mut name), code(part)));
        }
        if written.is_empty() {
            rows.push(format!("{name} & & {}", text(&entry.aside)));
        }
    }
    let rows = rows.join(" \\\\\n");
    format!("{{\\footnotesize\\begin{{tabular}}{{@{{}}l@{{ }}l@{{\\quad}}l@{{}}}}\n{rows}\n\\end{{tabular}}}}\n")
}

/// Source code in lines of at most `room` letters; longer words are cut.
fn pieces_of(written: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in written.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                let letters: Vec<char> = word.chars().collect();
                lines.extend(letters.chunks(room).map(|part| part.iter().collect::<String>()));
            }
        }
    }
    lines
}

/// Equations with their labels, then what is said in words.
fn fact_blocks(page: &Page, facts: &[(String, Fact)], frame: Frame) -> String {
    let mut out = fact_equations(page, facts).map_or(String::new(), |all| align(&all, frame));
    for (label, fact) in facts {
        if let Fact::Prose(pieces) = fact {
            let label = if label.is_empty() { String::new() } else { format!("\\emph{{{}}}\\quad ", text(label)) };
            out += &format!("\\noindent {label}{}\\par\n", prose(page, pieces));
        }
    }
    out
}

/// The facts that are equations, if there are any.
pub(super) fn fact_equations(page: &Page, facts: &[(String, Fact)]) -> Option<Vec<Equation>> {
    let setter = Setter { names: Names(page), place: Place::Display };
    let equation = |(label, fact): &(String, Fact)| match fact {
        Fact::Equation(left, right) => Some(Equation {
            label: Some(label.clone()),
            left: Some(setter.set(left)),
            right: Some(setter.set(right)),
            why: Vec::new(),
        }),
        Fact::Prose(_) => None,
    };
    let all: Vec<Equation> = facts.iter().filter_map(equation).collect();
    (!all.is_empty()).then_some(all)
}

/// A tree, each level further in.
fn tree(page: &Page, root: &Branch) -> String {
    let (mut out, mut stack) = (String::new(), vec![(root, 0)]);
    while let Some((branch, level)) = stack.pop() {
        let label = prose(page, std::slice::from_ref(&branch.label));
        out += &format!("\\noindent\\hspace*{{{level}em}}{label}\\quad {}\\par\n", text(&branch.aside));
        stack.extend(branch.children.iter().rev().map(|child| (child, level + 2)));
    }
    out
}
