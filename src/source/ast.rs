//! The syntax of the input language: what the parser makes of Python, with places.
//!
//! Nothing is judged here. What the language does not have is kept as
//! `Unsupported` with its place, and is an error only if the function asked for
//! reaches it.

use crate::diagnostic::{Diagnostic, Span};
use crate::ops::Number;
use crate::shape::Name;

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The functions, in order.
    pub functions: Vec<Function>,
    /// `import torch.nn.functional as F` is ("F", "torch.nn.functional");
    /// `from torch import relu` is ("relu", "torch.relu").
    pub imports: Vec<(Name, Name)>,
    /// Where the names of classes stand; nothing inside them is read.
    pub classes: Vec<Span>,
    /// Top-level statements that are neither (a script, an expression by itself).
    pub body: Vec<Stmt>,
    /// Lines of doctests, in order, of the whole file.
    pub doctests: Vec<Doctest>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Where its name stands.
    pub span: Span,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// Its statements, docstring dropped. Empty if the body is `...` or `pass`.
    pub body: Vec<Stmt>,
    /// The doctests in its docstring.
    pub doctests: Vec<Doctest>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// What its annotation says.
    pub annotation: Annotation,
    /// Its default.
    pub default: Option<Expr>,
}

/// What an annotation says of a parameter.
#[derive(Clone, Debug)]
pub enum Annotation {
    /// Nothing (none, or `torch.Tensor`).
    None,
    /// A shape: `"batch d"`, `Float[Tensor, "batch d"]`, with the place of the text.
    Shape(Name, Span),
    /// A number: `float`.
    Number,
    /// A whole number: `int`.
    Whole,
    /// `Callable`.
    Function,
}

/// A line of a doctest: `>>> x = torch.randn(2, 4)` and what follows it.
#[derive(Clone, Debug)]
pub struct Doctest {
    /// The statement, if it is one of the language; expressions are [`StmtKind::Return`].
    pub stmt: Stmt,
    /// The expected output, trimmed; empty if none is given.
    pub output: Name,
    /// Where the expected output stands.
    pub output_span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The statements of the language.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `a = e`, `a, b = e`, `a = b = e`: one target list for each `=`.
    Assign(Vec<Target>, Expr),
    /// `x += e`: target, operator as the operation's name, value.
    Augmented(Target, &'static str, Expr),
    /// `return e`, or an expression by itself at the top level.
    Return(Expr),
    /// `for k in e: …`: target, its place, what it runs over, body.
    For(Target, Span, Expr, Vec<Stmt>),
    /// `if …: … elif …: … else: …`, one branch after the other.
    If(Vec<Branch>),
    /// `name.append(e)`.
    Append(Name, Span, Expr),
    /// A function inside a function; `f = lambda x: e` is one too.
    Def(Box<Function>),
    /// `assert`, `print(…)`, a string: what does not touch values.
    Ignored,
    /// Outside the language; the diagnostic is told if it is reached.
    Unsupported(Box<Diagnostic>),
}

/// A branch of an `if`.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The condition; `None` for `else`.
    pub test: Option<Expr>,
    /// Where the word stands that begins it.
    pub place: Span,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// The left of an assignment.
#[derive(Clone, Debug)]
pub enum Target {
    /// A name.
    Name(Name, Span),
    /// `a, b`.
    Tuple(Vec<Target>),
    /// `*rest` inside a tuple.
    Rest(Name, Span),
    /// `x[i, j]` of a name, with the place of the whole.
    Items(Name, Vec<IndexItem>, Span),
    /// Outside the language (`self.x = …`).
    Unsupported(Box<Diagnostic>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The expressions of the language. Left-associative chains of operators are
/// flat, so that depth is bounded by nesting in brackets alone.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Name(Name),
    /// A number, as written.
    Number(Number),
    /// A number that does not fit, as written.
    BadNumber(Box<Diagnostic>),
    /// `True`, `False`.
    Flag(bool),
    /// `None`.
    None,
    /// `...`.
    Ellipsis,
    /// A string.
    Text(Name),
    /// `a op b op c`, from the left: first operand, then (operation's name, place of the operator, operand).
    Chain(Box<Expr>, Vec<(&'static str, Span, Expr)>),
    /// `-x`, `not x`, `~x`: operation's name, operand.
    Unary(&'static str, Box<Expr>),
    /// `a and b`, `a or b`: the word, its place, the operands.
    Logic(&'static str, Span, Vec<Expr>),
    /// `a if c else b`: place of the word, condition, first, second.
    If(Span, Box<Expr>, Box<Expr>, Box<Expr>),
    /// `[e for target in iter]`: place of the word, item, target, iter.
    Each(Span, Box<Expr>, Box<Target>, Box<Expr>),
    /// `*e` among arguments or items.
    Starred(Box<Expr>),
    /// `f(a, key=b)`.
    Call(Box<Expr>, Vec<Argument>),
    /// `a.b`, with the place of `b`.
    Attribute(Box<Expr>, Name, Span),
    /// `a[i, j]`.
    Index(Box<Expr>, Vec<IndexItem>),
    /// `(a, b)`, `[a, b]`.
    Tuple(Vec<Expr>),
    /// Outside the language; the diagnostic is told if it is reached.
    Unsupported(Box<Diagnostic>),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The keyword and its place, if there is one.
    pub keyword: Option<(Name, Span)>,
    /// The value.
    pub value: Expr,
}

/// One part of an index.
#[derive(Clone, Debug)]
pub enum IndexItem {
    /// `i`, also `None` and `...`.
    At(Expr),
    /// `a:b:c`.
    Slice(Option<Expr>, Option<Expr>, Option<Expr>),
}
