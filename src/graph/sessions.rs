//! What lines of a session tell: `>>> x = torch.randn(2, 4)`.

use super::program::Program;
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::shape::{Dim, Name, Shape, Unknowns};
use crate::source::ast::{Argument, Expr, ExprKind, Function, IndexItem, Module, Stmt, StmtKind, Target};
use std::collections::HashMap;

/// Functions that make an array of given sizes, and whether random ones: those are inputs.
const MAKERS: &[(&str, bool)] = &[
    ("randn", true),
    ("rand", true),
    ("normal", true),
    ("uniform", true),
    ("empty", true),
    ("random", true),
    ("standard_normal", true),
    ("zeros", false),
    ("ones", false),
    ("full", false),
    ("eye", false),
];
/// Methods that keep the shape.
const KEEPERS: &[&str] = &[
    "requires_grad_",
    "double",
    "float",
    "clone",
    "detach",
    "to",
    "cuda",
    "cpu",
    "abs",
    "exp",
    "contiguous",
    "astype",
];

/// What a name stands for in a session.
#[derive(Clone)]
enum Seen {
    Whole(usize),
    Array {
        shape: Shape,
        gradient: bool,
    },
    /// What the function gives, or the part of it at a position.
    Result(Option<usize>),
    Tuple(Vec<Seen>),
}

/// What the sessions of a file tell.
#[derive(Default)]
pub(super) struct Session {
    function: Option<Name>,
    names: HashMap<Name, (Seen, Span)>,
    /// Shapes by parameter, from calls.
    params: HashMap<Name, (Seen, Span)>,
    /// Shapes the function was seen to give.
    results: Vec<(Option<usize>, Vec<usize>, Span)>,
}

impl Session {
    /// The sessions of the module and of the function.
    pub fn read(module: &Module, function: Option<&Function>) -> Session {
        let mut session = Session { function: function.map(|f| f.name.clone()), ..Session::default() };
        let own = function.map_or(&[][..], |function| &function.doctests);
        for line in module.doctests.iter().chain(own) {
            session.line(&line.stmt, function);
            if let StmtKind::Return(expr) = &line.stmt.kind {
                session.expect(expr, &line.output, line.output_span);
            }
        }
        session
    }

    /// The lines of a script as a session.
    pub fn read_body(body: &[Stmt]) -> Session {
        let mut session = Session::default();
        body.iter().for_each(|stmt| session.line(stmt, None));
        session
    }

    /// The shape of a parameter.
    pub fn shape(&self, name: &str) -> Option<Shape> {
        self.seen(name).map(|(shape, _)| shape.clone())
    }

    /// The shape of a parameter and the line that tells it.
    pub fn seen(&self, name: &str) -> Option<(&Shape, Span)> {
        match self.params.get(name).or_else(|| self.names.get(name))? {
            (Seen::Array { shape, .. }, span) => Some((shape, *span)),
            _ => None,
        }
    }

    /// Was it made with `requires_grad=True`?
    pub fn wants_gradient(&self, name: &str) -> bool {
        let seen = self.params.get(name).or_else(|| self.names.get(name));
        matches!(seen, Some((Seen::Array { gradient: true, .. }, _)))
    }

