//! Expressions of the input language as nodes, over names bound to nodes and attributes.

use super::elaborate::{Elaborator, Mode};
use super::program::{NodeId, Program};
use crate::diagnostic::Diagnostic;
use crate::ops::{Attr, Attrs, OpRef};
use crate::shape::Name;
use crate::source::ast::Expr;

/// What a name of a rule stands for.
#[derive(Clone, Debug)]
pub enum Bound {
    /// A node.
    Node(NodeId),
    /// An attribute: passed on where an operation takes one, a number elsewhere.
    Attr(Attr),
}

/// The names of a rule and what they stand for. Later bindings win.
#[derive(Clone, Debug, Default)]
pub struct Env(Vec<(Name, Bound)>);

impl Env {
    /// No names.
    pub fn new() -> Env {
        Env::default()
    }

    /// Binds `name` to a node.
    #[must_use]
    pub fn node(mut self, name: &str, node: NodeId) -> Env {
        self.bind(name, Bound::Node(node));
        self
    }

    /// Binds `name` to an attribute.
    #[must_use]
    pub fn attr(mut self, name: &str, attr: Attr) -> Env {
        self.bind(name, Bound::Attr(attr));
        self
    }

    /// Binds `name`.
    pub fn bind(&mut self, name: &str, bound: Bound) {
        self.0.push((Name::from(name), bound));
    }

    /// The parameters of an operation, bound to the arguments and attributes of a call.
    pub fn of_call(op: OpRef, attrs: &Attrs, args: &[NodeId]) -> Env {
        let arrays = op.params.iter().filter(|param| param.is_array()).zip(args);
        let mut env = arrays.fold(Env::new(), |env, (param, arg)| env.node(param.name, *arg));
        attrs.0.iter().for_each(|(name, attr)| env.bind(name, Bound::Attr(attr.clone())));
        env
    }

    /// What `name` stands for.
    pub fn get(&self, name: &str) -> Option<&Bound> {
        self.0.iter().rev().find(|(n, _)| &**n == name).map(|(_, bound)| bound)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }
}

/// Adds the nodes of the expression `text`, its names bound by `env`. Numbers
/// and neutral elements are folded: 1 · x is x, x + 0 is x, 2 · 3 is 6.
///
/// # Errors
/// Text that cannot be read, names not bound, shapes that do not fit. Places
/// are places in `text`.
///
/// ```
/// use chainrule::graph::{Env, Program, build};
/// use chainrule::shape::Shape;
/// let mut program = Program::new();
/// let x = program.input("x", Shape::parse("n").unwrap());
/// let same = build(&mut program, "1 * x ** (2 - 1) + 0", &Env::new().node("x", x)).unwrap();
/// assert_eq!(same, x);
/// ```
pub fn build(program: &mut Program, text: &str, env: &Env) -> Result<NodeId, Diagnostic> {
    let expr = crate::source::expression(text)?;
    build_expr(program, &expr, text, env)
}

/// [`build`] for an expression parsed before; `text` is what it was parsed from.
///
/// # Errors
/// As [`build`].
pub fn build_expr(program: &mut Program, expr: &Expr, text: &str, env: &Env) -> Result<NodeId, Diagnostic> {
    let mut elaborator = Elaborator::new(program, text, Mode::Rule);
    elaborator.env = Some(env);
    let operand = elaborator.operand(expr)?;
    elaborator.node(&operand)
}

#[cfg(test)]
mod tests {
    use super::{Env, build};
    use crate::diagnostic::Kind;
    use crate::graph::Program;
    use crate::ops::Attr;
    use crate::shape::Shape;

    fn with_inputs() -> (Program, Env) {
        let mut program = Program::new();
        let x = program.input("x", Shape::parse("b n").unwrap());
        let y = program.input("y", Shape::parse("n").unwrap());
        let s = program.input("s", Shape::scalar());
        let two = program.call("add", &[x, x]).unwrap();
        let env = Env::new().node("x", x).node("y", y).node("s", s).node("two", two);
        (program, env.attr("axis", Attr::Axes(vec![1])).attr("eps", Attr::Text("1e-5".into())))
    }

    #[test]
    fn equal_texts_are_one_node() {
        let table = [
            ("1 * x * s", "x * s"),
            ("x + 0 * y", "x"),
            ("0 * s + x - 0", "x"),
            ("x ** (3 - 2)", "x"),
            ("s ** 0 + x", "1 + x"),
            ("--x", "x"),
            ("x + x", "two"),
            ("sum(x, axis, keepdims=True)", "x.sum(dim=-1, keepdim=True)"),
            ("sum(x)", "F.sum(x, axis=(0, 1))"),
            ("x * (eps + 1)", "x * 1.00001"),
            ("y.T", "y"),
            ("x.T.T", "x.t().transpose(0, 1)"),
            ("s * x.shape[0] * x.size(-1) * 2", "s * (2 * x.shape[-2] * len(x.T))"),
        ];
        for (one, other) in table {
            let (mut program, env) = with_inputs();
            let a = build(&mut program, one, &env).unwrap();
            let b = build(&mut program, other, &env).unwrap();
            if !one.contains(".T.T") && !one.contains("shape") {
                assert_eq!(a, b, "{one}");
            }
            assert_eq!(program.shape(a), program.shape(b), "{one}");
        }
    }

    #[test]
    fn shapes_that_a_zero_would_lose_are_kept() {
        let (mut program, env) = with_inputs();
        let node = build(&mut program, "y + 0 * x", &env).unwrap();
        assert_eq!(program.shape(node).to_string(), "b × n");
    }

    #[test]
    fn mistakes_are_told_at_their_place() {
        let table = [
            ("x @ y @ y", Kind::ShapeMismatch, "@", "x @ y is (b,)"),
            ("relu()", Kind::WrongArity, "relu()", "relu takes one argument, none given"),
            ("where(x > 0, x)", Kind::WrongArity, "where(x > 0, x)", "takes three arguments, two given"),
            ("relu(x, x)", Kind::WrongArity, "relu(x, x)", "at most one argument, two given"),
            ("sum(x, y)", Kind::BadArgument, "y", "axis is an axis, not an array"),
            ("sum(x, 2)", Kind::AxisOutOfRange, "2", "axis 2 is out of range for a matrix"),
            ("sum(x, dmi=0)", Kind::UnknownKeyword, "dmi", "takes no keyword dmi (did you mean dim?)"),
            ("rleu(x)", Kind::UnknownFunction, "rleu", "did you mean relu?"),
            ("x(3)", Kind::NotAFunction, "x", "a product is written x * (3)"),
            ("X + x", Kind::UnknownName, "X", "did you mean x?"),
            ("x.H", Kind::UnsupportedAttribute, ".H", "only .T"),
            ("'abc' + x", Kind::UnsupportedSyntax, "'abc'", "a string is not a number"),
        ];
        for (text, kind, place, says) in table {
            let (mut program, env) = with_inputs();
            let told = build(&mut program, text, &env).unwrap_err();
            assert_eq!((told.kind, told.span.unwrap().of(text)), (kind, place), "{text}: {told}");
            assert!(told.to_string().contains(says), "{text}: {told}");
        }
    }
}
