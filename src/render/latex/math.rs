//! Formulas in LaTeX, in pieces between which a line may break.

use super::escape::{command, text};
use crate::render::typeset::{Face, Mark, Role, Set};

/// A part of a formula that stays together. Widths are tenths of a point at ten
/// points, rather too large than too small.
#[derive(Clone, Debug, Default)]
struct Piece {
    tex: String,
    width: usize,
    /// In how many brackets it stands.
    depth: usize,
    /// May a line begin with it, and how well?
    breaks: Break,
}

/// How well a line begins with a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Break {
    /// Between terms.
    Terms,
    /// Before a sign between factors.
    Signs,
    /// Between factors side by side.
    Factors,
    /// Not at all.
    #[default]
    Never,
}

/// A formula on one line.
pub(in crate::render) fn flat(set: &Set) -> String {
    joined(&pieces(set))
}

/// How wide it is.
pub(in crate::render) fn width(set: &Set) -> usize {
    total(&pieces(set))
}

/// A formula in lines no wider than `room`, as far as there are places to break.
pub(super) fn lines(set: &Set, room: usize) -> Vec<String> {
    let mut rest = pieces(set);
    let mut lines = Vec::new();
    while total(&rest) > room {
        let Some(at) = place(&rest, room) else { break };
        let tail = rest.split_off(at);
        lines.push(joined(&rest));
        rest = tail;
        // What is dropped at the end of a line.
        if rest.first().is_some_and(|piece| piece.tex == r"\,") {
            rest.remove(0);
        }
    }
    lines.push(joined(&rest));
    lines
}

/// Where a line ends best: in as few brackets as can be, between terms rather than
/// factors, then as late as can be; not so early that the line looks empty, nor so
/// late that the next one does. Nothing fits: at the first place.
fn place(pieces: &[Piece], room: usize) -> Option<usize> {
    let (mut used, whole) = (0, total(pieces));
    let mut best: Option<((bool, usize, Break), usize)> = None;
    let mut first: Option<usize> = None;
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 && piece.breaks != Break::Never {
            first = first.or(Some(i));
            let empty = used * 3 <= room || (whole - used) * 6 < room;
            let cost = (empty, piece.depth, piece.breaks);
            if used <= room && best.is_none_or(|(least, _)| cost <= least) {
                best = Some((cost, i));
            }
        }
        used += piece.width;
        if used > room && first.is_some() {
            break;
        }
    }
    best.map(|(_, i)| i).or(first)
}

fn total(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.width).sum()
}

fn joined(pieces: &[Piece]) -> String {
    let mut tex = String::new();
    for piece in pieces {
        // A command ends where its letters end.
        let command = tex.rsplit('\\').next().is_some_and(|tail| {
            tail.len() < tex.len() && !tail.is_empty() && tail.chars().all(|c| c.is_ascii_alphabetic())
        });
        if command && piece.tex.starts_with(|c: char| c.is_ascii_alphabetic()) {
            tex.push(' ');
        }
        tex.push_str(&piece.tex);
    }
    tex
}

fn pieces(set: &Set) -> Vec<Piece> {
    let mut out = Vec::new();
    collect(set, 0, &mut out);
    out
}

fn whole(set: &Set) -> (String, usize) {
    let pieces = pieces(set);
    (joined(&pieces), total(&pieces))
}

fn collect(set: &Set, depth: usize, out: &mut Vec<Piece>) {
    let mut push = |tex: String, width: usize| out.push(Piece { tex, width, depth, breaks: Break::Never });
    match set {
        Set::Row(row) => row.iter().for_each(|part| collect(part, depth, out)),
        Set::Changed(inner) | Set::From(inner, _) => collect(inner, depth, out),
        Set::Letters(letters, face) => {
            let (tex, width) = faced(letters, *face);
            push(tex, width);
        }
        Set::Number(digits) => push(digits.clone(), 50 * digits.len()),
        Set::Sign(sign, role) => out.push(signed(sign, *role, depth)),
        Set::Gap => out.push(Piece { tex: r"\,".into(), width: 17, depth, breaks: Break::Factors }),
        Set::Identity(Mark::Factor | Mark::Term) => push(r"\mathbf{I}".into(), 45),
        Set::Identity(Mark::Skip) => push(r"{\underbrace{\mathbf{I}}_{\text{skip path}}}".into(), 340),
        Set::Fence(open, inner, close) => fence(open, inner, close, depth, out),
        Set::Edge(sign, opens, tall) => out.push(edge(sign, *opens, *tall, depth)),
        Set::Fraction(over, under) => {
            let ((over, a), (under, b)) = (whole(over), whole(under));
            push(format!(r"\frac{{{over}}}{{{under}}}"), a.max(b) + 25);
        }
        Set::Root(inner) => {
            let (tex, width) = whole(inner);
            push(format!(r"\sqrt{{{tex}}}"), width + 90);
        }
        Set::Sub(base, under) => script(base, '_', under, depth, out),
        Set::Super(base, above) => script(base, '^', above, depth, out),
        Set::Bar(inner) => {
            let (tex, width) = whole(inner);
            let bar = if width < 110 { r"\bar" } else { r"\overline" };
            push(format!("{bar}{{{tex}}}"), width);
        }
        Set::Limits(sign, under, over) => {
            let ((under, a), (over, b)) = (whole(under), whole(over));
            let sign = if *sign == "Σ" { r"\sum" } else { command_of(sign) };
            push(format!("{sign}_{{{under}}}^{{{over}}}"), (a * 3 / 4).max(b * 3 / 4).max(150) + 17);
        }
    }
}

