//! Pages in Typst. All is written in code, where strings need no other escapes.

use super::latex::{place_of, width};
use super::names::Names;
use super::numbers::rows;
use super::typeset::{Face, Mark, Place, Role, Set, Setter};
use crate::notation::{Block, Branch, Entry, Fact, Math, Page, Piece, Row, Says};

/// So many columns are numbers given.
const COLUMNS: usize = 76;
/// A part of a formula no wider than this, in tenths of a point, fits on a line.
const PART: usize = 2200;

/// The page as a part of a document, or with a page of its own.
pub fn typst(page: &Page, standalone: bool) -> String {
    let mut out = String::new();
    if standalone {
        out += &format!(
            "#set document(title: {})\n#set page(margin: 2.2cm)\n#set text(size: 10pt)\n\n",
            string(&page.title)
        );
    }
    out += LINES;
    if !page.title.is_empty() {
        let origin = if page.origin == page.title { "" } else { &page.origin };
        out += &format!("#block({{ strong({}); h(1fr); raw({}) }})\n\n", string(&page.title), string(origin));
    }
    for block in &page.blocks {
        out += &match block {
            Block::Prose(pieces) => format!("#par({})\n", prose(page, pieces)),
            Block::Listing(entries) => listing(entries),
            Block::Equations(all) => {
                let line =
                    |(left, right): &(Math, Math)| line(page, Some(left), right, &Says::default(), Place::Display);
                lines(&all.iter().map(line).collect::<Vec<_>>())
            }
            Block::Steps(all) => {
                let line = |(left, right, why): &(Math, Math, Says)| line(page, Some(left), right, why, Place::Display);
                lines(&all.iter().map(line).collect::<Vec<_>>())
            }
            Block::Lines(left, rows) => {
                let line = |(i, row): (usize, &Row)| {
                    let place = place_of(page, i + 1 == rows.len());
                    line(page, (i == 0).then_some(left), &row.math, &row.why, place)
                };
                lines(&rows.iter().enumerate().map(line).collect::<Vec<_>>())
            }
            Block::Facts(facts) => fact_grid(page, facts),
            Block::Tree(branch) => tree(page, branch),
            Block::Numbers(what, array) => {
                let head = if *what == Math::Ellipsis { String::new() } else { inline(page, what) + "; [ =]; " };
                format!("#block({{ {head}raw(block: true, {}) }})\n", string(&rows(array, COLUMNS).join("\n")))
            }
        };
        out.push('\n');
    }
    out
}

/// A string of Typst.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

fn inline(page: &Page, math: &Math) -> String {
    format!("${}$", formula(&Setter { names: Names(page), place: Place::Inline }.set(math)))
}

fn prose(page: &Page, pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(words) => string(words),
        Piece::Math(math) => inline(page, math),
    };
    format!("{{ {} }}", pieces.iter().map(piece).collect::<Vec<_>>().join("; "))
}

fn listing(entries: &[Entry]) -> String {
    let row = |entry: &Entry| {
        let written = if entry.written.is_empty() { String::new() } else { format!("= {}", entry.written) };
        format!("  raw({}), raw({}), {},\n", string(&entry.name), string(&written), string(&entry.aside))
    };
    let rows: String = entries.iter().map(row).collect();
    format!("#block(text(size: 0.9em, grid(columns: 3, column-gutter: 1em, row-gutter: 0.5em,\n{rows})))\n")
}

/// A line: a left-hand side, a right-hand side, what is said beside it.
struct Line {
    left: String,
    right: String,
    why: String,
}

/// Lines whose signs of equality stand below one another. A line that breaks goes
/// on further in; reasons have a column of their own.
const LINES: &str = "#let chainrule-lines(..rows) = context { \
    set text(top-edge: \"bounds\", bottom-edge: \"bounds\"); \
    let wide = calc.max(..rows.pos().map(row => measure(row.at(0)).width)); \
    let line(row) = par(hanging-indent: wide + 2em, { box(width: wide, align(right, row.at(0))); h(0.25em); row.at(1) }); \
    grid(columns: (1fr, auto), column-gutter: 1.5em, row-gutter: 0.9em, align: (left, left + horizon), \
    ..rows.pos().map(row => (line(row), box(width: 13em, text(size: 0.8em, row.at(2))))).flatten()) }\n\n";

fn lines(lines: &[Line]) -> String {
    let row = |line: &Line| format!("  ({}, {}, {}),\n", line.left, line.right, line.why);
    format!("#chainrule-lines(\n{})\n", lines.iter().map(row).collect::<String>())
}

fn line(page: &Page, left: Option<&Math>, right: &Math, why: &Says, place: Place) -> Line {
    let set = |math: &Math, place: Place| formula(&Setter { names: Names(page), place }.set(math));
    let left = left.map_or("[]".to_string(), |left| format!("$display({})$", set(left, Place::Display)));
    let right = parts(&Setter { names: Names(page), place }.set(right));
    Line { left, right, why: if why.is_empty() { string("") } else { prose(page, &why.0) } }
}

