//! The notation tree as JSON: an object a node, its `kind` first of all.

use crate::notation::Math;
use crate::render::flat;
use serde_json::{Value, json};

/// A formula as text and as the tree it is.
pub(super) fn formula(math: &Math) -> Value {
    json!({ "text": flat(math), "tree": tree(math) })
}

fn all(parts: &[Math]) -> Vec<Value> {
    parts.iter().map(tree).collect()
}

/// The tree of a formula.
pub(super) fn tree(math: &Math) -> Value {
    let one = |kind: &str, of: &Math| json!({ "kind": kind, "of": tree(of) });
    let two = |kind: &str, left: &Math, right: &Math| json!({ "kind": kind, "left": tree(left), "right": tree(right) });
    match math {
        Math::Name(name) => json!({ "kind": "name", "name": &**name }),
        Math::Number(number) => json!({ "kind": "number", "value": number.to_string() }),
        Math::Size(dim) => json!({ "kind": "size", "value": dim.to_string() }),
        Math::Identity => json!({ "kind": "identity" }),
        Math::Zero => json!({ "kind": "zero" }),
        Math::Ones => json!({ "kind": "ones" }),
        Math::Hole => json!({ "kind": "hole" }),
        Math::Ellipsis => json!({ "kind": "ellipsis" }),
        Math::Sum(terms) => {
            let term = |(minus, term): &(bool, Math)| json!({ "minus": minus, "term": tree(term) });
            json!({ "kind": "sum", "terms": terms.iter().map(term).collect::<Vec<_>>() })
        }
        Math::Negative(of) => one("negative", of),
        Math::Product(factors) => json!({ "kind": "product", "factors": all(factors) }),
        Math::Infix(sign, operands) => json!({ "kind": "infix", "sign": sign, "operands": all(operands) }),
        Math::Fraction(over, under) => two("fraction", over, under),
        Math::Power(base, exponent) => two("power", base, exponent),
        Math::Transpose(of) => one("transpose", of),
        Math::Inverse(of) => one("inverse", of),
        Math::Root(of) => one("root", of),
        Math::Bars(of) => one("bars", of),
        Math::Norm(of) => one("norm", of),
        Math::Indicator(of) => one("indicator", of),
        Math::Comparison(sign, left, right) => {
            json!({ "kind": "comparison", "sign": sign, "left": tree(left), "right": tree(right) })
        }
        Math::Call(name, args) => json!({ "kind": "call", "name": &**name, "args": all(args) }),
        Math::Keyword(name, of) => json!({ "kind": "keyword", "name": &**name, "of": tree(of) }),
        Math::Entry(of, at) => json!({ "kind": "entry", "of": tree(of), "at": all(at) }),
        Math::Script(name, of) => json!({ "kind": "script", "name": &**name, "of": tree(of) }),
        Math::Big(sign, index, from, to, of) => json!({
            "kind": "big", "sign": sign, "index": &**index, "from": tree(from), "to": tree(to), "of": tree(of)
        }),
        Math::Differential(of) => one("differential", of),
        Math::Derivative(of, by) => two("derivative", of, by),
        Math::Bar(of) => one("bar", of),
        Math::Gradient(of) => one("gradient", of),
        Math::Applied(map, to) => two("applied", map, to),
        Math::Inner(left, right) => two("inner", left, right),
        Math::Marked(of) => one("changed", of),
    }
}
