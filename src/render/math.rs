//! Formulas as text that breaks at sums and products.

use super::lines::{Ink, Line};
use crate::notation::{Math, Piece, Says};
use crate::ops::Number;
use pretty::{Arena, DocAllocator, DocBuilder, Render, RenderAnnotated};

/// A denominator with no more names, numbers and signs than this stays on one line.
const DENOMINATOR: usize = 6;

type Doc<'a> = DocBuilder<'a, Arena<'a, Ink>, Ink>;

/// A formula on one line.
pub fn flat(math: &Math) -> String {
    let lines = laid_out(math, usize::MAX / 2);
    lines.iter().flat_map(|line| line.0.iter().map(|span| span.text.as_str())).collect()
}

/// What is said, on one line.
pub fn words(says: &Says) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Math(math) => flat(math),
    };
    says.0.iter().map(piece).collect()
}

/// A formula in lines of at most `room` columns where there is a place to break.
pub fn laid_out(math: &Math, room: usize) -> Vec<Line> {
    let arena = Arena::new();
    let mut out = Collector { lines: vec![Line::default()], inks: Vec::new() };
    // The collector takes every piece; it has no way to fail.
    let _ = doc(&arena, math).nest(2).render_raw(room, &mut out);
    out.lines.iter_mut().for_each(Line::trim);
    out.lines
}

/// Takes what `pretty` writes.
struct Collector {
    lines: Vec<Line>,
    inks: Vec<Ink>,
}

impl Render for Collector {
    type Error = std::fmt::Error;

    fn write_str(&mut self, text: &str) -> Result<usize, Self::Error> {
        let ink = self.inks.last().copied().unwrap_or_default();
        for (i, piece) in text.split('\n').enumerate() {
            if i > 0 {
                self.lines.push(Line::default());
            }
            if let Some(line) = self.lines.last_mut() {
                line.push(piece, ink);
            }
        }
        Ok(text.len())
    }

    fn fail_doc(&self) -> Self::Error {
        std::fmt::Error
    }
}

impl RenderAnnotated<'_, Ink> for Collector {
    fn push_annotation(&mut self, ink: &Ink) -> Result<(), Self::Error> {
        self.inks.push(*ink);
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), Self::Error> {
        self.inks.pop();
        Ok(())
    }
}

