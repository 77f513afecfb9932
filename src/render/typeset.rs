//! Formulas as they are typeset: letters, signs, what stands above and below.
//! Brackets, dots and faces are settled here once for every format that typesets.

use super::math::flat;
use super::names::Names;
use crate::notation::Math;
use crate::ops::Number;

/// A derivative of no more than this is written as a fraction.
const FRACTION: usize = 6;
/// A fraction with more letters than this above or below is written on the line,
/// where it can break.
const LONG: usize = 56;

/// How letters look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    /// Numbers.
    Italic,
    /// Vectors, matrices, maps.
    Bold,
    /// Functions, words.
    Upright,
}

/// How a sign stands between its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Between two terms or factors; a line may break before it.
    Binary,
    /// Between two sides.
    Relation,
    /// Before one term.
    Prefix,
    /// After an argument.
    Comma,
}

/// How an identity stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A factor does not: no skip leads through it.
    Factor,
    /// A term does.
    Term,
    /// That of an answer bears the label of the skip.
    Skip,
}

/// A formula in parts that every typesetting format knows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set {
    /// Side by side.
    Row(Vec<Set>),
    /// A word or a letter.
    Letters(String, Face),
    /// Digits.
    Number(String),
    /// A part of a name, and which entry of the listing that comes from.
    From(Box<Set>, usize),
    /// A sign.
    Sign(&'static str, Role),
    /// Between factors; a line may break here.
    Gap,
    /// The identity.
    Identity(Mark),
    /// In brackets.
    Fence(&'static str, Box<Set>, &'static str),
    /// One bracket, where a line may end between it and the other: does it open, is it tall?
    Edge(&'static str, bool, bool),
    /// One above the other.
    Fraction(Box<Set>, Box<Set>),
    /// Under a root.
    Root(Box<Set>),
    /// With something below at the right.
    Sub(Box<Set>, Box<Set>),
    /// With something above at the right.
    Super(Box<Set>, Box<Set>),
    /// Under a bar.
    Bar(Box<Set>),
    /// A large sign with what stands below and above it.
    Limits(&'static str, Box<Set>, Box<Set>),
    /// What changed in this line.
    Changed(Box<Set>),
}

impl Set {
    /// Is it higher than a line of text?
    pub fn is_tall(&self) -> bool {
        match self {
            Set::Fraction(..) | Set::Limits(..) => true,
            Set::Row(row) => row.iter().any(Set::is_tall),
            Set::Fence(_, inner, _) | Set::Changed(inner) | Set::Root(inner) | Set::From(inner, _) => inner.is_tall(),
            Set::Sub(base, _) | Set::Super(base, _) => base.is_tall(),
            _ => false,
        }
    }

    /// Is it a word, so that a bar has to be as long?
    pub fn is_word(&self) -> bool {
        match self {
            Set::Letters(letters, _) => letters.chars().count() > 1,
            Set::From(inner, _) | Set::Changed(inner) => inner.is_word(),
            _ => false,
        }
    }

    /// Is it one fraction, which its line holds together?
    fn is_fraction(&self) -> bool {
        match self {
            Set::Changed(inner) => inner.is_fraction(),
            other => matches!(other, Set::Fraction(..)),
        }
    }
}

/// Where a formula stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On a line of its own.
    Display,
    /// On a line of its own; its identities bear the label of the skip.
    Answer,
    /// Within text, where fractions are too high.
    Inline,
}

/// Sets formulas of one page.
pub(super) struct Setter<'a> {
    pub names: Names<'a>,
    pub place: Place,
}

pub(super) fn upright(text: &str) -> Set {
    Set::Letters(text.to_string(), Face::Upright)
}

fn binary(sign: &'static str) -> Set {
    Set::Sign(sign, Role::Binary)
}

fn prefix(sign: &'static str) -> Set {
    Set::Sign(sign, Role::Prefix)
}

