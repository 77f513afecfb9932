//! Nodes in the input language.

use super::tree::{dim_size, node_own_size};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Attr, Attrs, Notation, Number, Op, Param, ParamKind, Preset};
use crate::shape::Dim;
use std::collections::{HashMap, HashSet};

/// Longer texts are cut off: a graph may spell an exponentially long expression.
const LENGTH: usize = 1 << 20;

/// How tightly the top of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Comparison,
    Sum,
    Product,
    Sign,
    Power,
    Atom,
}

/// A piece of text, how tightly it binds, and the sign of a product.
#[derive(Clone)]
struct Piece {
    text: String,
    level: Level,
    product: Option<Notation>,
}

/// The node in the input language: reading the text back gives an equal graph.
/// Named nodes are written by their names.
pub fn text(program: &Program, node: NodeId) -> String {
    let mut done: HashMap<NodeId, Piece> = HashMap::new();
    // A work list instead of recursion: programs may be thousands deep.
    let mut open = vec![node];
    while let Some(&id) = open.last() {
        let args: &[NodeId] = if is_named(program, id) { &[] } else { &program.node(id).args };
        let missing: Vec<NodeId> = args.iter().filter(|a| !done.contains_key(a)).copied().collect();
        if missing.is_empty() {
            let piece = piece(program, id, &done);
            done.insert(id, piece);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    done.remove(&node).map_or_else(String::new, |piece| piece.text)
}

/// Has the node an expression in the input language? What comes out of a loop has a
/// name or none.
pub fn has_text(program: &Program, node: NodeId) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![node]);
    while let Some(id) = open.pop() {
        if is_named(program, id) && id != node || !seen.insert(id) {
            continue;
        }
        if matches!(program.node(id).kind, Kind::Carried(_) | Kind::Repeat(_) | Kind::Reverse(_)) {
            return false;
        }
        open.extend(&program.node(id).args);
    }
    true
}

/// The printed size of a node: every name, number, operator and call once per
/// occurrence; a mask counts as its comparison.
pub fn size(program: &Program, node: NodeId) -> usize {
    let mut done: HashMap<NodeId, u64> = HashMap::new();
    let mut open = vec![node];
    while let Some(&id) = open.last() {
        let named = id != node && is_named(program, id);
        let args: &[NodeId] = if named { &[] } else { &program.node(id).args };
        let missing: Vec<NodeId> = args.iter().filter(|a| !done.contains_key(a)).copied().collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let inner: u64 = args.iter().map(|a| done[a]).fold(0, u64::saturating_add);
        let own = if named { 1 } else { u64::from(node_own_size(program, id)) };
        let saved = mask_saving(program, id);
        done.insert(id, own.saturating_add(inner).saturating_sub(saved));
    }
    usize::try_from(done[&node]).unwrap_or(usize::MAX)
}

/// where(c, 1, 0) is 1[c], where(c, x, 0) is 1[c] x: what is not counted.
fn mask_saving(program: &Program, id: NodeId) -> u64 {
    let node = program.node(id);
    let choice = program.op(id).is_some_and(|(op, _)| op.notation == Notation::Choice);
    match node.args.as_slice() {
        [_, x, y] if choice && program.number_of(*y) == Some(Number::ZERO) => {
            if program.number_of(*x) == Some(Number::ONE) { 3 } else { 1 }
        }
        _ => 0,
    }
}

fn is_named(program: &Program, id: NodeId) -> bool {
    program.name(id).is_some()
}

fn atom(text: String) -> Piece {
    Piece { text, level: Level::Atom, product: None }
}

fn piece(program: &Program, id: NodeId, done: &HashMap<NodeId, Piece>) -> Piece {
    let node = program.node(id);
    if let Some(name) = program.name(id) {
        return atom(name.to_string());
    }
    match &node.kind {
        Kind::Input(name) => atom(name.to_string()),
        Kind::Number(number) => number_piece(*number),
        Kind::Size(dim) => dim_piece(dim),
        Kind::Hole(of) => atom(format!("d({})", text(program, *of))),
        Kind::Cotangent(of) => atom(format!("bar({})", text(program, *of))),
        Kind::Repeat(_) | Kind::Reverse(_) => atom("loop".to_string()),
        Kind::Carried(i) => atom(format!("loop[{i}]")),
        Kind::Apply(op, _) if is_hidden(program, op) => number_piece_of(op),
        Kind::Apply(op, attrs) => {
            let args: Vec<&Piece> = node.args.iter().map(|a| &done[a]).collect();
            let total: usize = args.iter().map(|p| p.text.len()).sum();
            if total > LENGTH {
                return atom("...".to_string());
            }
            let ranks: Vec<usize> = node.args.iter().map(|a| program.shape(*a).rank()).collect();
            operation(op, attrs, &args, &ranks)
        }
    }
}