fn doc<'a>(arena: &'a Arena<'a, Ink>, math: &Math) -> Doc<'a> {
    let text = |text: &str| arena.text(text.to_string());
    let child = |i: usize, inner: &Math| child(arena, math, i, inner);
    match math {
        Math::Name(name) => text(name),
        Math::Number(number) => text(&number_text(*number)),
        Math::Size(dim) => text(&dim.to_string().replace('-', "−")),
        Math::Identity => text("I").annotate(Ink::Identity),
        Math::Zero => text("0"),
        Math::Ones => text("1"),
        Math::Hole => text("•"),
        Math::Ellipsis => text("⋯"),
        Math::Sum(terms) => sum(arena, math, terms),
        Math::Negative(inner) => text("−").append(child(0, inner)),
        Math::Product(factors) => product(arena, math, factors),
        Math::Infix(sign, operands) => {
            let mut written = arena.nil();
            for (i, operand) in operands.iter().enumerate() {
                let operand = child(i, operand);
                written = match i {
                    0 => operand,
                    _ => written.append(arena.text(format!(" {sign}"))).append(arena.line().append(operand).group()),
                };
            }
            written
        }
        Math::Fraction(over, under) => {
            let under = short(math, 1, under).map_or_else(|| child(1, under), |under| arena.text(under));
            child(0, over).append(text(" / ")).append(under)
        }
        Math::Power(base, exponent) => child(0, base).append(power(arena, math, exponent)),
        Math::Transpose(inner) => child(0, inner).append(text("ᵀ")),
        Math::Inverse(inner) => child(0, inner).append(text("⁻¹")),
        Math::Root(inner) => text("√").append(child(0, inner)),
        Math::Bars(inner) => text("|").append(child(0, inner)).append(text("|")),
        Math::Norm(inner) => text("‖").append(child(0, inner)).append(text("‖")),
        Math::Indicator(inner) => text("1[").append(child(0, inner)).append(text("]")),
        Math::Comparison(sign, left, right) => {
            child(0, left).append(text(&format!(" {sign} "))).append(child(1, right))
        }
        Math::Call(name, args) => text(name).append(text("(")).append(list(arena, math, args)).append(text(")")),
        Math::Keyword(name, value) => text(name).append(text("=")).append(child(0, value)),
        Math::Entry(base, at) => {
            let entries = arena.intersperse(at.iter().map(|i| doc(arena, i)), ", ");
            child(0, base).append(text("[")).append(entries).append(text("]"))
        }
        Math::Script(name, under) => text(name).append(text("_")).append(subscript(arena, under)),
        Math::Big(sign, index, from, to, body) => {
            let limits = format!("{sign}_{{{index}={}}}^{{{}}} ", tight(from), tight(to));
            text(&limits).append(child(0, body))
        }
        Math::Differential(inner) => text("d").append(child(0, inner)),
        Math::Derivative(of, by) => text("d").append(child(0, of)).append(text("/d")).append(child(1, by)),
        Math::Bar(inner) => text(&barred(&flat(inner))),
        Math::Gradient(inner) => text("∇").append(child(0, inner)),
        Math::Applied(map, to) => child(0, map).append(text("[")).append(child(1, to)).append(text("]")),
        Math::Inner(left, right) => {
            text("⟨").append(child(0, left)).append(text(", ")).append(child(1, right)).append(text("⟩"))
        }
        Math::Marked(inner) => doc(arena, inner).annotate(Ink::Changed),
    }
}

/// A child, in brackets where these are needed; within brackets it may break.
fn child<'a>(arena: &'a Arena<'a, Ink>, parent: &Math, position: usize, inner: &Math) -> Doc<'a> {
    let written = doc(arena, inner);
    if parent.brackets(position, inner) {
        arena.text("(").append(written.align()).append(arena.text(")"))
    } else {
        written
    }
}

/// Terms; a line breaks before a sign, and within a term only where it has a
/// line to itself and still does not fit.
fn sum<'a>(arena: &'a Arena<'a, Ink>, math: &Math, terms: &[(bool, Math)]) -> Doc<'a> {
    let mut written = arena.nil();
    for (i, (minus, term)) in terms.iter().enumerate() {
        let term = child(arena, math, i, term);
        written = match (i, minus) {
            (0, false) => term,
            (0, true) => arena.text("−").append(term),
            (_, minus) => {
                let sign = arena.text(if *minus { "− " } else { "+ " });
                written.append(arena.line().append(sign).append(term).group())
            }
        };
    }
    written
}

/// Factors side by side; a dot stands beside what is still to be differentiated.
fn product<'a>(arena: &'a Arena<'a, Ink>, math: &Math, factors: &[Math]) -> Doc<'a> {
    let mut written = arena.nil();
    let pending = |factor: &Math| matches!(factor.plain(), Math::Derivative(..));
    for (i, factor) in factors.iter().enumerate() {
        let this = child(arena, math, i, factor);
        written = match i {
            0 => this,
            _ if pending(factor) || pending(&factors[i - 1]) => {
                written.append(arena.text(" ·")).append(arena.line().append(this).group())
            }
            _ if factors.len() == 2 && snug(&factors[0], factor) => written.append(this),
            _ if math.brackets(i - 1, &factors[i - 1]) && math.brackets(i, factor) => {
                written.append(arena.line_().append(this).group())
            }
            _ => written.append(arena.line().append(this).group()),
        };
    }
    written
}

/// A short denominator, with its brackets: no line breaks within.
fn short(math: &Math, position: usize, part: &Math) -> Option<String> {
    let written = (part.weight() <= DENOMINATOR).then(|| flat(part))?;
    Some(if math.brackets(position, part) { format!("({written})") } else { written })
}

