//! Pages in Typst. All is written in code, where strings need no other escapes.

use super::latex::place_of;
use super::names::Names;
use super::numbers::rows;
use super::typeset::{Face, Place, Role, Set, Setter};
use crate::notation::{Block, Branch, Entry, Fact, Math, Page, Piece, Row};

/// So many columns are numbers given.
const COLUMNS: usize = 76;

/// The page as a part of a document, or with a page of its own.
pub fn typst(page: &Page, standalone: bool) -> String {
    let mut out = String::new();
    if standalone {
        out += &format!(
            "#set document(title: {})\n#set page(margin: 2.2cm)\n#set text(size: 10pt)\n\n",
            string(&page.title)
        );
    }
    if !page.title.is_empty() {
        let origin = if page.origin == page.title { "" } else { &page.origin };
        out += &format!("#block({{ strong({}); h(1fr); raw({}) }})\n\n", string(&page.title), string(origin));
    }
    for block in &page.blocks {
        out += &match block {
            Block::Prose(pieces) => format!("#par({})\n", prose(page, pieces)),
            Block::Listing(entries) => listing(entries),
            Block::Equations(all) => {
                grid(all.iter().map(|(left, right)| line(page, Some(left), right, "", Place::Display)))
            }
            Block::Steps(all) => {
                grid(all.iter().map(|(left, right, why)| line(page, Some(left), right, why, Place::Display)))
            }
            Block::Lines(left, rows) => grid(rows.iter().enumerate().map(|(i, row): (usize, &Row)| {
                let place = place_of(page, i + 1 == rows.len());
                line(page, (i == 0).then_some(left), &row.math, &row.why, place)
            })),
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

/// Left-hand sides, formulas, reasons in columns.
fn grid(rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.collect();
    format!(
        "#block(text(top-edge: \"bounds\", bottom-edge: \"bounds\", grid(columns: (auto, 1fr, auto), column-gutter: (0.3em, 1.5em), row-gutter: 0.9em, align: (right, left, left),\n{rows})))\n"
    )
}

fn line(page: &Page, left: Option<&Math>, right: &Math, why: &str, place: Place) -> String {
    let set = |math: &Math, place: Place| formula(&Setter { names: Names(page), place }.set(math));
    let left = left.map_or("[]".to_string(), |left| format!("$display({})$", set(left, Place::Display)));
    let why = if why.is_empty() {
        "[]".to_string()
    } else {
        format!("block(width: 11em, text(size: 0.8em, {}))", string(why))
    };
    format!("  {left}, $= {}$, {why},\n", set(right, place))
}

fn fact_grid(page: &Page, facts: &[(String, Fact)]) -> String {
    let row = |(label, fact): &(String, Fact)| {
        let said = match fact {
            Fact::Prose(pieces) => prose(page, pieces),
            Fact::Equation(left, right) => {
                let set = |math: &Math| formula(&Setter { names: Names(page), place: Place::Display }.set(math));
                format!("${} = {}$", set(left), set(right))
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
        Set::Changed(inner) => formula(inner),
        Set::Letters(letters, face) => letters_formula(letters, *face),
        Set::Number(digits) => format!("upright({})", string(digits)),
        Set::Sign(",", _) => "\\,".into(),
        Set::Sign(sign, Role::Prefix) => format!("class(\"unary\", {sign})"),
        Set::Sign(sign, _) => format!(" {sign} "),
        Set::Gap => "#h(0.17em)".into(),
        Set::Identity(false) => "bold(upright(\"I\"))".into(),
        Set::Identity(true) => "underbrace(bold(upright(\"I\")), \"skip path\")".into(),
        // Escaped brackets stay as they are, so that a line may break within.
        Set::Fence(open, inner, close) => {
            let (open, close) = (bracket(open, "opening"), bracket(close, "closing"));
            format!("{open}{}{close}", formula(inner))
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
        Set::Bar(inner) => format!("macron({})", formula(inner)),
        Set::Limits(sign, under, over) => {
            let sign = if *sign == "Σ" { "∑" } else { sign };
            format!("attach(limits({sign}), b: {}, t: {})", formula(under), formula(over))
        }
    }
}

fn bracket(sign: &str, class: &str) -> String {
    format!("class(\"{class}\", \\{sign})")
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
