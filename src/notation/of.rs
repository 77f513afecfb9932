//! From nodes of the graph to notation, by the record of each operation.

use super::Math;
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Attrs, Notation, Number, OpRef};
use crate::shape::{Dim, Name};
use std::cell::Cell;

/// Unnamed expressions are written out to this depth.
const DEPTH: usize = 60;
/// … and to this many parts.
const PARTS: usize = 3000;

/// How arrays of one axis and matrix products are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Vectors are columns: `x @ W` is Wᵀ x, `x @ y` is xᵀy.
    Columns,
    /// As in the program: `x @ W`.
    Written,
}

/// Writes nodes of one program as notation.
#[derive(Clone, Debug)]
pub struct Scribe<'a> {
    program: &'a Program,
    style: Style,
    /// What stands for the differential of a node.
    operand: Option<(NodeId, Math)>,
    /// A node whose cotangent has a short name of its own.
    result: Option<(NodeId, Name)>,
    parts: Cell<usize>,
}

/// The node as it stands on the page of a derivative: its name if it has one,
/// else its expression.
pub fn of(program: &Program, node: NodeId) -> Math {
    Scribe::new(program, Style::Columns).math(node)
}

impl<'a> Scribe<'a> {
    /// Writes nodes of `program`.
    pub fn new(program: &'a Program, style: Style) -> Scribe<'a> {
        Scribe { program, style, operand: None, result: None, parts: Cell::new(0) }
    }

    /// With `operand` in place of the differential of `of`.
    pub fn operand(self, of: NodeId, operand: Math) -> Scribe<'a> {
        Scribe { operand: Some((of, operand)), ..self }
    }

