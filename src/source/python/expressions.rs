//! Expressions of Python as expressions of the language.

use super::statements::Converter;
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::ops::Number;
use crate::shape::Name;
use crate::source::ast::{Argument, Expr, ExprKind, IndexItem};
use crate::source::expression::number;
use crate::source::operators::refused_operator;
use ruff_python_ast::{self as python, CmpOp, Operator, UnaryOp};
use ruff_text_size::Ranged;

impl Converter<'_> {
    /// Takes a tree apart. Depth is bounded before parsing; sums and products,
    /// which are not, are walked in a loop.
    pub fn expr(&self, expr: python::Expr) -> Expr {
        let span = self.span(expr.range());
        let kind = match expr {
            python::Expr::Name(name) => ExprKind::Name(Name::from(name.id.as_str())),
            python::Expr::NumberLiteral(literal) => self.number(&literal, span),
            python::Expr::BooleanLiteral(literal) => ExprKind::Flag(literal.value),
            python::Expr::NoneLiteral(_) => ExprKind::None,
            python::Expr::EllipsisLiteral(_) => ExprKind::Ellipsis,
            python::Expr::StringLiteral(literal) => ExprKind::Text(Name::from(literal.value.to_str())),
            python::Expr::BinOp(operation) => return self.chain(operation),
            python::Expr::Compare(compare) => self.comparison(compare, span),
            python::Expr::UnaryOp(unary) => return self.unary(unary, span),
            python::Expr::Call(call) => {
                let function = self.expr(*call.func);
                let mut arguments: Vec<Argument> = Vec::from(call.arguments.args)
                    .into_iter()
                    .map(|value| Argument { keyword: None, value: self.expr(value) })
                    .collect();
                for keyword in call.arguments.keywords {
                    arguments.push(self.keyword(keyword));
                }
                ExprKind::Call(Box::new(function), arguments)
            }
            python::Expr::Attribute(attribute) => {
                let place = self.span(attribute.attr.range());
                let name = Name::from(attribute.attr.as_str());
                ExprKind::Attribute(Box::new(self.expr(*attribute.value)), name, place)
            }
            python::Expr::Subscript(subscript) => {
                let base = Box::new(self.expr(*subscript.value));
                ExprKind::Index(base, self.index(*subscript.slice))
            }
            python::Expr::Tuple(tuple) => ExprKind::Tuple(tuple.elts.into_iter().map(|e| self.expr(e)).collect()),
            python::Expr::List(list) => ExprKind::Tuple(list.elts.into_iter().map(|e| self.expr(e)).collect()),
            python::Expr::BoolOp(operation) => self.logic(operation, span),
            python::Expr::If(conditional) => {
                let start = usize::from(conditional.body.range().end());
                let place = self.sign("if", start, Span { start: span.end, end: span.end });
                let part = |part: python::Expr| Box::new(self.expr(part));
                ExprKind::If(place, part(*conditional.test), part(*conditional.body), part(*conditional.orelse))
            }
            python::Expr::ListComp(each) => self.each(*each.elt, each.generators, span),
            python::Expr::Generator(each) => self.each(*each.elt, each.generators, span),
            python::Expr::Starred(starred) => ExprKind::Starred(Box::new(self.expr(*starred.value))),
            other => ExprKind::Unsupported(Box::new(self.refused_expr(&other, span))),
        };
        Expr { kind, span }
    }

    fn logic(&self, operation: python::ExprBoolOp, span: Span) -> ExprKind {
        let word = operation.op.as_str();
        let start = operation.values.first().map_or(0, |first| usize::from(first.range().end()));
        let place = self.sign(word, start, Span { start: span.end, end: span.end });
        ExprKind::Logic(word, place, operation.values.into_iter().map(|value| self.expr(value)).collect())
    }

    /// `item for target in iter`, without conditions.
    fn each(&self, item: python::Expr, generators: Vec<python::Comprehension>, span: Span) -> ExprKind {
        let place = self.find("for", span);
        let mut generators = generators.into_iter();
        match (generators.next(), generators.next()) {
            (Some(one), None) if one.ifs.is_empty() && !one.is_async => {
                let (item, iter) = (Box::new(self.expr(item)), Box::new(self.expr(one.iter)));
                ExprKind::Each(place, item, Box::new(self.target(one.target)), iter)
            }
            _ => {
                let message = "comprehensions with conditions or several loops are not supported";
                ExprKind::Unsupported(Box::new(refuse(place, message)))
            }
        }
    }

    /// `a op b op c`: the left spine in a loop.
    fn chain(&self, operation: python::ExprBinOp) -> Expr {
        let mut links = Vec::new();
        let mut left = python::Expr::BinOp(operation);
        while let python::Expr::BinOp(operation) = left {
            let start = usize::from(operation.left.range().end());
            // The range of the operation holds the brackets around its operands.
            links.push((operation.op, start, self.span(operation.range), self.expr(*operation.right)));
            left = *operation.left;
        }
        let mut chain = self.expr(left);
        let mut level = None;
        for (op, start, span, right) in links.into_iter().rev() {
            let sign = self.sign(op.as_str(), start, right.span);
            let kind = match (binary(op), &mut chain.kind) {
                (None, _) => {
                    let told = refused_operator(op.as_str(), sign);
                    let told = told.unwrap_or_else(|| refuse(sign, &format!("{} is not supported", op.as_str())));
                    ExprKind::Unsupported(Box::new(told))
                }
                (Some((name, strength)), ExprKind::Chain(_, links)) if level == Some(strength) => {
                    links.push((name, sign, right));
                    chain.span = span;
                    continue;
                }
                (Some((name, strength)), _) => {
                    level = Some(strength);
                    ExprKind::Chain(Box::new(chain), vec![(name, sign, right)])
                }
            };
            if matches!(kind, ExprKind::Unsupported(_)) {
                level = None;
            }
            chain = Expr { kind, span };
        }
        chain
    }

    /// The place of `sign` between two operands; comments are passed over.
    fn sign(&self, sign: &str, start: usize, right: Span) -> Span {
        let base = self.base as usize;
        let end = (right.start as usize).saturating_sub(base);
        let between = self.code.get(start..end).unwrap_or("");
        let mut at = 0;
        for line in between.split_inclusive('\n') {
            let code = line.split('#').next().unwrap_or("");
            if let Some(found) = code.find(sign) {
                let start = (base + start + at + found) as u32;
                return Span { start, end: start + sign.len() as u32 };
            }
            at += line.len();
        }
        Span { start: (base + start) as u32, end: right.start }
    }

    fn comparison(&self, compare: python::ExprCompare, span: Span) -> ExprKind {
        let start = usize::from(compare.left.range().end());
        let left = self.expr(*compare.left);
        let mut rights = Vec::from(compare.comparators).into_iter().map(|right| self.expr(right));
        let (Some(op), Some(right)) = (compare.ops.first(), rights.next()) else {
            return ExprKind::Unsupported(Box::new(refuse(span, "this comparison is not supported")));
        };
        let sign = self.sign(op.as_str(), start, right.span);
        if rights.next().is_some() {
            let told = refuse(sign, "a chain of comparisons is not supported");
            return ExprKind::Unsupported(Box::new(told.help("multiply the comparisons: (a < b) * (b < c)")));
        }
        let name = match op {
            CmpOp::Eq => "eq",
            CmpOp::NotEq => "ne",
            CmpOp::Lt => "lt",
            CmpOp::LtE => "le",
            CmpOp::Gt => "gt",
            CmpOp::GtE => "ge",
            // Decided while reading, or refused there.
            CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => op.as_str(),
        };
        ExprKind::Chain(Box::new(left), vec![(name, sign, right)])
    }

    fn unary(&self, unary: python::ExprUnaryOp, span: Span) -> Expr {
        let inner = self.expr(*unary.operand);
        let kind = match unary.op {
            UnaryOp::UAdd => inner.kind,
            UnaryOp::USub => ExprKind::Unary("neg", Box::new(inner)),
            UnaryOp::Not => ExprKind::Unary("not", Box::new(inner)),
            UnaryOp::Invert => ExprKind::Unary("invert", Box::new(inner)),
        };
        Expr { kind, span }
    }

    fn number(&self, literal: &python::ExprNumberLiteral, span: Span) -> ExprKind {
        match &literal.value {
            python::Number::Complex { .. } => {
                ExprKind::Unsupported(Box::new(refuse(span, "complex numbers are not supported")))
            }
            python::Number::Int(whole) => match whole.as_i64() {
                Some(n) => ExprKind::Number(Number::whole(n)),
                None => number(self.text(literal.range()), span),
            },
            python::Number::Float(_) => number(self.text(literal.range()), span),
        }
    }

    fn keyword(&self, keyword: python::Keyword) -> Argument {
        let span = self.span(keyword.range());
        let name = keyword.arg.as_ref().map(|name| (Name::from(name.as_str()), self.span(name.range())));
        let value = self.expr(keyword.value);
        let value = match &name {
            Some(_) => value,
            None => {
                let told = refuse(span, "arguments are not unpacked: write them out");
                Expr { kind: ExprKind::Unsupported(Box::new(told)), span }
            }
        };
        Argument { keyword: name, value }
    }

    pub fn index(&self, slice: python::Expr) -> Vec<IndexItem> {
        match slice {
            python::Expr::Tuple(tuple) if !tuple.parenthesized => {
                tuple.elts.into_iter().map(|item| self.index_item(item)).collect()
            }
            item => vec![self.index_item(item)],
        }
    }

    fn index_item(&self, item: python::Expr) -> IndexItem {
        match item {
            python::Expr::Slice(slice) => {
                let part = |part: Option<Box<python::Expr>>| part.map(|part| self.expr(*part));
                IndexItem::Slice(part(slice.lower), part(slice.upper), part(slice.step))
            }
            item => IndexItem::At(self.expr(item)),
        }
    }

    /// What the language leaves out, at the word that says so.
    fn refused_expr(&self, expr: &python::Expr, span: Span) -> Diagnostic {
        let at = |word: &str| self.find(word, span);
        match expr {
            python::Expr::Lambda(_) => refuse(at("lambda"), "lambda is not supported: write the expression itself"),
            python::Expr::SetComp(_) | python::Expr::DictComp(_) => {
                refuse(at("for"), "comprehensions are not supported")
            }
            python::Expr::Dict(_) | python::Expr::Set(_) => {
                refuse(span, "sets and dictionaries are not supported").help("give each value a name")
            }
            python::Expr::Named(_) => refuse(at(":="), "definitions belong in their own line"),
            python::Expr::FString(_) | python::Expr::TString(_) | python::Expr::BytesLiteral(_) => {
                refuse(span, "a string is not a number")
            }
            _ => refuse(span, "this expression is not supported"),
        }
    }

    /// The first `word` inside `span`.
    fn find(&self, word: &str, span: Span) -> Span {
        let base = self.base;
        let inner = Span { start: span.start - base, end: span.end - base };
        match inner.of(self.code).find(word) {
            Some(at) => Span { start: span.start + at as u32, end: span.start + (at + word.len()) as u32 },
            None => span,
        }
    }
}

/// The operation's name and strength of an operator that has a derivative.
pub fn binary(op: Operator) -> Option<(&'static str, u8)> {
    match op {
        Operator::Add => Some(("add", 2)),
        Operator::Sub => Some(("sub", 2)),
        Operator::Mult => Some(("mul", 3)),
        Operator::Div => Some(("div", 3)),
        // Of sizes; of arrays it is refused where it is read.
        Operator::FloorDiv => Some(("floordiv", 3)),
        Operator::MatMult => Some(("matmul", 3)),
        Operator::Pow => Some(("power", 4)),
        // Of conditions; of others refused where they are read.
        Operator::BitAnd => Some(("both", 5)),
        Operator::BitOr => Some(("either", 6)),
        _ => None,
    }
}

fn refuse(span: Span, message: &str) -> Diagnostic {
    Diagnostic::at(Kind::UnsupportedSyntax, span, message)
}
