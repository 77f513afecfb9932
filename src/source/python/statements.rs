//! Statements of Python as statements of the language.

use super::doctest;
use super::expressions::binary;
use super::kinds::{docstring, is_guard, is_hollow, is_main, is_no_grad, names_a_lambda};
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::shape::Name;
use crate::source::ast::{Argument, Branch, Expr, ExprKind, Function, Module, Parameter, Stmt, StmtKind, Target};
use ruff_python_ast::{self as python, Expr as PyExpr, Stmt as PyStmt};
use ruff_text_size::{Ranged, TextRange};

/// Takes a tree of the parser apart.
pub struct Converter<'a> {
    /// What was parsed.
    pub code: &'a str,
    /// Where it begins in the file.
    pub base: u32,
    imports: Vec<(Name, Name)>,
    classes: Vec<Span>,
}

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Module,
    Function,
}

impl<'a> Converter<'a> {
    pub fn new(code: &'a str, base: u32) -> Converter<'a> {
        Converter { code, base, imports: Vec::new(), classes: Vec::new() }
    }

    pub fn span(&self, range: TextRange) -> Span {
        Span { start: u32::from(range.start()) + self.base, end: u32::from(range.end()) + self.base }
    }

    pub fn text(&self, range: TextRange) -> &'a str {
        self.code.get(range.to_std_range()).unwrap_or("")
    }

    pub fn module(&mut self, module: python::ModModule) -> Module {
        let mut out = Module::default();
        for (at, stmt) in module.body.into_iter().enumerate() {
            match stmt {
                PyStmt::FunctionDef(function) => out.functions.push(self.function(function)),
                PyStmt::Assign(assign) if names_a_lambda(&assign) => out.functions.extend(self.lambda(assign)),
                stmt => {
                    if let (0, Some(range)) = (at, docstring(&stmt)) {
                        out.doctests.extend(doctest::lines(self.code, range.to_std_range()));
                    }
                    out.body.push(self.stmt(stmt, Within::Module));
                }
            }
        }
        out.imports = std::mem::take(&mut self.imports);
        out.classes = std::mem::take(&mut self.classes);
        out
    }

    fn function(&mut self, function: python::StmtFunctionDef) -> Function {
        let name = Name::from(function.name.as_str());
        let span = self.span(function.name.range());
        let (params, open) = self.parameters(*function.parameters);
        let (mut body, mut doctests) = (Vec::new(), Vec::new());
        body.extend(open);
        for (at, stmt) in function.body.into_iter().enumerate() {
            match docstring(&stmt) {
                Some(range) if at == 0 => doctests = doctest::lines(self.code, range.to_std_range()),
                _ if is_hollow(&stmt) => {}
                _ => body.push(self.stmt(stmt, Within::Function)),
            }
        }
        Function { name, span, params, body, doctests }
    }

    /// `name = lambda …: e` as a function.
    fn lambda(&self, assign: python::StmtAssign) -> Option<Function> {
        let target = assign.targets.into_iter().next()?;
        let Target::Name(name, span) = self.target(target) else { return None };
        let PyExpr::Lambda(lambda) = *assign.value else { return None };
        let (params, open) = lambda.parameters.map(|parameters| self.parameters(*parameters)).unwrap_or_default();
        let place = self.span(lambda.body.range());
        let value = Stmt { kind: StmtKind::Return(self.expr(*lambda.body)), span: place };
        let body = open.into_iter().chain([value]).collect();
        Some(Function { name, span, params, body, doctests: Vec::new() })
    }

    /// The parameters, and the refusal of `*rest` among them.
    fn parameters(&self, parameters: python::Parameters) -> (Vec<Parameter>, Option<Stmt>) {
        let open = parameters.vararg.map(|rest| {
            let span = self.span(rest.range());
            let message = format!("any number of arguments, *{}, is not supported: name each", rest.name.as_str());
            Stmt { kind: self.unsupported(span, &message), span }
        });
        let all = parameters.posonlyargs.into_iter().chain(parameters.args).chain(parameters.kwonlyargs);
        (all.map(|parameter| self.parameter(parameter)).collect(), open)
    }

    fn parameter(&self, parameter: python::ParameterWithDefault) -> Parameter {
        let name = &parameter.parameter.name;
        Parameter {
            name: Name::from(name.as_str()),
            span: self.span(name.range()),
            annotation: self.annotation(parameter.parameter.annotation.as_deref()),
            default: parameter.default.map(|default| self.expr(*default)),
        }
    }

    /// A statement of a doctest.
    pub fn line(&mut self, stmt: PyStmt) -> Stmt {
        self.stmt(stmt, Within::Module)
    }

