//! Programs built with operators, from Rust.

use super::build::{Env, build};
use super::callee::{Callee, Given};
use super::elaborate::{Elaborator, Mode};
use super::expression::{finish, name_value, suggest};
use super::program::{NodeId, Program};
use super::request::Request;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span};
use crate::ops::{self, Number};
use crate::shape::{Name, Shape};
use crate::source::is_name;
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;

/// Builds a program with operators.
///
/// Mistakes are kept and told by [`Builder::finish`], so that formulas can be
/// written without `?`.
///
/// ```
/// use chainrule::graph::Builder;
/// # fn main() -> Result<(), chainrule::diagnostic::Diagnostics> {
/// let b = Builder::new();
/// let x = b.input("x", "d_model");
/// let (w1, b1) = (b.input("w1", "d_model d_ff"), b.input("b1", "d_ff"));
/// let (w2, b2) = (b.input("w2", "d_ff d_model"), b.input("b2", "d_model"));
/// let h = (x.matmul(&w1) + &b1).relu().named("h");
/// let out = &x + h.matmul(&w2) + &b2;
/// let program = b.finish(&out)?;
/// assert_eq!(program.shape(program.output).to_string(), "d_model");
/// assert_eq!(program.definitions[0].text, "relu(x @ w1 + b1)");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder(Rc<RefCell<State>>);

#[derive(Debug, Default)]
struct State {
    program: Program,
    told: Diagnostics,
}

/// A value of a program that is being built.
#[derive(Clone, Debug)]
pub struct Var {
    builder: Builder,
    /// `None` where a mistake was made; it has been noted.
    node: Option<NodeId>,
}

impl Builder {
    /// A builder without inputs.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// An input with its shape: dimensions separated by spaces, `""` a scalar.
    pub fn input(&self, name: &str, shape: &str) -> Var {
        let bad = |message: String| Err(Diagnostic::new(Kind::BadDeclaration, message));
        self.var(|program| match Shape::parse(shape) {
            _ if !is_name(name) => bad(format!("\"{name}\" is no name")),
            _ if program.input_named(name).is_some() => {
                Err(Diagnostic::new(Kind::DuplicateName, format!("{name} is already an input")))
            }
            Ok(shape) => Ok(program.input(name, shape)),
            Err(why) => bad(format!("the shape of {name}: {why}")),
        })
    }

    /// An exact number.
    pub fn number(&self, number: Number) -> Var {
        self.var(|program| Ok(program.number(number)))
    }

    /// An operation by name or spelling, its attributes at rest.
    pub fn apply(&self, op: &str, args: &[&Var]) -> Var {
        let Some(nodes) = self.nodes(args) else { return self.broken() };
        self.var(|program| {
            let found = ops::by_name(op).or_else(|| ops::spelled(op, None).first().map(|(op, _)| *op));
            let mut elaborator = Elaborator::new(program, "", Mode::Aside);
            let Some(found) = found else { return Err(elaborator.unknown_function(op, None, Span::default())) };
            let operand = |node| Operand { value: Value::Node(node), span: Span::default() };
            let given = Given { positional: nodes.into_iter().map(operand).collect(), keywords: Vec::new() };
            let callee = Callee { op: found, spelling: None, written: (op, None) };
            match elaborator.apply_call(callee, given, op, Span::default())? {
                Value::Node(node) => Ok(node),
                _ => Err(Diagnostic::new(Kind::NotAValue, format!("{op} gives no value"))),
            }
        })
    }

    /// An expression of the input language over named values:
    /// `b.express("softmax(z, axis=-1)", &[("z", &z)])`.
    pub fn express(&self, text: &str, names: &[(&str, &Var)]) -> Var {
        let vars: Vec<&Var> = names.iter().map(|(_, var)| *var).collect();
        let Some(nodes) = self.nodes(&vars) else { return self.broken() };
        let env = names.iter().zip(nodes).fold(Env::new(), |env, ((name, _), node)| env.node(name, node));
        self.var(|program| build(program, text, &env))
    }

    /// The program with `output` as its result.
    ///
    /// # Errors
    /// Every mistake that was made on the way.
    pub fn finish(&self, output: &Var) -> Result<Program, Diagnostics> {
        let node = self.nodes(&[output]).and_then(|nodes| nodes.first().copied());
        let mut state = self.0.borrow_mut();
        let Some(node) = node.filter(|_| state.told.is_empty()) else { return Err(state.told.clone()) };
        let mut program = state.program.clone();
        drop(std::mem::take(&mut state.told));
        program.output = node;
        suggest(&mut program);
        finish(&mut program, &Request::default()).map_err(|told| vec![told])?;
        Ok(program)
    }

    fn var(&self, make: impl FnOnce(&mut Program) -> Result<NodeId, Diagnostic>) -> Var {
        let state = &mut *self.0.borrow_mut();
        let node = match make(&mut state.program) {
            Ok(node) => Some(node),
            Err(told) => {
                // There is no text for a place to be in.
                state.told.push(Diagnostic { span: None, labels: Vec::new(), ..told });
                None
            }
        };
        Var { builder: self.clone(), node }
    }

    fn broken(&self) -> Var {
        Var { builder: self.clone(), node: None }
    }

