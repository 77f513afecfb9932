//! Where a formula breaks, for formats that fill their lines themselves: between terms,
//! else between factors, else within the brackets of what is longest.

use super::typeset::{Role, Set};

impl Set {
    /// The formula in parts between which a line may end, a sign at the beginning of a
    /// part; one where it holds together. Each may break in its turn.
    pub fn parts(&self) -> Vec<Set> {
        match self {
            Set::Changed(inner) => inner.parts().into_iter().map(|part| Set::Changed(Box::new(part))).collect(),
            Set::Fence(open, inner, close) => {
                let tall = inner.is_tall();
                around(Set::Edge(open, true, tall), inner.parts(), Set::Edge(close, false, tall))
                    .unwrap_or_else(|| vec![self.clone()])
            }
            Set::Super(base, above) => {
                let mut parts = base.parts();
                match parts.pop() {
                    Some(last) if !parts.is_empty() => {
                        parts.push(Set::Super(Box::new(last), above.clone()));
                        parts
                    }
                    _ => vec![self.clone()],
                }
            }
            Set::Row(row) => row_parts(row),
            whole => vec![whole.clone()],
        }
    }

    /// How many letters and signs it has.
    pub fn letters(&self) -> usize {
        self.text().chars().count()
    }

    /// The formula as text.
    pub fn text(&self) -> String {
        let in_brackets = |set: &Set| match set {
            Set::Row(row) if row.len() > 1 => format!("({})", set.text()),
            set => set.text(),
        };
        match self {
            Set::Row(row) => row.iter().map(Set::text).collect(),
            Set::Letters(letters, _) => letters.clone(),
            Set::Number(digits) => digits.clone(),
            Set::Changed(inner) | Set::From(inner, _) => inner.text(),
            Set::Sign(sign, Role::Prefix) => (*sign).to_string(),
            Set::Sign(sign, Role::Comma) => format!("{sign} "),
            Set::Sign(sign, _) => format!(" {sign} "),
            Set::Gap => " ".into(),
            Set::Identity(_) => "I".into(),
            Set::Fence(open, inner, close) => format!("{open}{}{close}", inner.text()),
            Set::Edge(sign, ..) => (*sign).to_string(),
            Set::Fraction(over, under) => format!("{} / {}", in_brackets(over), in_brackets(under)),
            Set::Root(inner) => format!("√{}", in_brackets(inner)),
            Set::Sub(base, under) => format!("{}_{}", base.text(), in_brackets(under)),
            Set::Super(base, above) => match above.text() {
                sign if sign == "ᵀ" => base.text() + "ᵀ",
                exponent => format!("{}^{exponent}", base.text()),
            },
            Set::Bar(inner) if inner.is_word() => format!("bar({})", inner.text()),
            Set::Bar(inner) => inner.text() + "\u{304}",
            Set::Limits(sign, under, over) => format!("{sign}_{{{}}}^{{{}}} ", under.text(), over.text()),
        }
    }
}

/// Parts with something before the first and after the last, where there are several.
fn around(before: Set, mut parts: Vec<Set>, after: Set) -> Option<Vec<Set>> {
    let (first, last) = (parts.first().cloned()?, parts.len().checked_sub(1).filter(|last| *last > 0)?);
    parts[0] = Set::Row(vec![before, first]);
    parts[last] = Set::Row(vec![parts[last].clone(), after]);
    Some(parts)
}

fn row_parts(row: &[Set]) -> Vec<Set> {
    let term = |set: &Set| matches!(set, Set::Sign("+" | "−" | "/", Role::Binary));
    let sign = |set: &Set| matches!(set, Set::Sign(_, Role::Binary));
    for begins in [&term as &dyn Fn(&Set) -> bool, &sign] {
        let parts = cut(row, begins, false);
        if parts.len() > 1 {
            return parts;
        }
    }
    let factors = cut(row, &|set: &Set| *set == Set::Gap, true);
    if factors.len() > 1 {
        return factors;
    }
    // A function of something long, a long thing with something beside it.
    let longest = row.iter().enumerate().max_by_key(|(i, part)| (part.letters(), usize::MAX - i));
    let Some((at, long)) = longest else { return vec![Set::Row(row.to_vec())] };
    let beside = |part: &[Set]| Set::Row(part.to_vec());
    around(beside(&row[..at]), long.parts(), beside(&row[at + 1..])).unwrap_or_else(|| vec![Set::Row(row.to_vec())])
}

/// The row cut before the parts, or after them.
fn cut(row: &[Set], at: &dyn Fn(&Set) -> bool, after: bool) -> Vec<Set> {
    let mut parts: Vec<Vec<Set>> = vec![Vec::new()];
    for (i, part) in row.iter().enumerate() {
        let here = at(part);
        if here && !after && i > 0 {
            parts.push(Vec::new());
        }
        if let Some(last) = parts.last_mut() {
            last.push(part.clone());
        }
        if here && after {
            parts.push(Vec::new());
        }
    }
    parts.into_iter().filter(|part| !part.is_empty()).map(Set::Row).collect()
}

#[cfg(test)]
mod tests {
    use crate::notation::{Math, Page};
    use crate::render::names::Names;
    use crate::render::typeset::{Place, Set, Setter};

    fn set(math: &Math) -> Set {
        let page = Page::default();
        Setter { names: Names(&page), place: Place::Display }.set(math)
    }

    #[test]
    fn a_formula_breaks_before_signs_and_within_its_longest_brackets() {
        let n = Math::name;
        let sum = Math::sum([(false, n("a")), (true, n("b"))]);
        let table = [
            (sum.clone(), vec!["a", " − b"]),
            (Math::hadamard([n("m"), sum.clone()]), vec!["m", " ⊙ (a − b)"]),
            (Math::product([n("A"), sum.clone()]), vec!["A ", "(a − b)"]),
            (Math::call("mean", vec![sum.clone()]), vec!["mean(a", " − b)"]),
            (sum.clone().transposed(), vec!["(a", " − b)ᵀ"]),
            (n("a").transposed(), vec!["aᵀ"]),
        ];
        for (math, parts) in table {
            assert_eq!(set(&math).parts().iter().map(Set::text).collect::<Vec<_>>(), parts, "{math:?}");
        }
    }
}