    fn stmt(&mut self, stmt: PyStmt, within: Within) -> Stmt {
        let span = self.span(stmt.range());
        let kind = match stmt {
            PyStmt::Return(python::StmtReturn { value: Some(value), .. }) => StmtKind::Return(self.expr(*value)),
            PyStmt::Assign(assign) if names_a_lambda(&assign) => match self.lambda(assign) {
                Some(function) => StmtKind::Def(Box::new(function)),
                None => self.unsupported(span, "lambda is not supported here: write a function"),
            },
            PyStmt::FunctionDef(function) => StmtKind::Def(Box::new(self.function(function))),
            PyStmt::Assign(assign) => {
                let targets = assign.targets.into_iter().map(|target| self.target(target)).collect();
                StmtKind::Assign(targets, self.expr(*assign.value))
            }
            PyStmt::AnnAssign(python::StmtAnnAssign { target, value: Some(value), .. }) => {
                StmtKind::Assign(vec![self.target(*target)], self.expr(*value))
            }
            PyStmt::AugAssign(assign) => {
                let (target, value) = (self.target(*assign.target), self.expr(*assign.value));
                match binary(assign.op) {
                    Some((name, _)) => StmtKind::Augmented(target, name, value),
                    None => self.unsupported(span, "this in-place update is not supported"),
                }
            }
            PyStmt::Expr(python::StmtExpr { value, .. }) => self.bare(*value, within),
            PyStmt::For(python::StmtFor { target, iter, body, orelse, is_async: false, .. }) if orelse.is_empty() => {
                let (place, iter) = (self.span(target.range()), self.expr(*iter));
                let target = self.target(*target);
                StmtKind::For(target, place, iter, self.body(body, within))
            }
            PyStmt::Import(import) => {
                self.import(&import);
                StmtKind::Ignored
            }
            PyStmt::ImportFrom(import) => {
                self.import_from(&import);
                StmtKind::Ignored
            }
            PyStmt::If(branch) if is_guard(&branch) || within == Within::Module && is_main(&branch) => {
                StmtKind::Ignored
            }
            PyStmt::If(branch) => self.branches(branch, within),
            PyStmt::Assert(_) | PyStmt::Delete(_) | PyStmt::Pass(_) | PyStmt::AnnAssign(_) => StmtKind::Ignored,
            PyStmt::ClassDef(class) if within == Within::Module => {
                self.classes.push(self.span(class.name.range()));
                StmtKind::Ignored
            }
            PyStmt::With(with) if is_no_grad(&with) => self.held(with, within),
            other => self.refused(&other, span),
        };
        Stmt { kind, span }
    }

    /// The lines of `with torch.no_grad():`, each value it sets hidden from the derivative.
    fn held(&mut self, with: python::StmtWith, within: Within) -> StmtKind {
        let (place, start) = (self.span(with.range), self.span(with.range).start);
        let place = Span { start: place.start, end: start + 4 };
        let mut body = self.body(with.body, within);
        for stmt in &mut body {
            match &mut stmt.kind {
                StmtKind::Assign(targets, value) if matches!(targets.as_slice(), [Target::Name(..)]) => {
                    let span = value.span;
                    let function = Expr { kind: ExprKind::Name(Name::from("detach")), span };
                    let inner = std::mem::replace(value, Expr { kind: ExprKind::None, span });
                    let argument = Argument { keyword: None, value: inner };
                    *value = Expr { kind: ExprKind::Call(Box::new(function), vec![argument]), span };
                }
                StmtKind::Ignored => {}
                _ => return self.unsupported(place, "inside torch.no_grad() only name = value is supported"),
            }
        }
        StmtKind::If(vec![Branch { test: None, place, body }])
    }

    /// The statements of a block, those that do nothing left out.
    fn body(&mut self, body: impl IntoIterator<Item = PyStmt>, within: Within) -> Vec<Stmt> {
        body.into_iter().filter(|stmt| !is_hollow(stmt)).map(|stmt| self.stmt(stmt, within)).collect()
    }

    fn branches(&mut self, branch: python::StmtIf, within: Within) -> StmtKind {
        let word = |start: u32, length: u32| Span { start, end: start + length };
        let place = word(self.span(branch.range).start, 2);
        let test = Some(self.expr(*branch.test));
        let mut branches = vec![Branch { test, place, body: self.body(branch.body, within) }];
        for clause in branch.elif_else_clauses {
            let place = word(self.span(clause.range).start, 4);
            let test = clause.test.map(|test| self.expr(test));
            branches.push(Branch { test, place, body: self.body(clause.body, within) });
        }
        StmtKind::If(branches)
    }

