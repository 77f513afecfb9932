//! Calls: which operation a name means.

use super::dialect::{called, split};
use super::elaborate::{Elaborator, Mode, unsupported};
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span, did_you_mean};
use crate::ops::{self, Framework, OpRef, Spelling};
use crate::shape::Name;
use crate::source::ast::{Argument, Expr, ExprKind};

/// An operation as it is called, with the way of writing it.
#[derive(Clone, Copy)]
pub(super) struct Callee<'n> {
    pub op: OpRef,
    pub spelling: Option<&'static Spelling>,
    /// The name without its prefix, and the framework that prefix tells.
    pub written: (&'n str, Option<Framework>),
}

/// The arguments of a call, read.
pub(super) struct Given {
    pub positional: Vec<Operand>,
    pub keywords: Vec<(Name, Span, Operand)>,
}

impl Elaborator<'_> {
    pub fn call(&mut self, function: &Expr, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        match &function.kind {
            ExprKind::Name(name) => self.call_name(name, function.span, arguments, whole),
            ExprKind::Attribute(base, name, place) => match self.path(function) {
                Some(path) => {
                    let callee = self.callee_of_path(&path, function.span)?;
                    self.call_op(callee, None, arguments, function.span, whole)
                }
                None => self.call_method(base, name, *place, arguments, whole),
            },
            _ => {
                let value = self.expr(function)?;
                Err(not_a_function(function.span.of(self.text), value.sort(), function.span, arguments, self.text))
            }
        }
    }

    fn call_name(&mut self, name: &Name, span: Span, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        match self.lookup(name)? {
            Some(Value::Opaque(function)) => return self.call_opaque(function, arguments, whole),
            Some(Value::Defined(function)) => return self.call_defined(function, arguments, whole),
            Some(Value::Path(path)) => {
                let callee = self.callee_of_path(&path, span)?;
                return self.call_op(callee, None, arguments, span, whole);
            }
            Some(value) => return Err(not_a_function(name, value.sort(), span, arguments, self.text)),
            None => {}
        }
        let imported = self.dialect.path(name).filter(|path| path.contains('.')).map(str::to_string);
        if let Some(path) = imported {
            let callee = self.callee_of_path(&path, span)?;
            return self.call_op(callee, None, arguments, span, whole);
        }
        match self.callee(name) {
            Some(callee) => self.call_op(callee, None, arguments, span, whole),
            None => match self.builtin(name, arguments, whole)? {
                Some(value) => Ok(value),
                None => Err(self.unknown_function(name, None, span)),
            },
        }
    }

    /// The operation a bare name means: the one of that name, else the first
    /// of the table that is written so.
    fn callee<'n>(&mut self, name: &'n str) -> Option<Callee<'n>> {
        if self.mode == Mode::Rule
            && let Some(op) = ops::by_name(name)
        {
            return Some(Callee { op, spelling: None, written: (name, None) });
        }
        let home = self.dialect.home();
        let candidates = match ops::spelled(name, home) {
            found if found.is_empty() => ops::spelled(name, None),
            found => found,
        };
        let Some((op, spelling)) = preferred(&candidates, name) else {
            return ops::by_name(name).map(|op| Callee { op, spelling: None, written: (name, None) });
        };
        let differs = |(other, s): &&(OpRef, &'static Spelling)| {
            *other != op || s.preset != spelling.preset || s.order != spelling.order
        };
        if let (None, Some((_, other))) = (home, candidates.iter().find(differs)) {
            let list = |s: &Spelling| s.frameworks.iter().map(|f| called(*f)).collect::<Vec<_>>().join(" and ");
            let note = format!("{name} is read as {} has it, not as {} has it", list(spelling), list(other));
            if !self.program.assumptions.contains(&note) {
                self.program.assumptions.push(note);
            }
        }
        Some(Callee { op, spelling: Some(spelling), written: (name, home) })
    }

    fn callee_of_path<'n>(&self, path: &'n str, span: Span) -> Result<Callee<'n>, Diagnostic> {
        let Some((framework, name)) = split(path) else {
            let last = path.rsplit('.').next().unwrap_or(path);
            return Err(self.unknown_function(last, None, span));
        };
        let found = preferred(&ops::spelled(name, Some(framework)), name);
        found
            .map(|(op, spelling)| Callee { op, spelling: Some(spelling), written: (name, Some(framework)) })
            .ok_or_else(|| self.unknown_function(name, Some(framework), span))
    }

    fn call_method(
        &mut self,
        base: &Expr,
        name: &Name,
        place: Span,
        arguments: &[Argument],
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        let receiver = self.operand(base)?;
        if let Some(value) = self.structural_method(&receiver, name, arguments, whole)? {
            return Ok(value);
        }
        let home = self.dialect.home().unwrap_or(Framework::Torch);
        let candidates = match ops::spelled(name, Some(home)) {
            found if found.is_empty() => ops::spelled(name, None),
            found => found,
        };
        match preferred(&candidates, name) {
            Some((op, spelling)) => {
                let callee = Callee { op, spelling: Some(spelling), written: (name, Some(home)) };
                self.call_op(callee, Some(receiver), arguments, place, whole)
            }
            None => Err(self.unknown_function(name, None, place)),
        }
    }

    /// Reads the arguments and applies the operation; a method's receiver is
    /// the first argument.
    fn call_op(
        &mut self,
        mut callee: Callee,
        receiver: Option<Operand>,
        arguments: &[Argument],
        name: Span,
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        let mut given = Given { positional: receiver.into_iter().collect(), keywords: Vec::new() };
        self.read_arguments(arguments, &mut given)?;
        if let Some((op, spelling)) = meant_by_keyword(callee, &given) {
            given.keywords.retain(|(keyword, _, _)| spelling.given.iter().all(|(name, _)| **name != **keyword));
            callee = Callee { op, spelling: Some(spelling), ..callee };
        }
        let called = name.of(self.text).to_string();
        self.apply_call(callee, given, &called, whole)
    }

    pub fn read_arguments(&mut self, arguments: &[Argument], given: &mut Given) -> Result<(), Diagnostic> {
        for argument in arguments {
            let operand = self.operand(&argument.value)?;
            match &argument.keyword {
                Some((keyword, span)) => given.keywords.push((keyword.clone(), *span, operand)),
                None => given.positional.push(operand),
            }
        }
        Ok(())
    }

    /// A function without a body: the operation that stands for any function.
    fn call_opaque(&mut self, function: usize, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        let (name, takes, gives) = self.opaque[function].clone();
        let [Argument { keyword: None, value }] = arguments else {
            let message = format!("{name} takes one argument, {} given", arguments.len());
            return Err(Diagnostic::at(Kind::WrongArity, whole, message));
        };
        let operand = self.operand(value)?;
        let arg = self.node(&operand)?;
        let shape = self.program.shape(arg).clone();
        let same = shape.rank() == takes.rank()
            && shape.0.iter().zip(&takes.0).all(|(a, b)| self.program.unknowns.equal(a, b));
        if !same {
            let shape = self.program.unknowns.resolve_shape(&shape);
            let message = format!("{name} takes {}, its argument is {}", takes.as_tuple(), shape.as_tuple());
            return Err(Diagnostic::at(Kind::ShapeMismatch, operand.span, message));
        }
        let Some(op) = ops::by_name("function") else {
            return Err(unsupported(whole, "functions without a body are not supported"));
        };
        let attrs = vec![("name", ops::Attr::Text(name)), ("dims", ops::Attr::Dims(gives.0))];
        self.apply(op, &[(arg, operand.span)], ops::Attrs(attrs), whole, whole).map(Value::Node)
    }

    /// The refusal of a function nobody knows.
    pub fn unknown_function(&self, name: &str, framework: Option<Framework>, span: Span) -> Diagnostic {
        let message = match framework {
            Some(framework) => format!("unknown function {name} of {}", called(framework)),
            None => format!("unknown function {name}"),
        };
        let fits = |s: &&Spelling| framework.is_none_or(|f| s.frameworks.contains(&f));
        let spellings = ops::all().flat_map(|op| op.spellings.iter().filter(fits).map(|s| s.name));
        let names = ops::all().map(|op| op.name).filter(|_| framework.is_none());
        let known: Vec<&str> = names.chain(spellings).collect();
        let told = Diagnostic::at(Kind::UnknownFunction, span, message);
        match did_you_mean(name, known) {
            Some(near) => told.help(format!("did you mean {near}?")),
            None => told.help("nothing is executed: only the functions of the table are read"),
        }
    }
}

/// The operation that a keyword makes of this one: `gelu(x, approximate='tanh')`.
fn meant_by_keyword(callee: Callee, given: &Given) -> Option<(OpRef, &'static Spelling)> {
    let (name, framework) = callee.written;
    ops::spelled_given(name, framework, &|keyword| {
        let (_, _, operand) = given.keywords.iter().find(|(name, _, _)| &**name == keyword)?;
        operand.value.preset()
    })
}

/// The operation of that very name, else the first of the table.
fn preferred(candidates: &[(OpRef, &'static Spelling)], name: &str) -> Option<(OpRef, &'static Spelling)> {
    candidates.iter().find(|(op, _)| op.name == name).or_else(|| candidates.first()).copied()
}

fn not_a_function(name: &str, sort: &str, span: Span, arguments: &[Argument], text: &str) -> Diagnostic {
    let told = Diagnostic::at(Kind::NotAFunction, span, format!("{name} is {sort}, not a function"));
    match arguments {
        [one] if one.keyword.is_none() => {
            told.help(format!("a product is written {name} * ({})", one.value.span.of(text)))
        }
        _ => told,
    }
}
