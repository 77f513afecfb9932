//! Products of powers as products, fractions, roots and powers.

use super::tree::{Head, TreeId, Trees};
use crate::form::Forms;
use crate::ops::{Attr, Notation, Number};
use crate::shape::Name;

/// Factors with exponents, multiplied entry by entry.
pub type Bag = Vec<(TreeId, Number)>;

/// Denominators up to this are short.
const LONG: i128 = 100;

/// Deviations and the variances that they are the roots of.
const DEVIATIONS: &[(&str, &str)] = &[("std", "var"), ("std_unbiased", "var_unbiased")];

/// A product of two values, entry by entry.
pub fn times(trees: &mut Trees, a: TreeId, b: TreeId) -> Option<TreeId> {
    let rank = trees.rank(a).max(trees.rank(b));
    trees.word("mul", &[], &[a, b], rank)
}

/// A value to a positive power.
fn powered(trees: &mut Trees, base: TreeId, power: Number) -> Option<TreeId> {
    let rank = trees.rank(base);
    if power == Number::ONE {
        return Some(base);
    }
    if let Some(norm) = power.times(Number::whole(2)).filter(|n| n.as_whole().is_some_and(|n| n % 2 != 0))
        && let Some(vector) = squared(trees, base)
    {
        let length = trees.word("norm", &whole_norm(trees.rank(vector)), &[vector], 0)?;
        return powered(trees, length, norm);
    }
    if Number::ratio(1, 2) == Some(power) {
        return trees.word("sqrt", &[], &[base], rank);
    }
    if power == Number::whole(2)
        && let Head::Op(op, attrs) = trees.head(base).clone()
        && let Some((_, variance)) = DEVIATIONS.iter().find(|(deviation, _)| op.name == *deviation)
    {
        let args = trees.args(base).to_vec();
        return trees.word(variance, &attrs.0, &args, rank);
    }
    if power == Number::whole(2)
        && let Some(vector) = plain_norm(trees, base)
    {
        return trees.word("matmul", &[], &[vector, vector], 0);
    }
    let power = trees.number(power);
    trees.word("power", &[], &[base, power], rank)
}

/// The vector or matrix that the value is the sum of squares of: v @ v, norm(v)², sum(A²).
fn squared(trees: &Trees, base: TreeId) -> Option<TreeId> {
    let square = |tree: TreeId| {
        let two = trees.args(tree).get(1).and_then(|power| trees.as_number(*power)) == Some(Number::whole(2));
        (trees.is_word(tree, "power") && two).then(|| trees.args(tree)[0])
    };
    match *trees.args(base) {
        [a, b] if a == b && trees.is_word(base, "matmul") && trees.rank(a) == 1 => Some(a),
        [inner] if trees.is_word(base, "sum") && trees.rank(base) == 0 => square(inner),
        _ => {
            square(base).filter(|norm| trees.is_word(*norm, "norm") && trees.rank(*norm) == 0).map(|n| trees.args(n)[0])
        }
    }
}