/// A formula after `=`, in boxes between which a line may end: its terms, and the parts
/// of what is too long for a line. Typst itself would end a line after a sign.
fn parts(set: &Set) -> String {
    let sum = |parts: &[Set]| matches!(parts.get(1).map(first), Some(Set::Sign("+" | "−", Role::Binary)));
    let (mut boxes, mut open) = (Vec::new(), Some(set.parts()).filter(|parts| sum(parts)).unwrap_or(vec![set.clone()]));
    open.reverse();
    while let Some(part) = open.pop() {
        match part.parts() {
            parts if parts.len() > 1 && width(&part) > PART => open.extend(parts.into_iter().rev()),
            _ => boxes.push(part),
        }
    }
    let written = |(i, part): (usize, &Set)| match (i, first(part)) {
        (0, _) => format!("box($= {}$)", formula(part)),
        // A sign at the beginning has its blanks all the same.
        (_, Set::Sign(sign, Role::Binary)) => {
            let (head, whole) = (formula(first(part)), formula(part));
            let sign = if *sign == "/" { "\\/" } else { sign };
            let rest = whole.strip_prefix(&head).unwrap_or(&whole);
            format!("box($#h(0.222em) class(\"binary\", {sign}) {rest}$)")
        }
        _ => format!("box(${}$)", formula(part)),
    };
    format!("{{ {} }}", boxes.iter().enumerate().map(written).collect::<Vec<_>>().join("; \"\u{200b}\"; "))
}

/// What a formula begins with.
fn first(set: &Set) -> &Set {
    match set {
        Set::Row(row) if !row.is_empty() => first(&row[0]),
        Set::Changed(inner) | Set::From(inner, _) => first(inner),
        other => other,
    }
}

fn fact_grid(page: &Page, facts: &[(String, Fact)]) -> String {
    let row = |(label, fact): &(String, Fact)| {
        let said = match fact {
            Fact::Prose(pieces) => prose(page, pieces),
            Fact::Equation(left, right) => {
                let set = |math: &Math| Setter { names: Names(page), place: Place::Display }.set(math);
                let (left, right) = (formula(&set(left)), parts(&set(right)));
                format!("text(top-edge: \"bounds\", bottom-edge: \"bounds\", {{ ${left}$; h(0.25em); {right} }})")
            }
        };
        format!("  emph({}), {said},\n", string(label))
    };
    let rows: String = facts.iter().map(row).collect();
    format!("#block(grid(columns: (auto, 1fr), column-gutter: 1em, row-gutter: 0.8em,\n{rows}))\n")
}

fn tree(page: &Page, root: &Branch) -> String {
    let (mut out, mut stack) = (String::new(), vec![(root, 0)]);
    while let Some((branch, level)) = stack.pop() {
        let label = prose(page, std::slice::from_ref(&branch.label));
        out += &format!("#block(inset: (left: {level}em), {{ {label}; h(1em); {} }})\n", string(&branch.aside));
        stack.extend(branch.children.iter().rev().map(|child| (child, level + 1)));
    }
    out
}

/// A formula, between dollar signs or in one.
fn formula(set: &Set) -> String {
    match set {
        Set::Row(row) => row.iter().map(formula).collect(),
        Set::Changed(inner) | Set::From(inner, _) => formula(inner),
        Set::Letters(letters, face) => letters_formula(letters, *face),
        Set::Number(digits) => format!("upright({})", string(digits)),
        Set::Sign(",", _) => "\\,".into(),
        Set::Sign(sign, Role::Prefix) => format!("class(\"unary\", {sign})"),
        Set::Sign("/", _) => "class(\"binary\", \\/)".into(),
        Set::Sign(sign, _) => format!(" {sign} "),
        Set::Gap => "#h(0.17em)".into(),
        Set::Identity(Mark::Factor | Mark::Term) => "bold(upright(\"I\"))".into(),
        Set::Identity(Mark::Skip) => "underbrace(bold(upright(\"I\")), \"skip path\")".into(),
        Set::Edge(sign, opens, tall) => bracket(sign, if *opens { "opening" } else { "closing" }, *tall),
        Set::Fence(open, inner, close) => {
            let bracket = |sign: &str, class: &str| bracket(sign, class, inner.is_tall());
            format!("{}{}{}", bracket(open, "opening"), formula(inner), bracket(close, "closing"))
        }
        Set::Fraction(over, under) => format!("display(frac({}, {}))", formula(over), formula(under)),
        Set::Root(inner) => format!("sqrt({})", formula(inner)),
        Set::Sub(base, under) => format!("attach({}, b: {})", formula(base), formula(under)),
        Set::Super(base, above) => match base.as_ref() {
            Set::Sub(base, under) => {
                format!("attach({}, b: {}, t: {})", formula(base), formula(under), formula(above))
            }
            base => format!("attach({}, t: {})", formula(base), formula(above)),
        },
        Set::Bar(inner) if inner.is_word() => format!("overline({})", formula(inner)),
        Set::Bar(inner) => format!("macron({})", formula(inner)),
        Set::Limits(sign, under, over) => {
            let sign = if *sign == "Σ" { "∑" } else { sign };
            format!("attach(limits({sign}), b: {}, t: {})", formula(under), formula(over))
        }
    }
}

/// Escaped brackets stay as large as they are written, so that a line may break within.
fn bracket(sign: &str, class: &str, tall: bool) -> String {
    match tall {
        true => format!("class(\"{class}\", stretch(\\{sign}, size: #210%))"),
        false => format!("class(\"{class}\", \\{sign})"),
    }
}

fn letters_formula(letters: &str, face: Face) -> String {
    let written = string(letters);
    match face {
        _ if letters == "ᵀ" => "⊤".into(),
        _ if letters == "⋯" || letters == "•" => letters.to_string(),
        Face::Bold => format!("bold(upright({written}))"),
        Face::Italic => format!("italic({written})"),
        _ if letters == "/" => "\\/".into(),
        Face::Upright => format!("upright({written})"),
    }
}