    /// With `name` under the bar that stands for the cotangent of `result`.
    pub fn result(self, result: NodeId, name: Name) -> Scribe<'a> {
        Scribe { result: Some((result, name)), ..self }
    }

    /// The node: its name if it has one, else its expression.
    pub fn math(&self, node: NodeId) -> Math {
        self.parts.set(0);
        self.at(node, DEPTH)
    }

    /// The node's expression, also if it has a name.
    pub fn definition(&self, node: NodeId) -> Math {
        self.parts.set(0);
        self.expression(node, DEPTH)
    }

    // Recursion is bounded by `depth`, its breadth by the number of parts.
    pub(super) fn at(&self, node: NodeId, depth: usize) -> Math {
        self.parts.set(self.parts.get() + 1);
        match self.program.name(node) {
            _ if depth == 0 || self.parts.get() > PARTS => Math::Ellipsis,
            Some(name) => Math::Name(name.clone()),
            None => self.expression(node, depth - 1),
        }
    }

    fn expression(&self, node: NodeId, depth: usize) -> Math {
        let args = &self.program.node(node).args;
        match &self.program.node(node).kind {
            Kind::Input(name) => Math::Name(name.clone()),
            Kind::Number(number) => Math::Number(*number),
            Kind::Size(dim) => Math::Size(dim.clone()),
            Kind::Hole(of) => match &self.operand {
                Some((hole, operand)) if hole == of => operand.clone(),
                _ => Math::differential(self.at(*of, depth)),
            },
            Kind::Cotangent(of) => match &self.result {
                Some((result, name)) if result == of => Math::Bar(Box::new(Math::Name(name.clone()))),
                _ => Math::Bar(Box::new(self.at(*of, depth))),
            },
            Kind::Repeat(repeat) => Math::call("loop", vec![Math::Size(repeat.count.clone())]),
            Kind::Carried(_) => match args.first() {
                Some(of) => Math::call("result", vec![self.at(*of, depth)]),
                None => Math::Ellipsis,
            },
            Kind::Apply(op, attrs) => self.applied(node, (op, attrs), depth),
        }
    }

    fn applied(&self, node: NodeId, (op, attrs): (OpRef, &Attrs), depth: usize) -> Math {
        let args = &self.program.node(node).args;
        let arg = |i: usize| args.get(i).map_or(Math::Ellipsis, |arg| self.at(*arg, depth));
        let boxed = |i: usize| Box::new(arg(i));
        match op.notation {
            Notation::Infix("+") => Math::sum([(false, arg(0)), (false, arg(1))]),
            Notation::Infix("−") => Math::sum([(false, arg(0)), (true, arg(1))]),
            Notation::Infix(sign) => Math::Infix(sign, vec![arg(0), arg(1)]),
            Notation::Negative => Math::negative(arg(0)),
            Notation::Product => self.product(node, depth),
            Notation::Hadamard => self.hadamard(args, arg(0), arg(1)),
            Notation::Fraction => Math::fraction(arg(0), arg(1)),
            Notation::Power => Math::Power(boxed(0), boxed(1)),
            Notation::Square => Math::Power(boxed(0), Box::new(Math::whole(2))),
            Notation::Transpose => self.transpose(args, arg(0)),
            Notation::Inverse => Math::Inverse(boxed(0)),
            Notation::Outer => match self.style {
                Style::Columns => {
                    Math::product([arg(0), args.get(1).map_or(Math::Ellipsis, |b| self.turned(*b, depth))])
                }
                Style::Written => self.call(op, "outer", attrs, args, depth),
            },
            Notation::Root => Math::Root(boxed(0)),
            Notation::Bars => Math::Bars(boxed(0)),
            Notation::Norm => Math::Norm(boxed(0)),
            Notation::Comparison(sign) => Math::indicator(Math::Comparison(sign, boxed(0), boxed(1))),
            Notation::Call(name) => self.call(op, name, attrs, args, depth),
            Notation::Entry => Math::Entry(boxed(0), vec![Math::whole(attrs.whole("at"))]),
            Notation::Slice => Math::Entry(boxed(0), self.places(args, attrs)),
            Notation::Basis => Math::Script(Name::from("e"), Box::new(Math::whole(attrs.whole("at")))),
            Notation::Identity => Math::Identity,
            Notation::Filled("0") => Math::Zero,
            Notation::Filled("1") if self.rank(node) > 0 => self.ones(node),
            Notation::Filled(text) => Number::parse(text).map_or_else(|| Math::name(text), Math::Number),
            Notation::Function => Math::call(attrs.text("name"), vec![arg(0)]),
            Notation::Jacobian => Math::Call(Name::from(format!("J_{}", attrs.text("name"))), vec![arg(0)]),
            Notation::Choice => self.choice(op, attrs, args, depth),
            Notation::Sum => {
                self.summed(args, attrs, arg(0)).unwrap_or_else(|| self.call(op, "sum", attrs, args, depth))
            }
            Notation::Spread => self.spread(node, args, arg(0)),
        }
    }

    /// The index of an entry or a slice: a colon for each axis that is whole.
    fn places(&self, args: &[NodeId], attrs: &Attrs) -> Vec<Math> {
        let along = attrs.axes().first().copied().unwrap_or(0);
        let rank = args.first().map_or(0, |arg| self.rank(*arg));
        let place = match attrs.get("at") {
            Some(_) => Math::Size(attrs.dim("at")),
            None => {
                let (start, end, step) = attrs.span();
                let from = if start.as_size() == Some(0) { String::new() } else { start.to_string() };
                let by = if step == 1 { String::new() } else { format!(":{step}") };
                Math::Name(Name::from(format!("{from}:{end}{by}")))
            }
        };
        (0..rank).map(|axis| if axis == along { place.clone() } else { Math::name(":") }).collect()
    }

    pub(super) fn rank(&self, node: NodeId) -> usize {
        self.program.shape(node).rank()
    }

    /// The program that is written.
    pub(super) fn program(&self) -> &Program {
        self.program
    }

    /// Is this 0, as a number or filled with it?
    fn is_zero(&self, node: NodeId) -> bool {
        let filled = |(op, _): (OpRef, &Attrs)| op.notation == Notation::Filled("0");
        self.program.number_of(node) == Some(Number::ZERO) || self.program.op(node).is_some_and(filled)
    }

    /// A matrix product; on a page of columns an array of one axis on the left
    /// is the column on the right: x @ W is Wᵀ x.
    fn product(&self, node: NodeId, depth: usize) -> Math {
        let args = &self.program.node(node).args;
        let [a, b] = args[..] else { return Math::Ellipsis };
        let (rank_x, rank_y) = (self.rank(a), self.rank(b));
        let (x, y) = (|| self.at(a, depth), || self.at(b, depth));
        match (self.style, rank_x, rank_y) {
            _ if rank_x > 2 && rank_y > 1 && self.rank(node) + rank_y == rank_x => {
                Math::Applied(Box::new(x()), Box::new(y()))
            }
            (Style::Written, ..) => Math::Infix("@", vec![x(), y()]),
            (Style::Columns, 1, 1) => Math::product([self.turned(a, depth), y()]),
            (Style::Columns, 1, 2) => Math::product([y().transposed(), x()]),
            _ => Math::product([x(), y()]),
        }
    }

    /// The row of a column: that of a product of a matrix and a column is the
    /// product the other way round, (A x)ᵀ = xᵀ Aᵀ.
    fn turned(&self, node: NodeId, depth: usize) -> Math {
        let args = &self.program.node(node).args;
        let product = self.program.op(node).is_some_and(|(op, _)| op.notation == Notation::Product);
        match args[..] {
            [a, b] if product && self.program.name(node).is_none() && depth > 0 => match (self.rank(a), self.rank(b)) {
                (1, 2) => Math::product([self.turned(a, depth - 1), self.at(b, depth - 1)]),
                (2, 1) => Math::product([self.turned(b, depth - 1), self.at(a, depth - 1).transposed()]),
                _ => self.at(node, depth).transposed(),
            },
            _ => self.at(node, depth).transposed(),
        }
    }

    /// ⊙, or side by side with a scalar.
    fn hadamard(&self, args: &[NodeId], x: Math, y: Math) -> Math {
        let [a, b] = args[..] else { return Math::hadamard([x, y]) };
        match (self.rank(a), self.rank(b)) {
            (0, 0) if self.program.number_of(b).is_some() => Math::product([y, x]),
            (0, _) => Math::product([scalar(x), y]),
            (_, 0) => Math::product([scalar(y), x]),
            // In a tree the argument stands first: • ⊙ m.
            _ if self.style == Style::Written && y == Math::Hole => Math::hadamard([y, x]),
            _ => Math::hadamard([x, y]),
        }
    }

    fn transpose(&self, args: &[NodeId], x: Math) -> Math {
        match args.first().map_or(0, |arg| self.rank(*arg)) {
            0 | 1 => x,
            2 => x.transposed(),
            _ => Math::call("transpose", vec![x]),
        }
    }

    /// `where(c, x, 0)` is 1[c] ⊙ x.
    fn choice(&self, op: OpRef, attrs: &Attrs, args: &[NodeId], depth: usize) -> Math {
        let [c, x, y] = args[..] else { return Math::Ellipsis };
        if !self.is_zero(y) {
            let mut call = self.call(op, op.name, attrs, args, depth);
            // A condition by itself needs no brackets that make it a number.
            if let Math::Call(_, written) = &mut call
                && let Some(Math::Indicator(condition)) = written.first()
            {
                written[0] = (**condition).clone();
            }
            return call;
        }
        let (condition, value) = (Math::indicator(self.at(c, depth)), self.at(x, depth));
        match (self.rank(c), self.rank(x)) {
            _ if value == Math::Number(Number::ONE) => condition,
            (0, _) | (_, 0) => Math::product([scalar(condition), value]),
            _ if self.style == Style::Written && value == Math::Hole => Math::hadamard([value, condition]),
            _ => Math::hadamard([condition, value]),
        }
    }

    /// Sums of vectors and matrices as products with the vector of ones.
    fn summed(&self, args: &[NodeId], attrs: &Attrs, x: Math) -> Option<Math> {
        let row = || Math::Ones.transposed();
        let dims = &self.program.shape(*args.first()?).0;
        // Of one entry there is nothing to add up: a column of one number is that number.
        let single = |axis: &usize| dims.get(*axis).is_some_and(Dim::is_one);
        match (self.style, self.rank(*args.first()?), attrs.axes()) {
            (Style::Columns, _, axes)
                if axes.iter().all(single) && axes.last().is_some_and(|axis| axis + 1 == dims.len()) =>
            {
                Some(x)
            }
            (Style::Columns, 0, _) => Some(x),
            (Style::Columns, 1, [0]) => Some(Math::product([row(), x])),
            (Style::Columns, 2, [0]) => Some(Math::product([row(), x])),
            (Style::Columns, 2, [1]) => Some(Math::product([x, Math::Ones])),
            (Style::Columns, 2, [0, 1]) => Some(Math::product([row(), x, Math::Ones])),
            _ => None,
        }
    }

    /// 1 as a column, 1ᵀ as a row, 1 1ᵀ.
    fn ones(&self, node: NodeId) -> Math {
        match &self.program.shape(node).0[..] {
            [m, n] if self.style == Style::Columns && !n.is_one() => match m.is_one() {
                true => Math::Ones.transposed(),
                false => Math::product([Math::Ones, Math::Ones.transposed()]),
            },
            _ => Math::Ones,
        }
    }

    /// A value repeated along axes it lacks.
    fn spread(&self, node: NodeId, args: &[NodeId], x: Math) -> Math {
        match (self.style, args.first().map_or(0, |arg| self.rank(*arg)), self.rank(node)) {
            (Style::Columns, 0, 1) => Math::product([scalar(x), Math::Ones]),
            (Style::Columns, 0, 2) => Math::product([scalar(x), Math::Ones, Math::Ones.transposed()]),
            (Style::Columns, 1, 2) => {
                Math::product([Math::Ones, args.first().map_or(x, |arg| self.turned(*arg, DEPTH))])
            }
            _ => x,
        }
    }
}