/// A base with something at its right, above or below.
fn script(base: &Set, place: char, part: &Set, depth: usize, out: &mut Vec<Piece>) {
    let (tex, width) = whole(part);
    let tex = if tex == r"{}^{\top}" { r"\top".to_string() } else { tex };
    let start = out.len();
    collect(base, depth, out);
    let twice = matches!((base, place), (Set::Super(..), '^') | (Set::Sub(..), '_'));
    if twice || out.len() == start {
        let inner: Vec<Piece> = out.drain(start..).collect();
        let (tex, width) = (format!("{{{}}}", joined(&inner)), total(&inner));
        out.push(Piece { tex, width, depth, breaks: Break::Never });
    }
    if let Some(last) = out.last_mut() {
        last.tex += &format!("{place}{{{tex}}}");
        last.width += width * 3 / 4 + 5;
    }
}

/// Brackets of a size of their own, so that a line may break within.
fn fence(open: &str, inner: &Set, close: &str, depth: usize, out: &mut Vec<Piece>) {
    let tall = inner.is_tall();
    out.push(edge(open, true, tall, depth));
    collect(inner, depth + 1, out);
    out.push(edge(close, false, tall, depth));
}

fn edge(sign: &str, opens: bool, tall: bool, depth: usize) -> Piece {
    let size = match (tall, opens) {
        (false, _) => "",
        (true, true) => r"\Bigl",
        (true, false) => r"\Bigr",
    };
    let sign = match (sign, opens) {
        ("|", true) => r"\lvert",
        ("|", false) => r"\rvert",
        ("‖", true) => r"\lVert",
        ("‖", false) => r"\rVert",
        ("⟨", _) => r"\langle",
        ("⟩", _) => r"\rangle",
        (sign, _) => sign,
    };
    Piece { tex: format!("{size}{sign}"), width: if tall { 60 } else { 40 }, depth, breaks: Break::Never }
}

fn signed(sign: &'static str, role: Role, depth: usize) -> Piece {
    let sign = if sign == "/" { r"\mathbin{/}" } else { command_of(sign) };
    let terms = matches!(sign, "+" | "-" | r"\mathbin{/}");
    let (tex, width, breaks) = match role {
        Role::Binary => (format!(" {sign} "), 123, if terms { Break::Terms } else { Break::Signs }),
        Role::Relation => (format!(" {sign} "), 134, Break::Never),
        Role::Prefix => (sign.to_string(), 80, Break::Never),
        // A line that begins with a comma is none.
        Role::Comma => (format!("{sign} "), 45, Break::Never),
    };
    Piece { tex, width, depth, breaks }
}

fn command_of(sign: &'static str) -> &'static str {
    sign.chars().next().and_then(command).unwrap_or(sign)
}

/// Letters in their face.
fn faced(letters: &str, face: Face) -> (String, usize) {
    let count = letters.chars().count();
    let width = count * if face == Face::Bold { 62 } else { 56 };
    if let Some(command) = letters.chars().next().filter(|_| count == 1).and_then(command) {
        let bold = face == Face::Bold;
        return (if bold { format!(r"\boldsymbol{{{command}}}") } else { command.to_string() }, width + 20);
    }
    if !letters.is_ascii() {
        return (format!(r"\text{{{}}}", text(letters)), width);
    }
    let escaped = text(letters);
    let tex = match face {
        Face::Bold => format!(r"\mathbf{{{escaped}}}"),
        Face::Upright if letters == "/" => escaped,
        Face::Upright => format!(r"\mathrm{{{escaped}}}"),
        Face::Italic if count == 1 => escaped,
        Face::Italic => format!(r"\mathit{{{escaped}}}"),
    };
    (tex, width)
}