/// xᵀy is written without a space.
fn snug(left: &Math, right: &Math) -> bool {
    let plain = |math: &Math| matches!(math.plain(), Math::Name(_) | Math::Ones);
    matches!(left.plain(), Math::Transpose(inner) if plain(inner)) && plain(right)
}

fn list<'a>(arena: &'a Arena<'a, Ink>, math: &Math, args: &[Math]) -> Doc<'a> {
    let mut written = arena.nil();
    for (i, arg) in args.iter().enumerate() {
        let arg = child(arena, math, i, arg);
        written = match i {
            0 => arg,
            _ => written.append(arena.text(",")).append(arena.line().append(arg).group()),
        };
    }
    written.align()
}

/// Whole exponents stand above the line.
fn power<'a>(arena: &'a Arena<'a, Ink>, math: &Math, exponent: &Math) -> Doc<'a> {
    match exponent.plain() {
        Math::Number(number) if number.as_whole().is_some() => {
            let digits = number.to_string();
            arena.text(digits.chars().map(superscript).collect::<String>())
        }
        _ => arena.text("^").append(child(arena, math, 1, exponent)),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + (digit as u32 - '0' as u32)).unwrap_or(digit),
        other => other,
    }
}

fn subscript<'a>(arena: &'a Arena<'a, Ink>, under: &Math) -> Doc<'a> {
    match under.plain() {
        Math::Name(_) | Math::Number(_) => doc(arena, under),
        _ => arena.text("{").append(doc(arena, under)).append(arena.text("}")),
    }
}

fn number_text(number: Number) -> String {
    match (number.is_infinite(), number.is_negative()) {
        (true, true) => "−∞".into(),
        (true, false) => "∞".into(),
        _ => number.to_string().replace('-', "−"),
    }
}

/// A formula without blanks: the limits of a big operator.
fn tight(math: &Math) -> String {
    flat(math).replace(' ', "")
}

/// A bar over the one letter of a name, which may be followed by what is below it;
/// a longer name has it in words.
fn barred(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !letters.as_str().starts_with(char::is_alphabetic) => {
            format!("{first}\u{304}{}", letters.as_str())
        }
        Some(_) => format!("bar({text})"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{flat, laid_out};
    use crate::notation::Math;

    fn n(name: &str) -> Math {
        Math::name(name)
    }

    #[test]
    fn formulas_read_as_on_paper() {
        let table = [
            (Math::product([n("x").transposed(), n("y")]), "xᵀy"),
            (Math::product([n("x").transposed(), n("A"), n("x")]), "xᵀ A x"),
            (Math::sum([(false, Math::Identity), (false, Math::Name("J_f".into()))]), "I + J_f"),
            (Math::sum([(true, n("a")), (true, n("b"))]), "−a − b"),
            (Math::Power(Box::new(n("x")), Box::new(Math::whole(-12))), "x⁻¹²"),
            (Math::Power(Box::new(n("x")), Box::new(n("n"))), "x^n"),
            (Math::derivative(n("out"), n("x")), "d(out)/dx"),
            (Math::differential(Math::sum([(false, n("x")), (false, n("y"))])), "d(x + y)"),
            (Math::Bar(Box::new(n("w1"))), "w\u{304}1"),
            (Math::product([n("A"), Math::derivative(n("h"), n("x"))]), "A · d(h)/dx"),
            (Math::product([Math::whole(2), Math::negative(n("x"))]), "−2 x"),
            (Math::product([Math::whole(-1), n("x")]), "−x"),
        ];
        for (math, text) in table {
            assert_eq!(flat(&math), text);
        }
    }

    #[test]
    fn lines_break_before_a_sign_and_keep_the_margin() {
        let long = Math::sum((0..12).map(|i| (false, Math::product([n("first"), n(&format!("J_{i}"))]))));
        let lines = laid_out(&long, 40);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| line.width() <= 40));
        assert!(lines[1].0[0].text.starts_with("  + "));
    }
}