/// Is it a number with a name that something else of the program has?
fn is_hidden(program: &Program, op: &Op) -> bool {
    matches!(op.notation, Notation::Filled(_)) && op.params.is_empty() && program.named(op.name).is_some()
}

/// The digits of a number that has a name of its own.
fn number_piece_of(op: &Op) -> Piece {
    match &op.value {
        crate::ops::Value::Whole(value) => {
            atom(value(&[], &Attrs::default(), &[]).data().first().map_or_else(String::new, f64::to_string))
        }
        _ => atom(op.name.to_string()),
    }
}

fn bracket(piece: &Piece, least: Level) -> String {
    if piece.level < least { format!("({})", piece.text) } else { piece.text.clone() }
}

fn operation(op: &Op, attrs: &Attrs, args: &[&Piece], ranks: &[usize]) -> Piece {
    let plain = |text: String, level: Level| Piece { text, level, product: None };
    match (op.notation, args) {
        (Notation::Infix(sign @ ("+" | "−")), [a, b]) => {
            let sign = if sign == "−" { "-" } else { sign };
            plain(format!("{} {sign} {}", bracket(a, Level::Sum), bracket(b, Level::Product)), Level::Sum)
        }
        (Notation::Negative, [a]) => plain(format!("-{}", bracket(a, Level::Power)), Level::Sign),
        (Notation::Product | Notation::Hadamard | Notation::Fraction, [a, b]) if attrs.0.is_empty() => {
            let matrix = op.notation == Notation::Product;
            let sign = match op.notation {
                Notation::Product => "@",
                Notation::Hadamard => "*",
                _ => "/",
            };
            // A chain of one kind needs no brackets on the left.
            let mixed = a.product.is_some_and(|other| (other == Notation::Product) != matrix);
            let left = if mixed { format!("({})", a.text) } else { bracket(a, Level::Product) };
            let text = format!("{left} {sign} {}", bracket(b, Level::Sign));
            Piece { text, level: Level::Product, product: Some(op.notation) }
        }
        (Notation::Power, [a, b]) => {
            plain(format!("{} ** {}", bracket(a, Level::Atom), bracket(b, Level::Sign)), Level::Power)
        }
        (Notation::Transpose, [a]) if ranks.first().is_some_and(|rank| *rank < 3) => {
            atom(format!("{}.T", bracket(a, Level::Atom)))
        }
        (Notation::MatrixTranspose, [a]) => atom(format!("{}.mT", bracket(a, Level::Atom))),
        (Notation::Comparison(sign), [a, b]) => {
            let sign = comparison_sign(sign);
            plain(format!("{} {sign} {}", bracket(a, Level::Sum), bracket(b, Level::Sum)), Level::Comparison)
        }
        (Notation::Entry, [a]) => atom(format!("{}[{}]", bracket(a, Level::Atom), attrs.whole("at"))),
        (Notation::Slice, [a]) => {
            let rank = ranks.first().copied().unwrap_or(0);
            atom(format!("{}[{}]", bracket(a, Level::Atom), places(attrs, rank)))
        }
        _ => atom(call(op, attrs, args, ranks)),
    }
}

/// The index of an entry or a slice along the attribute `axis`.
fn places(attrs: &Attrs, rank: usize) -> String {
    let along = attrs.axes().first().copied().unwrap_or(0);
    let place = match attrs.get("at") {
        Some(_) => dim_piece(&attrs.dim("at")).text,
        None => {
            let (start, end, step) = attrs.span();
            let from = if start.as_size() == Some(0) { String::new() } else { dim_piece(&start).text };
            let by = if step == 1 { String::new() } else { format!(":{step}") };
            format!("{from}:{}{by}", dim_piece(&end).text)
        }
    };
    let words = (0..rank).map(|axis| if axis == along { place.as_str() } else { ":" });
    words.collect::<Vec<_>>().join(", ")
}