    /// Does the line of a script only make arrays to compute with?
    pub fn makes_inputs(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Ignored => true,
            StmtKind::Assign(_, expr) => is_made(expr),
            _ => false,
        }
    }

    fn line(&mut self, stmt: &Stmt, function: Option<&Function>) {
        let StmtKind::Assign(targets, expr) = &stmt.kind else {
            if let StmtKind::Return(expr) = &stmt.kind {
                self.value(expr, function);
            }
            return;
        };
        if let Some(seen) = self.value(expr, function) {
            targets.iter().for_each(|target| self.bind(target, &seen, stmt.span));
        }
    }

    fn bind(&mut self, target: &Target, seen: &Seen, span: Span) {
        match (target, seen) {
            (Target::Name(name, _), seen) => _ = self.names.insert(name.clone(), (seen.clone(), span)),
            (Target::Tuple(targets), Seen::Tuple(items)) => {
                targets.iter().zip(items).for_each(|(target, item)| self.bind(target, item, span));
            }
            (Target::Tuple(targets), Seen::Result(None)) => {
                for (at, target) in targets.iter().enumerate() {
                    self.bind(target, &Seen::Result(Some(at)), span);
                }
            }
            _ => {}
        }
    }

    /// What an expression of a session stands for, as far as shapes go.
    fn value(&mut self, expr: &Expr, function: Option<&Function>) -> Option<Seen> {
        match &expr.kind {
            ExprKind::Name(name) => self.names.get(name).map(|(seen, _)| seen.clone()),
            ExprKind::Number(number) => match number.as_whole().and_then(|n| usize::try_from(n).ok()) {
                Some(n) => Some(Seen::Whole(n)),
                None => Some(Seen::Array { shape: Shape::scalar(), gradient: false }),
            },
            ExprKind::Tuple(items) => {
                items.iter().map(|e| self.value(e, function)).collect::<Option<_>>().map(Seen::Tuple)
            }
            ExprKind::Unary(_, inner) => self.value(inner, function),
            ExprKind::Chain(first, links) => {
                let mut left = self.value(first, function)?;
                for (name, _, right) in links {
                    left = combined(name, left, self.value(right, function)?)?;
                }
                Some(left)
            }
            ExprKind::Attribute(base, name, _) if &**name == "shape" => {
                self.value(base, function);
                None
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, function),
            _ => None,
        }
    }

    fn call(&mut self, callee: &Expr, arguments: &[Argument], function: Option<&Function>) -> Option<Seen> {
        let name = match &callee.kind {
            ExprKind::Name(name) => name,
            ExprKind::Attribute(_, name, _) => name,
            _ => return None,
        };
        if let Some(function) = function.filter(|function| function.name == *name) {
            self.arguments(function, arguments);
            return Some(Seen::Result(None));
        }
        if &**name == "tensor" || &**name == "array" {
            let shape = nested(&arguments.first()?.value)?;
            return Some(Seen::Array { shape, gradient: wants_gradient(arguments) });
        }
        if let ExprKind::Attribute(base, _, _) = &callee.kind
            && KEEPERS.contains(&&**name)
        {
            let mut seen = self.value(base, function)?;
            if let (Seen::Array { gradient, .. }, "requires_grad_") = (&mut seen, &**name) {
                *gradient = true;
                if let ExprKind::Name(known) = &base.kind
                    && let Some(entry) = self.names.get_mut(known)
                {
                    entry.0 = seen.clone();
                }
            }
            return Some(seen);
        }
        if name.ends_with("_like") {
            return self.value(&arguments.first()?.value, function);
        }
        MAKERS.iter().find(|(maker, _)| *maker == &**name)?;
        let shape = self.sizes(arguments, function)?;
        Some(Seen::Array { shape, gradient: wants_gradient(arguments) })
    }

    /// Sizes as arguments or as one tuple: `randn(2, 4)`, `ones((2, 4))`, `normal(key, (2, 4))`.
    fn sizes(&mut self, arguments: &[Argument], function: Option<&Function>) -> Option<Shape> {
        let named = |name: &str| arguments.iter().find(|a| a.keyword.as_ref().is_some_and(|(k, _)| &**k == name));
        let positional = || arguments.iter().filter(|argument| argument.keyword.is_none());
        let tuple = positional().find(|argument| matches!(argument.value.kind, ExprKind::Tuple(_)));
        let whole = |seen: Seen| match seen {
            Seen::Whole(n) => Some(Dim::size(n)),
            _ => None,
        };
        if let Some(tuple) = tuple.or_else(|| named("size")).or_else(|| named("shape")) {
            return match self.value(&tuple.value, function)? {
                Seen::Tuple(items) => items.into_iter().map(whole).collect::<Option<_>>().map(Shape),
                one => whole(one).map(|dim| Shape(vec![dim])),
            };
        }
        let dims = positional().map(|argument| self.value(&argument.value, function).and_then(whole));
        dims.collect::<Option<_>>().map(Shape)
    }

    /// What a call of the function tells about its parameters.
    fn arguments(&mut self, function: &Function, arguments: &[Argument]) {
        for (at, argument) in arguments.iter().enumerate() {
            let name = match &argument.keyword {
                Some((keyword, _)) => Some(keyword.clone()),
                None => function.params.get(at).map(|param| param.name.clone()),
            };
            let seen = self.value(&argument.value, None);
            let place = match &argument.value.kind {
                ExprKind::Name(known) => self.names.get(known).map(|(_, span)| *span),
                _ => None,
            };
            if let (Some(name), Some(seen)) = (name, seen) {
                self.params.entry(name).or_insert((seen, place.unwrap_or(argument.value.span)));
            }
        }
    }

    /// A line that shows the shape of a result, and what it showed.
    fn expect(&mut self, expr: &Expr, output: &str, span: Span) {
        let ExprKind::Attribute(base, name, _) = &expr.kind else { return };
        let seen = match &base.kind {
            ExprKind::Name(known) => self.names.get(known).map(|(seen, _)| seen.clone()),
            ExprKind::Call(callee, _) => {
                let own = matches!((&callee.kind, &self.function), (ExprKind::Name(a), Some(b)) if a == b);
                own.then_some(Seen::Result(None))
            }
            ExprKind::Index(called, items) => match (&called.kind, items.as_slice()) {
                (ExprKind::Call(callee, _), [IndexItem::At(at)]) if matches!((&callee.kind, &self.function), (ExprKind::Name(a), Some(b)) if a == b) => {
                    match &at.kind {
                        ExprKind::Number(at) => {
                            at.as_whole().and_then(|at| usize::try_from(at).ok()).map(|at| Seen::Result(Some(at)))
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        if let (Some(Seen::Result(part)), "shape", Some(sizes)) = (seen, &**name, printed(output)) {
            self.results.push((part, sizes, span));
        }
    }

    /// Compares the shapes shown with the shape that was inferred.
    ///
    /// # Errors
    /// The first line that shows another shape.
    pub fn compare(&self, program: &Program) -> Result<(), Diagnostic> {
        for (part, shown, span) in &self.results {
            let inferred = program.shape(program.output).eval(&program.sizes);
            let Some(inferred) = inferred.filter(|_| part.is_none_or(|part| part == 0)) else { continue };
            if inferred != *shown {
                let tuple = |sizes: &[usize]| Shape(sizes.iter().map(|n| Dim::size(*n)).collect()).as_tuple();
                let message = format!("the result is {}, the line shows {}", tuple(&inferred), tuple(shown));
                return Err(Diagnostic::at(Kind::ShapeMismatch, *span, message));
            }
        }
        Ok(())
    }
}

fn combined(op: &str, left: Seen, right: Seen) -> Option<Seen> {
    let array = |seen: Seen| match seen {
        Seen::Whole(_) => Some((Shape::scalar(), false)),
        Seen::Array { shape, gradient } => Some((shape, gradient)),
        _ => None,
    };
    if op == "matmul" {
        return None;
    }
    let ((a, _), (b, _)) = (array(left)?, array(right)?);
    Some(Seen::Array { shape: Unknowns::default().broadcast(&a, &b)?, gradient: false })
}

fn wants_gradient(arguments: &[Argument]) -> bool {
    let wants = |argument: &Argument| argument.keyword.as_ref().is_some_and(|(name, _)| &**name == "requires_grad");
    arguments.iter().any(|argument| wants(argument) && matches!(argument.value.kind, ExprKind::Flag(true)))
}

/// The shape of numbers written out: `[[1, 2], [3, 4]]`.
fn nested(expr: &Expr) -> Option<Shape> {
    match &expr.kind {
        ExprKind::Tuple(items) => {
            let inner = nested(items.first()?)?;
            Some(Shape([vec![Dim::size(items.len())], inner.0].concat()))
        }
        ExprKind::Number(_) | ExprKind::Unary(..) => Some(Shape::scalar()),
        _ => None,
    }
}

/// `torch.Size([2, 4])`, `(2, 4)`, `(2,)`, `()`.
fn printed(output: &str) -> Option<Vec<usize>> {
    let inner = output.strip_prefix("torch.Size([").and_then(|rest| rest.strip_suffix("])"));
    let inner = inner.or_else(|| output.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')))?;
    inner.split(',').map(str::trim).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect()
}

/// Is the right side random, or wanted for its gradient: an input of a script?
fn is_made(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Tuple(items) => !items.is_empty() && items.iter().all(is_made),
        ExprKind::Call(callee, arguments) => {
            let name = match &callee.kind {
                ExprKind::Name(name) | ExprKind::Attribute(_, name, _) => name,
                _ => return false,
            };
            if let ("requires_grad_", ExprKind::Attribute(base, _, _)) = (&**name, &callee.kind) {
                return matches!(base.kind, ExprKind::Call(..));
            }
            let random = MAKERS.iter().any(|(maker, random)| *random && *maker == &**name);
            random || wants_gradient(arguments) || &**name == "tensor"
        }
        _ => false,
    }
}
