//! From nodes of the graph to notation, by the record of each operation.

use super::Math;
use super::back::received;
use super::transpose::flipped;
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Attrs, Lower, MatrixProduct, Notation, Number, OpRef};
use crate::shape::{Dim, Name};
use std::cell::Cell;
use std::collections::HashMap;

/// Unnamed expressions are written out to this depth.
pub(super) const DEPTH: usize = 60;
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
    /// Nodes whose cotangents have names of their own.
    results: Vec<(NodeId, Name)>,
    /// The ranks of the names of the program, where an operand needs them.
    ranks: Option<&'a HashMap<Name, usize>>,
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
        Scribe { program, style, operand: None, results: Vec::new(), ranks: None, parts: Cell::new(0) }
    }

    /// With `operand` in place of the differential of `of`.
    pub fn operand(self, of: NodeId, operand: Math) -> Scribe<'a> {
        Scribe { operand: Some((of, operand)), ..self }
    }

    /// With the ranks of the names that stand in operands.
    pub fn ranks(self, ranks: &'a HashMap<Name, usize>) -> Scribe<'a> {
        Scribe { ranks: Some(ranks), ..self }
    }

    /// With `name` under the bar that stands for the cotangent of `result`.
    pub fn result(mut self, result: NodeId, name: Name) -> Scribe<'a> {
        self.results.push((result, name));
        self
    }

    /// The node: its name if it has one, else its expression.
    pub fn math(&self, node: NodeId) -> Math {
        self.parts.set(0);
        self.at(node, DEPTH)
    }

    /// The cotangent of a node.
    pub(super) fn math_of_cotangent(&self, of: NodeId) -> Math {
        let name = self.results.iter().find(|(result, _)| *result == of).map(|(_, name)| Math::Name(name.clone()));
        Math::Bar(Box::new(name.unwrap_or_else(|| self.math(of))))
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
            Kind::Cotangent(of) => match self.results.iter().find(|(result, _)| result == of) {
                Some((_, name)) => Math::Bar(Box::new(Math::Name(name.clone()))),
                None => Math::Bar(Box::new(self.at(*of, depth))),
            },
            Kind::Repeat(repeat) => Math::call("loop", vec![Math::Size(repeat.count.clone())]),
            Kind::Reverse(reverse) => Math::call("loop", vec![Math::Size(reverse.repeat.count.clone())]),
            Kind::Carried(position) => match args.first() {
                Some(of) => received(self.program, *of, *position)
                    .unwrap_or_else(|| Math::call("result", vec![self.at(*of, depth)])),
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
            Notation::Infix("+") => Math::sum(self.terms(node, depth).map(|term| (false, term))),
            Notation::Infix("−") => Math::sum([false, true].into_iter().zip(self.terms(node, depth))),
            Notation::Infix(sign) => Math::Infix(sign, vec![arg(0), arg(1)]),
            Notation::Negative => Math::negative(arg(0)),
            Notation::Product => self.product(node, depth),
            Notation::Hadamard => self.hadamard(node, arg(0), arg(1)),
            Notation::Fraction => {
                let under = || Math::fraction(Math::whole(1), arg(1));
                let scaled = args.get(1).and_then(|by| self.scaled(node, (*by, under()), arg(0)));
                scaled.unwrap_or_else(|| Math::fraction(arg(0), arg(1)))
            }
            Notation::Power if args.get(1).and_then(|e| self.program.number_of(*e)) == Number::parse("0.5") => {
                Math::Root(boxed(0))
            }
            Notation::Power => Math::Power(boxed(0), boxed(1)),
            Notation::Square => Math::Power(boxed(0), Box::new(Math::whole(2))),
            Notation::Transpose => self.transpose(args, arg(0)),
            Notation::MatrixTranspose => arg(0).transposed(),
            Notation::NewAxis => self.with_axes(node, depth),
            Notation::Contraction => self
                .contraction(args, (op, attrs), depth)
                .unwrap_or_else(|| self.call((op, attrs), op.name, args, self.made(node), depth)),
            Notation::Inverse => Math::Inverse(boxed(0)),
            Notation::Outer => match self.style {
                Style::Columns => self.outer(args, depth),
                Style::Written => self.call((op, attrs), "outer", args, self.made(node), depth),
            },
            Notation::Root => Math::Root(boxed(0)),
            Notation::Bars => Math::Bars(boxed(0)),
            Notation::Norm => Math::Norm(boxed(0)),
            Notation::Comparison(sign) => Math::indicator(Math::Comparison(sign, boxed(0), boxed(1))),
            Notation::Call(name) => self.call((op, attrs), name, args, self.made(node), depth),
            Notation::Entry => Math::Entry(boxed(0), vec![Math::whole(attrs.whole("at"))]),
            Notation::Slice => Math::Entry(boxed(0), self.places(args, attrs)),
            Notation::Basis => Math::Script(Name::from("e"), Box::new(Math::whole(attrs.whole("at")))),
            Notation::Identity => Math::Identity,
            Notation::Filled("0") => Math::Zero,
            Notation::Filled("1") if self.rank(node) > 0 => self.ones(node),
            Notation::Filled(text) => Number::parse(text).map_or_else(|| Math::name(text), Math::Number),
            Notation::Function => Math::call(attrs.text("name"), vec![arg(0)]),
            Notation::Jacobian => Math::Call(Name::from(format!("J_{}", attrs.text("name"))), vec![arg(0)]),
            Notation::Choice => self.choice(node, (op, attrs), depth),
            Notation::Sum => self
                .inner(args, attrs, depth)
                .or_else(|| self.summed(args, attrs, arg(0)))
                .unwrap_or_else(|| self.call((op, attrs), "sum", args, self.made(node), depth)),
            Notation::Spread => self.spread(node, args, arg(0)),
        }
    }

    /// The two operands of a sum.
    fn terms(&self, node: NodeId, depth: usize) -> [Math; 2] {
        let [a, b] = self.program.node(node).args[..] else { return [Math::Ellipsis, Math::Ellipsis] };
        [(a, b), (b, a)].map(|(arg, beside)| self.term(node, arg, beside, self.at(arg, depth)))
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

    /// A contraction that is a product of matrices.
    fn contraction(&self, args: &[NodeId], (op, attrs): (OpRef, &Attrs), depth: usize) -> Option<Math> {
        let ([a, b], Lower::Labels(labels), Style::Columns) = (args, op.lower, self.style) else { return None };
        let labels = labels(&[self.program.shape(*a), self.program.shape(*b)], attrs);
        let found = MatrixProduct::of(labels.args.first()?, labels.args.get(1)?, &labels.out)?;
        let sides = [(*a, found.turned[0]), (*b, found.turned[1])].map(|(node, turned)| {
            let side = self.at(node, depth);
            if turned { side.transposed() } else { side }
        });
        Some(Math::product(found.ordered(sides)))
    }

    /// The index that adds axes of size 1, those of unnamed values inside included.
    fn with_axes(&self, node: NodeId, depth: usize) -> Math {
        let (mut inner, mut added) = (node, Vec::<usize>::new());
        while let Some((op, attrs)) = self.program.op(inner)
            && op.notation == Notation::NewAxis
            && (inner == node || self.program.name(inner).is_none())
        {
            added.extend_from_slice(attrs.axes());
            inner = self.program.node(inner).args[0];
        }
        let mut places = vec![Math::name(":"); self.rank(inner)];
        for axis in added.into_iter().rev() {
            places.insert(axis.min(places.len()), Math::name("None"));
        }
        Math::Entry(Box::new(self.at(inner, depth)), places)
    }

    pub(super) fn rank(&self, node: NodeId) -> usize {
        self.program.shape(node).rank()
    }

    /// How matrix products are written.
    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// The program that is written.
    pub(super) fn program(&self) -> &Program {
        self.program
    }

    /// Is this 0, as a number or filled with it?
    pub(super) fn is_zero(&self, node: NodeId) -> bool {
        let filled = |(op, _): (OpRef, &Attrs)| op.notation == Notation::Filled("0");
        self.program.number_of(node) == Some(Number::ZERO) || self.program.op(node).is_some_and(filled)
    }

    /// x yᵀ; beside a single one it is x, or yᵀ.
    fn outer(&self, args: &[NodeId], depth: usize) -> Math {
        let [a, b] = args[..] else { return Math::Ellipsis };
        let one = |id: NodeId| {
            let ones = self.program.op(id).is_some_and(|(op, _)| op.notation == Notation::Filled("1"));
            ones && self.program.shape(id).0.iter().all(Dim::is_one)
        };
        match (one(a), one(b)) {
            (_, true) => self.at(a, depth),
            (true, false) => self.turned(b, depth),
            _ => Math::product([self.at(a, depth), self.turned(b, depth)]),
        }
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
    pub(super) fn turned(&self, node: NodeId, depth: usize) -> Math {
        let args = &self.program.node(node).args;
        let product = self.program.op(node).is_some_and(|(op, _)| op.notation == Notation::Product);
        match args[..] {
            [a, b] if product && self.program.name(node).is_none() && depth > 0 => match (self.rank(a), self.rank(b)) {
                (1, 2) => Math::product([self.turned(a, depth - 1), self.at(b, depth - 1)]),
                (2, 1) => Math::product([self.turned(b, depth - 1), self.at(a, depth - 1).transposed()]),
                _ => self.turned_column(self.at(node, depth)),
            },
            _ => self.turned_column(self.at(node, depth)),
        }
    }

    /// The transpose of a column: numbers in front stay, and what stands for a
    /// differential is turned factor by factor.
    pub(super) fn turned_column(&self, column: Math) -> Math {
        match (column, self.ranks) {
            (product @ Math::Product(_), Some(ranks)) => flipped(product, ranks),
            (Math::Product(mut factors), None) if matches!(factors[..], [Math::Number(_) | Math::Size(_), _]) => {
                let last = factors.pop().map(Math::transposed);
                Math::product(factors.into_iter().chain(last))
            }
            (other, _) => other.transposed(),
        }
    }

    fn transpose(&self, args: &[NodeId], x: Math) -> Math {
        match args.first().map_or(0, |arg| self.rank(*arg)) {
            0 | 1 => x,
            2 => x.transposed(),
            _ => Math::call("transpose", vec![x]),
        }
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