/// The attributes of the norm of a whole vector or matrix.
fn whole_norm(rank: usize) -> [(&'static str, Attr); 3] {
    [("axis", Attr::Axes((0..rank).collect())), ("keepdims", Attr::Flag(false)), ("ord", Attr::Text(Name::from("")))]
}

/// The vector whose norm it is, where the vector is a name: norm(x)² is x @ x.
fn plain_norm(trees: &Trees, base: TreeId) -> Option<TreeId> {
    let [vector] = trees.args(base) else { return None };
    let named = matches!(trees.head(*vector), Head::Node(_)) && trees.rank(*vector) == 1;
    // Of another order the norm has one word more.
    (trees.is_word(base, "norm") && named && trees.size(base) == 2).then_some(*vector)
}

fn product(trees: &mut Trees, factors: &[TreeId]) -> Option<TreeId> {
    let (first, rest) = factors.split_first()?;
    rest.iter().try_fold(*first, |all, next| times(trees, all, *next))
}

/// `c` times the product of the powers; `c` is not negative.
pub fn fraction(trees: &mut Trees, bag: &[(TreeId, Number)], c: Number) -> Option<TreeId> {
    let merged = merge(bag);
    if let Some(choice) = guarded(trees, &merged, c) {
        return Some(choice);
    }
    let grouped = group_powers(trees, &merged)?;
    let above: Vec<(TreeId, Number)> = grouped.iter().filter(|(_, p)| !p.is_negative()).copied().collect();
    let below: Vec<(TreeId, Number)> = grouped.iter().filter(|(_, p)| p.is_negative()).copied().collect();
    let mut top = Vec::new();
    for (base, power) in &above {
        top.push(powered(trees, *base, *power)?);
    }
    let (multiplier, divisor) = split_number(c, !top.is_empty());
    if top.is_empty()
        && multiplier == Number::ONE
        && let ([(base, power)], None) = (below.as_slice(), divisor)
        && *power != Number::whole(-1)
    {
        let exponent = trees.number(*power);
        let rank = trees.rank(*base);
        return trees.word("power", &[], &[*base, exponent], rank);
    }
    if let ([(base, power)], true, Some(by)) = (below.as_slice(), top.is_empty(), divisor)
        && multiplier == Number::ONE
        && *power != Number::whole(-1)
    {
        let (exponent, by) = (trees.number(*power), trees.number(by));
        let rank = trees.rank(*base);
        let inverse = trees.word("power", &[], &[*base, exponent], rank)?;
        return trees.word("div", &[], &[inverse, by], rank);
    }
    if multiplier != Number::ONE || top.is_empty() {
        top.insert(0, trees.number(multiplier));
    }
    let above = product(trees, &top)?;
    let mut bottom = Vec::new();
    if let Some(number) = divisor {
        bottom.push(trees.number(number));
    }
    for (base, power) in &below {
        bottom.push(powered(trees, *base, power.abs())?);
    }
    if bottom.is_empty() {
        return Some(above);
    }
    let below = product(trees, &bottom)?;
    let rank = trees.rank(above).max(trees.rank(below));
    trees.word("div", &[], &[above, below], rank)
}

/// 1[c] x as a choice, where x may have no value when c does not hold: 0 times
/// infinity is no number.
fn guarded(trees: &mut Trees, bag: &[(TreeId, Number)], c: Number) -> Option<TreeId> {
    let is_mask = |trees: &Trees, tree: TreeId| matches!(trees.head(tree), Head::Op(op, _) if Forms::is_comparison(op));
    let (masks, rest): (Bag, Bag) = bag.iter().copied().partition(|(tree, _)| is_mask(trees, *tree));
    let fragile = |(tree, power): &(TreeId, Number)| {
        let gap = power.is_negative() || power.as_whole().is_none();
        trees.fragile(*tree) || gap && trees.rank(*tree) > 0
    };
    if masks.is_empty() || !rest.iter().any(fragile) {
        return None;
    }
    let condition = product(trees, &masks.iter().map(|(tree, _)| *tree).collect::<Vec<_>>())?;
    let value = fraction(trees, &rest, c)?;
    let zero = trees.number(Number::ZERO);
    let rank = trees.rank(condition).max(trees.rank(value));
    trees.word("where", &[], &[condition, value, zero], rank)
}

/// Adds the exponents of equal factors.
fn merge(bag: &[(TreeId, Number)]) -> Bag {
    let mut merged: Bag = Vec::new();
    for (tree, power) in bag {
        match merged.iter_mut().find(|(t, _)| t == tree) {
            Some((_, sum)) => *sum = sum.plus(*power).unwrap_or(*sum),
            None => merged.push((*tree, *power)),
        }
    }
    merged.retain(|(_, p)| *p != Number::ZERO);
    merged
}

/// Factors with one whole exponent other than 1, or 1/2, under that exponent together:
/// a² b² = (a b)², a² / b² = (a / b)², √a / √b = √(a / b).
fn group_powers(trees: &mut Trees, bag: &[(TreeId, Number)]) -> Option<Bag> {
    let mut grouped: Bag = Vec::new();
    let mut seen: Vec<Number> = Vec::new();
    for (tree, power) in bag {
        let size = power.abs();
        let alike: Vec<&(TreeId, Number)> = bag.iter().filter(|(_, p)| p.abs() == size).collect();
        let joins = size.as_whole().is_some() || Number::ratio(1, 2) == Some(size);
        if size == Number::ONE || !joins || alike.len() < 2 {
            grouped.push((*tree, *power));
            continue;
        }
        if seen.contains(&size) {
            continue;
        }
        seen.push(size);
        let inverse = alike.iter().all(|(_, p)| p.is_negative());
        let unit = |p: &Number| Number::whole(if p.is_negative() == inverse { 1 } else { -1 });
        let inner: Bag = alike.iter().map(|(t, p)| (*t, unit(p))).collect();
        let base = fraction(trees, &inner, Number::ONE)?;
        grouped.push((base, if inverse { size.negated() } else { size }));
    }
    Some(grouped)
}

/// A number as what multiplies and what divides: 3 / 2 · x is 1.5 x, x / 3 is x over 3.
fn split_number(c: Number, beside: bool) -> (Number, Option<Number>) {
    let (n, d) = (c.numerator(), c.denominator());
    let over = Number::ratio(d, 1).filter(|_| d != 1);
    let decimal = is_decimal(d);
    match (over, n) {
        (None, _) => (c, None),
        (Some(over), 1) if beside && d <= 100 => (Number::ONE, Some(over)),
        (Some(_), _) if decimal => (c, None),
        (Some(over), _) => shortest_quotient(n, d).unwrap_or((Number::ratio(n, 1).unwrap_or(c), Some(over))),
    }
}

/// n / d with the zeros of n made decimal places of d, where d is long:
/// 10000000000 / 6513215599 is 1 / 0.6513215599.
fn shortest_quotient(n: i128, d: i128) -> Option<(Number, Option<Number>)> {
    let mut zeros = 0;
    while n % 10i128.pow(zeros + 1) == 0 && zeros < 20 {
        zeros += 1;
    }
    let tens = 10i128.pow(zeros);
    let round = n.abs() == tens || zeros > 2;
    if d <= LONG || !round {
        return None;
    }
    Some((Number::ratio(n / tens, 1)?, Some(Number::ratio(d, tens)?)))
}

/// Does a fraction with this denominator end as a decimal?
pub fn is_decimal(mut d: i128) -> bool {
    for p in [2, 5] {
        while d % p == 0 {
            d /= p;
        }
    }
    d == 1
}

/// Σ e_i v is the entry v[i], where e_i is a basis vector.
fn entry(trees: &mut Trees, bag: &[(TreeId, Number)]) -> Option<TreeId> {
    let at = bag.iter().position(|(tree, power)| *power == Number::ONE && basis_place(trees, *tree).is_some())?;
    let place = basis_place(trees, bag[at].0)?;
    let mut rest = bag.to_vec();
    rest.remove(at);
    let value = fraction(trees, &rest, Number::ONE)?;
    (trees.rank(value) == 1).then(|| trees.word("index", &[("at", Attr::Whole(place))], &[value], 0)).flatten()
}

/// The place of the 1 in a basis vector.
pub fn basis_place(trees: &Trees, tree: TreeId) -> Option<i64> {
    match trees.head(tree) {
        Head::Op(op, attrs) if op.notation == Notation::Basis => Some(attrs.whole("at")),
        _ => None,
    }
}

/// The sum of the entries of a vector product, as the shortest of `sum(a * b)`,
/// `a @ b`, `a @ (b * c)`, `trace(A)`; `mean` asks for the mean instead.
pub fn total(trees: &mut Trees, bag: &[(TreeId, Number)], mean: bool) -> Option<TreeId> {
    if let (Some(entry), false) = (entry(trees, bag), mean) {
        return Some(entry);
    }
    let all = fraction(trees, bag, Number::ONE)?;
    let rank = trees.rank(all);
    let axes = Attr::Axes((0..rank).collect());
    let name = if mean { "mean" } else { "sum" };
    let mut best = trees.word(name, &[("axis", axes), ("keepdims", Attr::Flag(false))], &[all], 0)?;
    if mean || rank != 1 {
        return Some(best);
    }
    if trees.is_word(all, "diag") {
        let inner = trees.args(all)[0];
        return trees.word("trace", &[], &[inner], 0);
    }
    let merged = merge(bag);
    let mut splits: Vec<(Bag, Bag)> = Vec::new();
    for i in 0..merged.len() {
        let (tree, power) = merged[i];
        if power.is_negative() || trees.rank(tree) != 1 {
            continue;
        }
        let mut rest = merged.clone();
        rest[i].1 = power.plus(Number::whole(-1))?;
        rest.retain(|(_, p)| *p != Number::ZERO);
        let whole = power.as_whole().is_some();
        if whole && rest.iter().any(|(t, p)| !p.is_negative() && trees.rank(*t) == 1) {
            splits.push((vec![(tree, Number::ONE)], rest));
        }
    }
    let half: Option<Bag> =
        merged.iter().map(|(t, p)| p.as_whole().filter(|n| n % 2 == 0).map(|n| (*t, Number::whole(n / 2)))).collect();
    if let Some(half) = half.filter(|h| h.iter().any(|(_, p)| !p.is_negative())) {
        splits.push((half.clone(), half));
    }
    for (a, b) in splits {
        let square = a == b;
        let (a, b) = (fraction(trees, &a, Number::ONE)?, fraction(trees, &b, Number::ONE)?);
        if trees.rank(a) == 1 && trees.rank(b) == 1 {
            // Inputs in their own order.
            let (a, b) = match (trees.head(a), trees.head(b)) {
                (Head::Node(x), Head::Node(y)) if y < x => (b, a),
                _ => (a, b),
            };
            let dot = trees.word("matmul", &[], &[a, b], 0)?;
            if trees.size(dot) < trees.size(best) {
                best = dot;
            }
            if square {
                let two = trees.number(Number::whole(2));
                let norm = trees.word("norm", &whole_norm(1), &[a], 0)?;
                let squared = trees.word("power", &[], &[norm, two], 0)?;
                if trees.size(squared) < trees.size(best) {
                    best = squared;
                }
            }
        }
    }
    Some(best)
}