/// The sign of a comparison as the language writes it.
fn comparison_sign(sign: &'static str) -> &'static str {
    match sign {
        "≥" => ">=",
        "≤" => "<=",
        "=" => "==",
        "≠" => "!=",
        other => other,
    }
}

fn call(op: &Op, attrs: &Attrs, args: &[&Piece], ranks: &[usize]) -> String {
    if let (Notation::Filled(_), true) = (op.notation, op.params.is_empty()) {
        return op.name.to_string();
    }
    let mut words: Vec<String> = Vec::new();
    let arrays: Vec<&Param> = op.params.iter().filter(|p| p.is_array()).collect();
    if arrays.first().is_some_and(|param| matches!(param.kind, ParamKind::Arrays)) {
        words.extend(args.iter().map(|piece| piece.text.clone()));
    }
    for (param, piece) in arrays.iter().zip(args).filter(|(param, _)| !matches!(param.kind, ParamKind::Arrays)) {
        let at_rest =
            matches!(param.kind, ParamKind::ArrayOr(rest) if Number::parse(rest) == Number::parse(&piece.text));
        if !at_rest {
            let after = words.len() < arrays.iter().position(|p| p.name == param.name).unwrap_or(0);
            let by_name = after || matches!(param.kind, ParamKind::ArrayOr(_));
            words.push(if by_name { format!("{}={}", param.name, piece.text) } else { piece.text.clone() });
        }
    }
    let rank = ranks.first().copied().unwrap_or(0);
    for param in op.params.iter().filter(|p| !p.is_array()) {
        words.extend(attrs.get(param.name).and_then(|attr| attribute(param, attr, rank)));
    }
    format!("{}({})", op.name, words.join(", "))
}

/// An attribute as it is written; `None` at its rest.
fn attribute(param: &Param, attr: &Attr, rank: usize) -> Option<String> {
    let value = match (attr, param.kind) {
        (Attr::Axes(axes), ParamKind::Axis(Some(Preset::AllAxes))) if axes.len() == rank => return None,
        (Attr::Axes(axes), _) => match axes.as_slice() {
            [axis] => axis.to_string(),
            axes => format!("({})", axes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
        },
        (Attr::Flag(flag), ParamKind::Flag(rest)) if *flag == rest => return None,
        (Attr::Flag(flag), _) => if *flag { "True" } else { "False" }.to_string(),
        (Attr::Whole(n), ParamKind::Whole(Some(rest))) if *n == rest => return None,
        (Attr::Whole(n), _) => n.to_string(),
        (Attr::Text(word), ParamKind::Text(rest)) if &**word == rest => return None,
        (Attr::Text(word), _) => match Number::parse(word) {
            Some(_) => word.to_string(),
            None => format!("'{word}'"),
        },
        (Attr::Dims(dims), _) if dims.is_empty() => return None,
        (Attr::Dims(dims), ParamKind::Dim(_)) => dims.first().map(|dim| dim_piece(dim).text).unwrap_or_default(),
        (Attr::Dims(dims), _) => {
            return Some(dims.iter().map(|d| dim_piece(d).text).collect::<Vec<_>>().join(", "));
        }
    };
    Some(format!("{}={value}", param.name))
}

/// A number: whole, as a decimal, or as a quotient.
fn number_piece(number: Number) -> Piece {
    let (n, d) = (number.numerator(), number.denominator());
    let level = if n < 0 { Level::Sign } else { Level::Atom };
    match decimal(n, d) {
        Some(text) => Piece { text, level, product: None },
        None => Piece { text: format!("{n} / {d}"), level: Level::Product, product: Some(Notation::Fraction) },
    }
}

/// A fraction as a decimal, if it ends.
fn decimal(n: i128, d: i128) -> Option<String> {
    if d == 1 {
        return Some(n.to_string());
    }
    let mut places = 0usize;
    let (mut digits, mut rest) = (n.unsigned_abs(), d.unsigned_abs());
    while rest != 1 {
        let common = gcd(rest, 10);
        if common == 1 || places > 30 {
            return None;
        }
        digits = digits.checked_mul(10 / common)?;
        (rest, places) = (rest / common, places + 1);
    }
    let text = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = text.split_at(text.len() - places);
    Some(format!("{}{whole}.{part}", if n < 0 { "-" } else { "" }))
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A dimension in the input language.
pub(super) fn dim(dim: &Dim) -> String {
    dim_piece(dim).text
}

/// A dimension as a number: `n`, `2 * n + 1`.
fn dim_piece(dim: &Dim) -> Piece {
    let text = dim.to_string();
    if dim_size(dim) <= 1 {
        return atom(text);
    }
    let terms: Vec<&str> = text.split(' ').collect();
    let mut written = String::new();
    for (i, word) in terms.iter().enumerate() {
        let between = |word: &str| matches!(word, "+" | "-");
        let product = i > 0 && !between(word) && !between(terms[i - 1]);
        written.push_str(if product {
            " * "
        } else if i > 0 {
            " "
        } else {
            ""
        });
        written.push_str(word);
    }
    Piece { text: written, level: Level::Sum, product: None }
}
