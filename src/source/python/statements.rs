//! Statements of Python as statements of the language.

use super::doctest;
use super::expressions::binary;
use crate::diagnostic::{Diagnostic, Kind, Span};
use crate::shape::Name;
use crate::source::ast::{Function, Module, Parameter, Stmt, StmtKind, Target};
use ruff_python_ast::{self as python, Expr as PyExpr, Stmt as PyStmt};
use ruff_text_size::{Ranged, TextRange};

/// Takes a tree of the parser apart.
pub struct Converter<'a> {
    /// What was parsed.
    pub code: &'a str,
    /// Where it begins in the file.
    pub base: u32,
    imports: Vec<(Name, Name)>,
}

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Module,
    Function,
}

impl<'a> Converter<'a> {
    pub fn new(code: &'a str, base: u32) -> Converter<'a> {
        Converter { code, base, imports: Vec::new() }
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
                stmt => {
                    if let (0, Some(range)) = (at, docstring(&stmt)) {
                        out.doctests.extend(doctest::lines(self.code, range.to_std_range()));
                    }
                    out.body.push(self.stmt(stmt, Within::Module));
                }
            }
        }
        out.imports = std::mem::take(&mut self.imports);
        out
    }

    fn function(&mut self, function: python::StmtFunctionDef) -> Function {
        let name = Name::from(function.name.as_str());
        let span = self.span(function.name.range());
        let parameters = *function.parameters;
        let all = parameters.posonlyargs.into_iter().chain(parameters.args).chain(parameters.kwonlyargs);
        let params = all.map(|parameter| self.parameter(parameter)).collect();
        let (mut body, mut doctests) = (Vec::new(), Vec::new());
        for (at, stmt) in function.body.into_iter().enumerate() {
            match docstring(&stmt) {
                Some(range) if at == 0 => doctests = doctest::lines(self.code, range.to_std_range()),
                _ if is_hollow(&stmt) => {}
                _ => body.push(self.stmt(stmt, Within::Function)),
            }
        }
        Function { name, span, params, body, doctests }
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
                match self.target(*target) {
                    Target::Name(name, place) => {
                        let iter = self.expr(*iter);
                        let body = body.into_iter().filter(|stmt| !is_hollow(stmt));
                        StmtKind::For(name, place, iter, body.map(|stmt| self.stmt(stmt, within)).collect())
                    }
                    _ => self.unsupported(span, "a loop counts with one name: for k in range(N)"),
                }
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
            PyStmt::Assert(_) | PyStmt::Delete(_) | PyStmt::Pass(_) | PyStmt::AnnAssign(_) => StmtKind::Ignored,
            PyStmt::ClassDef(_) if within == Within::Module => StmtKind::Ignored,
            other => self.refused(&other, span),
        };
        Stmt { kind, span }
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
        if within == Within::Module { StmtKind::Return(self.expr(value)) } else { StmtKind::Ignored }
    }

    fn target(&self, target: PyExpr) -> Target {
        let span = self.span(target.range());
        match target {
            PyExpr::Name(name) => Target::Name(Name::from(name.id.as_str()), span),
            PyExpr::Tuple(tuple) => Target::Tuple(tuple.elts.into_iter().map(|t| self.target(t)).collect()),
            PyExpr::List(list) => Target::Tuple(list.elts.into_iter().map(|t| self.target(t)).collect()),
            _ => {
                let message = "only names are assigned to: an entry or attribute cannot be";
                Target::Unsupported(Box::new(Diagnostic::at(Kind::UnsupportedStatement, span, message)))
            }
        }
    }

    fn refused(&self, stmt: &PyStmt, span: Span) -> StmtKind {
        let (word, message) = match stmt {
            PyStmt::While(_) => ("while", "while loops are not supported: a loop runs for k in range(N)"),
            PyStmt::For(_) => ("for", "this loop is not supported: write for k in range(N), without else"),
            PyStmt::If(_) => ("if", "a branch is not supported: use where(condition, a, b)"),
            PyStmt::With(_) => ("with", "with blocks are not supported: take its lines out of it"),
            PyStmt::Try(_) => ("try", "try blocks are not supported"),
            PyStmt::FunctionDef(_) => ("def", "functions inside functions are not supported: define it at the top"),
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

fn docstring(stmt: &PyStmt) -> Option<TextRange> {
    match stmt {
        PyStmt::Expr(bare) if matches!(&*bare.value, PyExpr::StringLiteral(_)) => Some(bare.range),
        _ => None,
    }
}

/// `...`, `pass`: a body that is not written yet.
fn is_hollow(stmt: &PyStmt) -> bool {
    match stmt {
        PyStmt::Pass(_) => true,
        PyStmt::Expr(bare) => matches!(&*bare.value, PyExpr::EllipsisLiteral(_)),
        _ => false,
    }
}

/// `if …: raise …`, which changes no value.
fn is_guard(branch: &python::StmtIf) -> bool {
    branch.elif_else_clauses.is_empty() && branch.body.iter().all(|stmt| matches!(stmt, PyStmt::Raise(_)))
}

/// `if __name__ == "__main__": …`.
fn is_main(branch: &python::StmtIf) -> bool {
    let PyExpr::Compare(compare) = &*branch.test else { return false };
    matches!(&*compare.left, PyExpr::Name(name) if name.id.as_str() == "__name__")
}