/// A scalar beside a vector or matrix: an inner product is kept together.
fn scalar(math: Math) -> Math {
    match math {
        Math::Product(factors) if factors.iter().any(|f| matches!(f, Math::Transpose(_))) => {
            Math::call("", vec![Math::Product(factors)])
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Scribe, Style, of};
    use crate::graph::{NodeId, Program};
    use crate::render::flat;
    use crate::shape::Shape;

    fn input(program: &mut Program, name: &str, shape: &str) -> NodeId {
        program.input(name, Shape::parse(shape).unwrap())
    }

    fn call(program: &mut Program, name: &str, args: &[NodeId]) -> NodeId {
        program.call(name, args).unwrap()
    }

    #[test]
    fn vectors_are_columns() {
        let mut p = Program::new();
        let (x, w, v) = (input(&mut p, "x", "n"), input(&mut p, "W", "n m"), input(&mut p, "v", "m"));
        let m = input(&mut p, "X", "b n");
        let table =
            [([x, w], "Wᵀx", "x @ W"), ([x, x], "xᵀx", "x @ x"), ([w, v], "W v", "W @ v"), ([m, w], "X W", "X @ W")];
        for (args, columns, written) in table {
            let node = call(&mut p, "matmul", &args);
            assert_eq!(flat(&of(&p, node)), columns);
            assert_eq!(flat(&Scribe::new(&p, Style::Written).math(node)), written);
        }
    }

    #[test]
    fn masks_and_products_stand_apart() {
        let mut p = Program::new();
        let (dx, w1, w2) = (input(&mut p, "dx", "b d"), input(&mut p, "w1", "d f"), input(&mut p, "w2", "f d"));
        let z = input(&mut p, "z", "b f");
        let zero = p.number(crate::ops::Number::ZERO);
        let positive = call(&mut p, "gt", &[z, zero]);
        let inner = call(&mut p, "matmul", &[dx, w1]);
        let masked = call(&mut p, "where", &[positive, inner, zero]);
        let outer = call(&mut p, "matmul", &[masked, w2]);
        let sum = call(&mut p, "add", &[dx, outer]);
        assert_eq!(flat(&of(&p, sum)), "dx + (1[z > 0] ⊙ (dx w1)) w2");
    }

    #[test]
    fn deep_expressions_are_cut_short() {
        let mut p = Program::new();
        let mut x = input(&mut p, "x", "n");
        for _ in 0..5000 {
            let doubled = call(&mut p, "add", &[x, x]);
            x = call(&mut p, "relu", &[doubled]);
        }
        assert!(flat(&of(&p, x)).contains('⋯'));
    }
}
