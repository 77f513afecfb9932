//! Sums, products and powers.

use super::common::{aligned, broadcast};
use super::{Attrs, Axes, Contraction, Lower, Misfit, Notation, Op, Param, Rule, Spelling, Value};
use crate::diagnostic::Kind;
use crate::shape::{Shape, Unknowns};

const X: Param = Param::array("x");
const Y: Param = Param::array("y");

pub const OPS: &[Op] = &[
    Op {
        name: "add",
        spellings: &[Spelling::everywhere("add")],
        params: &[X, Y],
        shape: broadcast,
        value: Value::Lowered,
        rule: Rule::Linear("sum"),
        lower: Lower::Sum(&[1, 1]),
        definition: None,
        notation: Notation::Infix("+"),
        axes: Axes::Elementwise,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "sum",
        sentence: "The differential of a sum is the sum of the differentials.",
    },
    Op {
        name: "sub",
        spellings: &[Spelling::everywhere("sub"), Spelling::everywhere("subtract")],
        params: &[X, Y],
        shape: broadcast,
        value: Value::Lowered,
        rule: Rule::Linear("difference"),
        lower: Lower::Sum(&[1, -1]),
        definition: None,
        notation: Notation::Infix("−"),
        axes: Axes::Elementwise,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "difference",
        sentence: "The differential of a difference is the difference of the differentials.",
    },
    Op {
        name: "neg",
        spellings: &[Spelling::everywhere("neg"), Spelling::everywhere("negative")],
        params: &[X],
        shape: broadcast,
        value: Value::Lowered,
        rule: Rule::Linear("minus sign"),
        lower: Lower::Sum(&[-1]),
        definition: None,
        notation: Notation::Negative,
        axes: Axes::Elementwise,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "minus sign",
        sentence: "A minus sign stands outside the differential.",
    },
    Op {
        name: "mul",
        spellings: &[Spelling::everywhere("mul"), Spelling::everywhere("multiply")],
        params: &[X, Y],
        shape: broadcast,
        value: Value::Binary(|x, y| x * y),
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(aligned),
        definition: None,
        notation: Notation::Hadamard,
        axes: Axes::Elementwise,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "constant factor",
        sentence: "Each factor moves in turn: d(x ⊙ y) = dx ⊙ y + x ⊙ dy.",
    },
    Op {
        name: "div",
        spellings: &[Spelling::everywhere("div"), Spelling::everywhere("divide"), Spelling::everywhere("true_divide")],
        params: &[X, Y],
        shape: broadcast,
        value: Value::Binary(|x, y| x / y),
        rule: Rule::Text("dx / y - x * dy / y ** 2"),
        lower: Lower::As("x * y ** -1"),
        definition: None,
        notation: Notation::Fraction,
        axes: Axes::Elementwise,
        domain: &[(-2.0, 2.0), (0.5, 2.0)],
        kink: None,
        undefined: &[(|v| v[1] == 0.0, "division by zero")],
        title: "quotient rule",
        sentence: "d(x / y) = dx / y − x dy / y²: the numerator moves, then the denominator.",
    },
    Op {
        name: "matmul",
        spellings: &[
            Spelling::everywhere("matmul"),
            Spelling::everywhere("mm"),
            Spelling::everywhere("mv"),
            Spelling::everywhere("bmm"),
        ],
        params: &[X, Y],
        shape: matmul,
        value: Value::Lowered,
        rule: Rule::Linear("product rule"),
        lower: Lower::Labels(matmul_labels),
        definition: None,
        notation: Notation::Product,
        axes: Axes::Labels,
        domain: &[(-2.0, 2.0)],
        kink: None,
        undefined: &[],
        title: "constant matrix factor",
        sentence: "A constant matrix stands outside the differential; of two moving factors each moves in turn, in its place: d(A B) = dA B + A dB.",
    },
];

/// Ranks 1 and 2 as in linear algebra; leading axes of higher ranks are a batch
/// and broadcast.
fn matmul(unknowns: &mut Unknowns, args: &[&Shape], _: &Attrs) -> Result<Shape, Misfit> {
    let (x, y) = (unknowns.resolve_shape(args[0]), unknowns.resolve_shape(args[1]));
    if x.rank() == 0 || y.rank() == 0 {
        return Err(Misfit::new(Kind::ShapeMismatch, "@ does not take a scalar").help("use *"));
    }
    let (inner_x, inner_y) = (x.0[x.rank() - 1].clone(), y.0[y.rank().saturating_sub(2)].clone());
    if !unknowns.equal(&inner_x, &inner_y) {
        let message = format!("inner dimensions differ: {{0}} is {} and {{1}} is {}", x.as_tuple(), y.as_tuple());
        let mut ways = Vec::new();
        if x.rank() == 2 && x.0[0] == inner_y {
            ways.push("{0}.T @ {1}");
        }
        if y.rank() == 2 && y.0[1] == inner_x {
            ways.push("{0} @ {1}.T");
        }
        if y.0[y.rank() - 1] == x.0[x.rank().saturating_sub(2)] {
            ways.push("{1} @ {0}");
        }
        let misfit = Misfit::new(Kind::ShapeMismatch, message);
        return Err(if ways.is_empty() { misfit } else { misfit.help(format!("did you mean {}?", ways.join(" or "))) });
    }
    let lead = |shape: &Shape| Shape(shape.0[..shape.rank().saturating_sub(2)].to_vec());
    let Some(Shape(mut dims)) = unknowns.broadcast(&lead(&x), &lead(&y)) else {
        return Err(Misfit::new(
            Kind::ShapeMismatch,
            format!("the leading axes of {{0}}, {}, and of {{1}}, {}, do not broadcast", x.as_tuple(), y.as_tuple()),
        ));
    };
    if x.rank() >= 2 {
        dims.push(x.0[x.rank() - 2].clone());
    }
    if y.rank() >= 2 {
        dims.push(y.0[y.rank() - 1].clone());
    }
    Ok(unknowns.resolve_shape(&Shape(dims)))
}

/// A_ik B_kj, with leading axes aligned.
fn matmul_labels(args: &[&Shape], attrs: &Attrs) -> Contraction {
    let lead: Vec<Shape> = args.iter().map(|s| Shape(s.0[..s.rank().saturating_sub(2)].to_vec())).collect();
    let mut labels = aligned(&[&lead[0], &lead[1]], attrs);
    let next = labels.args.iter().flatten().chain(&labels.out).max().map_or(0, |l| l + 1);
    let (row, inner, column) = (next, next + 1, next + 2);
    if args[0].rank() >= 2 {
        labels.args[0].push(row);
        labels.out.push(row);
    }
    labels.args[0].push(inner);
    labels.args[1].push(inner);
    if args[1].rank() >= 2 {
        labels.args[1].push(column);
        labels.out.push(column);
    }
    labels
}