    /// An expression by itself.
    fn bare(&self, value: PyExpr, within: Within) -> StmtKind {
        let span = self.span(value.range());
        match &value {
            PyExpr::StringLiteral(_) | PyExpr::EllipsisLiteral(_) => return StmtKind::Ignored,
            PyExpr::Call(call) => match &*call.func {
                PyExpr::Name(name) if name.id.as_str() == "print" => return StmtKind::Ignored,
                PyExpr::Attribute(method) if method.attr.as_str().ends_with('_') => {
                    let message = "an in-place update is not supported: give the result a name";
                    return self.unsupported(span, message);
                }
                _ => {}
            },
            _ => {}
        }
        let value = match self.append(value) {
            Ok(append) => return append,
            Err(other) => other,
        };
        if within == Within::Module { StmtKind::Return(self.expr(value)) } else { StmtKind::Ignored }
    }

    /// `name.append(item)`; other expressions are given back.
    fn append(&self, value: PyExpr) -> Result<StmtKind, PyExpr> {
        let span = self.span(value.range());
        let PyExpr::Call(mut call) = value else { return Err(value) };
        let list = match &*call.func {
            PyExpr::Attribute(method) if method.attr.as_str() == "append" => match &*method.value {
                PyExpr::Name(name) => Some(Name::from(name.id.as_str())),
                _ => None,
            },
            _ => None,
        };
        match list {
            Some(name) if call.arguments.args.len() == 1 && call.arguments.keywords.is_empty() => {
                let items = std::mem::take(&mut call.arguments.args);
                match Vec::from(items).pop() {
                    Some(item) => Ok(StmtKind::Append(name, span, self.expr(item))),
                    None => Err(PyExpr::Call(call)),
                }
            }
            _ => Err(PyExpr::Call(call)),
        }
    }

    pub fn target(&self, target: PyExpr) -> Target {
        let span = self.span(target.range());
        match target {
            PyExpr::Name(name) => Target::Name(Name::from(name.id.as_str()), span),
            PyExpr::Tuple(tuple) => Target::Tuple(tuple.elts.into_iter().map(|t| self.target(t)).collect()),
            PyExpr::List(list) => Target::Tuple(list.elts.into_iter().map(|t| self.target(t)).collect()),
            PyExpr::Subscript(subscript) if matches!(*subscript.value, PyExpr::Name(_)) => {
                let name = match *subscript.value {
                    PyExpr::Name(name) => Name::from(name.id.as_str()),
                    _ => Name::from(""),
                };
                Target::Items(name, self.index(*subscript.slice), span)
            }
            PyExpr::Starred(starred) => match self.target(*starred.value) {
                Target::Name(name, place) => Target::Rest(name, place),
                other => other,
            },
            _ => {
                let message = "only names are assigned to: an entry or attribute cannot be";
                let told = Diagnostic::at(Kind::UnsupportedStatement, span, message);
                Target::Unsupported(Box::new(told.help("make the array whole: where, stack and cat do")))
            }
        }
    }

    fn refused(&self, stmt: &PyStmt, span: Span) -> StmtKind {
        let (word, message) = match stmt {
            PyStmt::While(_) => ("while", "while loops are not supported: a loop runs for k in range(N)"),
            PyStmt::For(_) => ("for", "a loop with else is not supported"),
            PyStmt::With(_) => ("with", "with blocks are not supported: take its lines out of it"),
            PyStmt::Try(_) => ("try", "try blocks are not supported"),
            PyStmt::ClassDef(_) => ("class", "classes are not supported"),
            PyStmt::Return(_) => ("return", "nothing is returned"),
            PyStmt::Raise(_) => ("raise", "raise is not supported"),
            PyStmt::Match(_) => ("match", "match is not supported"),
            PyStmt::Break(_) => ("break", "break is not supported"),
            PyStmt::Continue(_) => ("continue", "continue is not supported"),
            _ => ("", "this statement is not supported"),
        };
        let place = match word.len() as u32 {
            0 => span,
            length => Span { start: span.start, end: span.start + length },
        };
        self.unsupported(place, message)
    }

    fn unsupported(&self, span: Span, message: &str) -> StmtKind {
        StmtKind::Unsupported(Box::new(Diagnostic::at(Kind::UnsupportedStatement, span, message)))
    }

    fn import(&mut self, import: &python::StmtImport) {
        for alias in &import.names {
            let path = alias.name.as_str();
            let first = path.split('.').next().unwrap_or(path);
            self.imports.push(match &alias.asname {
                Some(name) => (Name::from(name.as_str()), Name::from(path)),
                None => (Name::from(first), Name::from(first)),
            });
        }
    }

    fn import_from(&mut self, import: &python::StmtImportFrom) {
        let Some(module) = import.module.as_ref().filter(|_| import.level == 0) else { return };
        for alias in import.names.iter().filter(|alias| alias.name.as_str() != "*") {
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            let path = format!("{}.{}", module.as_str(), alias.name.as_str());
            self.imports.push((Name::from(name.as_str()), Name::from(path)));
        }
    }
}