    /// The nodes of the arguments, unless one is missing or of another program.
    fn nodes(&self, args: &[&Var]) -> Option<Vec<NodeId>> {
        if args.iter().any(|arg| !Rc::ptr_eq(&arg.builder.0, &self.0)) {
            let message = "values of two builders are used together";
            self.0.borrow_mut().told.push(Diagnostic::new(Kind::BadArgument, message));
            return None;
        }
        args.iter().map(|arg| arg.node).collect()
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $method:ident = $op:literal),+ $(,)?) => {
        impl Var {
            $($(#[$doc])* #[must_use] pub fn $method(&self) -> Var { self.builder.apply($op, &[self]) })+
        }
    };
}

functions! {
    /// max(x, 0), entry by entry.
    relu = "relu",
    /// The hyperbolic tangent, entry by entry.
    tanh = "tanh",
    /// 1 / (1 + e⁻ˣ), entry by entry.
    sigmoid = "sigmoid",
    /// The exponential, entry by entry.
    exp = "exp",
    /// The natural logarithm, entry by entry.
    log = "log",
    /// The square root, entry by entry.
    sqrt = "sqrt",
    /// The sum of all entries.
    sum = "sum",
    /// The mean of all entries.
    mean = "mean",
    /// The transpose of a matrix.
    t = "transpose",
}

impl Var {
    /// The matrix product.
    #[must_use]
    pub fn matmul(&self, other: &Var) -> Var {
        self.builder.apply("matmul", &[self, other])
    }

    /// A whole power, entry by entry.
    #[must_use]
    pub fn pow(&self, exponent: i64) -> Var {
        self.builder.apply("power", &[self, &self.builder.number(Number::whole(exponent))])
    }

    /// The value under a name, as an assignment in a program would give it.
    #[must_use]
    pub fn named(self, name: &str) -> Var {
        if let Some(node) = self.node {
            let program = &mut self.builder.0.borrow_mut().program;
            let text = super::formula::formula(program, node);
            name_value(program, &Name::from(name), node, text);
        }
        self
    }
}

macro_rules! operators {
    ($($trait:ident :: $method:ident = $op:literal),+) => {$(
        impl $trait<&Var> for &Var {
            type Output = Var;
            fn $method(self, other: &Var) -> Var {
                self.builder.apply($op, &[self, other])
            }
        }
        impl $trait<Var> for &Var {
            type Output = Var;
            fn $method(self, other: Var) -> Var {
                self.$method(&other)
            }
        }
        impl $trait<&Var> for Var {
            type Output = Var;
            fn $method(self, other: &Var) -> Var {
                (&self).$method(other)
            }
        }
        impl $trait<Var> for Var {
            type Output = Var;
            fn $method(self, other: Var) -> Var {
                (&self).$method(&other)
            }
        }
        impl $trait<i64> for &Var {
            type Output = Var;
            fn $method(self, other: i64) -> Var {
                self.$method(self.builder.number(Number::whole(other)))
            }
        }
        impl $trait<i64> for Var {
            type Output = Var;
            fn $method(self, other: i64) -> Var {
                (&self).$method(other)
            }
        }
        impl $trait<&Var> for i64 {
            type Output = Var;
            fn $method(self, other: &Var) -> Var {
                other.builder.number(Number::whole(self)).$method(other)
            }
        }
        impl $trait<Var> for i64 {
            type Output = Var;
            fn $method(self, other: Var) -> Var {
                self.$method(&other)
            }
        }
    )+};
}

operators!(Add::add = "add", Sub::sub = "sub", Mul::mul = "mul", Div::div = "div");

impl Neg for &Var {
    type Output = Var;
    fn neg(self) -> Var {
        self.builder.apply("neg", &[self])
    }
}

impl Neg for Var {
    type Output = Var;
    fn neg(self) -> Var {
        -&self
    }
}

#[cfg(test)]
mod tests {
    use super::Builder;
    use crate::diagnostic::Kind;
    use crate::graph::{Request, read_expression};

    #[test]
    fn operators_build_what_the_text_says() {
        let b = Builder::new();
        let (x, y) = (b.input("x", "n"), b.input("y", "n"));
        let out = (2 * &x - &y / 3).pow(2) * -(x.matmul(&y)) + b.express("softmax(z, axis=-1)", &[("z", &y)]);
        let program = b.finish(&out).unwrap();
        let mut request = Request::default();
        request.declare("x", "n").unwrap();
        request.declare("y", "n").unwrap();
        let text = "(2 * x - y / 3) ** 2 * -(x @ y) + softmax(y, axis=-1)";
        let read = read_expression(text, &request).unwrap();
        let kinds = |p: &crate::graph::Program| {
            let mut kinds: Vec<String> =
                p.graph().node_weights().map(|n| format!("{:?} {}", n.kind, n.shape)).collect();
            kinds.sort();
            kinds
        };
        assert_eq!(kinds(&program), kinds(&read));
    }

    #[test]
    fn mistakes_are_told_at_the_end() {
        let b = Builder::new();
        let (x, w, bad) = (b.input("x", "n"), b.input("w", "m n"), b.input("v", "n,m"));
        let out = x.matmul(&w).relu() + b.apply("rleu", &[&x]) + &bad + &Builder::new().input("z", "n");
        let told = b.finish(&out).unwrap_err();
        let kinds: Vec<Kind> = told.iter().map(|told| told.kind).collect();
        let expected = [Kind::BadDeclaration, Kind::ShapeMismatch, Kind::UnknownFunction, Kind::BadArgument];
        assert_eq!(kinds, expected);
        assert!(told[1].message.contains("x is (n,) and w is (m, n)"), "{}", told[1]);
    }
}