impl Setter<'_> {
    /// The formula; its depth is that of the notation.
    pub fn set(&self, math: &Math) -> Set {
        let child = |i: usize, inner: &Math| self.child(math, i, inner);
        let boxed = |i: usize, inner: &Math| Box::new(child(i, inner));
        match math {
            Math::Name(name) => self.names.set(name),
            Math::Number(number) => self.number(*number),
            Math::Size(dim) => self.names.tokens(&dim.to_string()),
            Math::Identity => Set::Identity(Mark::Factor),
            Math::Zero => Set::Number("0".into()),
            Math::Ones => Set::Letters("1".into(), Face::Bold),
            Math::Hole => upright("•"),
            Math::Ellipsis => upright("⋯"),
            Math::Sum(terms) => self.sum(math, terms),
            Math::Negative(inner) => Set::Row(vec![prefix("−"), child(0, inner)]),
            Math::Product(factors) => self.product(math, factors),
            Math::Infix(sign, operands) => {
                separated(operands.iter().enumerate().map(|(i, operand)| child(i, operand)), &binary(sign))
            }
            Math::Fraction(over, under) => self.fraction(math, over, under),
            Math::Power(base, exponent) => Set::Super(boxed(0, base), Box::new(self.set(exponent))),
            Math::Transpose(inner) => Set::Super(boxed(0, inner), Box::new(upright("ᵀ"))),
            Math::Inverse(inner) => {
                let minus_one = Set::Row(vec![prefix("−"), Set::Number("1".into())]);
                Set::Super(boxed(0, inner), Box::new(minus_one))
            }
            Math::Root(inner) => Set::Root(Box::new(self.set(inner))),
            Math::Bars(inner) => Set::Fence("|", boxed(0, inner), "|"),
            Math::Norm(inner) => Set::Fence("‖", boxed(0, inner), "‖"),
            Math::Indicator(inner) => {
                let one = Set::Letters("1".into(), Face::Bold);
                Set::Row(vec![one, Set::Fence("[", boxed(0, inner), "]")])
            }
            Math::Comparison(sign, left, right) => {
                Set::Row(vec![child(0, left), Set::Sign(sign, Role::Relation), child(1, right)])
            }
            Math::Call(name, args) => self.call(name, args.iter().enumerate().map(|(i, arg)| child(i, arg))),
            Math::Keyword(name, value) => {
                Set::Row(vec![upright(name), Set::Sign("=", Role::Relation), child(0, value)])
            }
            Math::Entry(base, at) => {
                let entries = separated(at.iter().map(|i| self.set(i)), &Set::Sign(",", Role::Comma));
                Set::Row(vec![child(0, base), Set::Fence("[", Box::new(entries), "]")])
            }
            Math::Script(name, under) => Set::Sub(Box::new(self.names.array(name)), Box::new(self.set(under))),
            Math::Big(sign, index, from, to, body) => {
                let under = [self.names.set(index), Set::Sign("=", Role::Relation), self.set(from)];
                let limits = Set::Limits(sign, Box::new(Set::Row(under.into())), Box::new(self.set(to)));
                Set::Row(vec![limits, child(0, body)])
            }
            Math::Differential(inner) => Set::Row(vec![upright("d"), child(0, inner)]),
            Math::Derivative(of, by) => self.derivative(math, of, by),
            Math::Bar(inner) => self.bar(inner),
            Math::Gradient(inner) => Set::Row(vec![prefix("∇"), child(0, inner)]),
            Math::Applied(map, to) => Set::Row(vec![child(0, map), Set::Fence("[", boxed(1, to), "]")]),
            Math::Inner(left, right) => {
                let both = vec![child(0, left), Set::Sign(",", Role::Comma), child(1, right)];
                Set::Fence("⟨", Box::new(Set::Row(both)), "⟩")
            }
            Math::Marked(inner) => Set::Changed(Box::new(self.set(inner))),
        }
    }

    fn child(&self, parent: &Math, position: usize, inner: &Math) -> Set {
        let set = self.set(inner);
        let beside =
            matches!(parent, Math::Sum(_) | Math::Negative(_) | Math::Product(_) | Math::Infix(..) | Math::Big(..));
        let brackets = parent.brackets(position, inner) && !(beside && set.is_fraction());
        if brackets { Set::Fence("(", Box::new(set), ")") } else { set }
    }

    fn fraction(&self, math: &Math, over: &Math, under: &Math) -> Set {
        let long = |part: &Math| flat(part).chars().count() > LONG;
        let on_the_line = |sign: Set| Set::Row(vec![self.child(math, 0, over), sign, self.child(math, 1, under)]);
        match self.place {
            Place::Inline => on_the_line(upright("/")),
            _ if long(over) || long(under) => on_the_line(binary("/")),
            _ => Set::Fraction(Box::new(self.set(over)), Box::new(self.set(under))),
        }
    }

    fn number(&self, number: Number) -> Set {
        if number.is_infinite() {
            let sign = number.is_negative().then(|| prefix("−"));
            return Set::Row(sign.into_iter().chain([upright("∞")]).collect());
        }
        let text = number.to_string();
        let (minus, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
        let part = |digits: &str| Set::Number(digits.to_string());
        let set = match digits.split_once('/') {
            Some((over, under)) if self.place != Place::Inline => {
                Set::Fraction(Box::new(part(over)), Box::new(part(under)))
            }
            _ => part(digits),
        };
        if minus { Set::Row(vec![prefix("−"), set]) } else { set }
    }

    fn sum(&self, math: &Math, terms: &[(bool, Math)]) -> Set {
        let mut row = Vec::new();
        for (i, (minus, term)) in terms.iter().enumerate() {
            match (i, minus) {
                (0, false) => {}
                (0, true) => row.push(prefix("−")),
                (_, true) => row.push(binary("−")),
                (_, false) => row.push(binary("+")),
            }
            row.push(match term.plain() {
                Math::Identity if self.place == Place::Answer => Set::Identity(Mark::Skip),
                Math::Identity => Set::Identity(Mark::Term),
                _ => self.child(math, i, term),
            });
        }
        Set::Row(row)
    }

    /// A dot stands beside what is still to be differentiated.
    fn product(&self, math: &Math, factors: &[Math]) -> Set {
        let pending = |factor: &Math| matches!(factor.plain(), Math::Derivative(..));
        let mut row = Vec::new();
        for (i, factor) in factors.iter().enumerate() {
            if i > 0 {
                let dot = pending(factor) || pending(&factors[i - 1]);
                row.push(if dot { binary("·") } else { Set::Gap });
            }
            row.push(self.child(math, i, factor));
        }
        Set::Row(row)
    }

    /// A function and its arguments; without a name, its arguments in brackets.
    fn call(&self, name: &str, args: impl Iterator<Item = Set>) -> Set {
        let inner = Set::Fence("(", Box::new(separated(args, &Set::Sign(",", Role::Comma))), ")");
        match name {
            "" => inner,
            name => Set::Row(vec![self.names.function(name), inner]),
        }
    }

    fn derivative(&self, math: &Math, of: &Math, by: &Math) -> Set {
        let differential =
            |position: usize, part: &Math| Set::Row(vec![upright("d"), self.child(math, position, part)]);
        if self.place != Place::Inline && of.weight() <= FRACTION && !self.set(of).is_tall() {
            let part = |position: usize, part: &Math| match part.plain() {
                Math::Name(name) if !name.starts_with('d') => Set::Row(vec![upright("d"), self.set(part)]),
                _ => differential(position, part),
            };
            return Set::Fraction(Box::new(part(0, of)), Box::new(part(1, by)));
        }
        Set::Row(vec![differential(0, of), upright("/"), differential(1, by)])
    }

    /// The bar stands on the letter, not on what is below at its right.
    fn bar(&self, inner: &Math) -> Set {
        match self.set(inner) {
            Set::Sub(base, under) => Set::Sub(Box::new(Set::Bar(base)), under),
            other => Set::Bar(Box::new(other)),
        }
    }
}

/// Parts with a sign between them.
fn separated(parts: impl Iterator<Item = Set>, sign: &Set) -> Set {
    let mut row = Vec::new();
    for part in parts {
        if !row.is_empty() {
            row.push(sign.clone());
        }
        row.push(part);
    }
    Set::Row(row)
}
