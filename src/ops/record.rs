//! What a record of the table holds.

use super::{Attrs, Param, Spelling};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Shape, Unknowns};

/// Everything about one operation.
#[derive(Clone, Copy)]
pub struct Op {
    /// Unique name; also its spelling in rules and in answers.
    pub name: &'static str,
    /// Every way to write it in source. Operators (`+`, `.T`) are bound to names by the parser.
    pub spellings: &'static [Spelling],
    /// Arguments and attributes, in order.
    pub params: &'static [Param],
    /// The shape of the result. Unknown dimensions are settled on the way.
    pub shape: fn(&mut Unknowns, &[&Shape], &Attrs) -> Result<Shape, Misfit>,
    /// The numbers.
    pub value: Value,
    /// The differential.
    pub rule: Rule,
    /// How it reads in index form.
    pub lower: Lower,
    /// The operation spelled out in simpler ones, where it is a composite.
    pub definition: Option<&'static str>,
    /// How it looks on the page.
    pub notation: Notation,
    /// What its value is called where a page needs a name for it; empty where no letter
    /// is customary.
    pub letter: &'static str,
    /// Which axes it leaves apart.
    pub axes: Axes,
    /// For each argument the interval on which tests sample it (the last one repeats).
    pub domain: &'static [(f64, f64)],
    /// What happens where the derivative jumps.
    pub kink: Option<Kink>,
    /// Arguments for which it has no finite value.
    pub undefined: &'static [Gap],
    /// Arguments for which it has a value, but no finite derivative.
    pub steep: &'static [Gap],
    /// Is its first argument a matrix that it all but divides by, so that close to a
    /// singular one the value loses its digits?
    pub conditioned: bool,
    /// The name of its rule.
    pub title: &'static str,
    /// One sentence for the student.
    pub sentence: &'static str,
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Op {
    fn eq(&self, other: &Op) -> bool {
        self.name == other.name
    }
}

impl Eq for Op {}

impl std::hash::Hash for Op {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Arguments at which something is missing, and what is said of them.
#[derive(Debug)]
pub struct Gap {
    /// Of an elementwise operation one entry of each argument is asked; of one
    /// that works along axes each lane of the first argument, of others the whole.
    pub when: fn(&[f64]) -> bool,
    /// What is said: "division by zero".
    pub says: &'static str,
    /// Which argument is to blame.
    pub argument: usize,
}

impl Gap {
    /// A gap of the first argument.
    pub const fn new(when: fn(&[f64]) -> bool, says: &'static str) -> Gap {
        Gap { when, says, argument: 0 }
    }

    /// A gap of another argument.
    pub const fn of(argument: usize, when: fn(&[f64]) -> bool, says: &'static str) -> Gap {
        Gap { when, says, argument }
    }
}

/// A record of the table.
pub type OpRef = &'static Op;

/// Arguments whose shapes do not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The sort of mistake.
    pub kind: Kind,
    /// What is wrong. `{0}`, `{1}` stand for the source text of the arguments.
    pub message: String,
    /// What would help, in the same form.
    pub help: Option<String>,
}

impl Misfit {
    /// Arguments that do not fit, and why.
    pub fn new(kind: Kind, message: impl Into<String>) -> Misfit {
        Misfit { kind, message: message.into(), help: None }
    }

    /// With what would help.
    pub fn help(self, help: impl Into<String>) -> Misfit {
        Misfit { help: Some(help.into()), ..self }
    }
}

/// The numbers of an operation.
#[derive(Clone, Copy)]
pub enum Value {
    /// Entry by entry.
    Unary(fn(f64) -> f64),
    /// Entry by entry, broadcasting.
    Binary(fn(f64, f64) -> f64),
    /// Entry by entry, broadcasting.
    Ternary(fn(f64, f64, f64) -> f64),
    /// As [`Op::lower`] says: a signed sum or a contraction.
    Lowered,
    /// From whole arrays; the sizes are those of the result.
    Whole(fn(&[&Array], &Attrs, &[usize]) -> Array),
}

/// The differential of an operation.
#[derive(Clone, Copy)]
pub enum Rule {
    /// Linear in each argument by itself: each differential takes its argument's
    /// place. The name of the rule when more than one argument moves.
    Linear(&'static str),
    /// In the input language. Parameter names are the arguments and attributes,
    /// `d<name>` their differentials, `out` the operation's own result.
    Text(&'static str),
    /// In the input language, as [`Rule::Text`], of an operation that is linear in one
    /// of its arguments while the others rest.
    Partly {
        /// The differential.
        text: &'static str,
        /// The argument in which it is linear.
        linear: usize,
        /// The name of the rule when that argument alone moves.
        title: &'static str,
    },
    /// Constant wherever it is differentiable.
    Zero,
    /// Its value moves, but counts as a constant: differences are taken with the
    /// value held.
    Held,
    /// Not known; the reason.
    Refused(&'static str),
}

impl Rule {
    /// The differential in the input language, where the record spells it.
    pub fn text(&self) -> Option<&'static str> {
        match self {
            Rule::Text(text) | Rule::Partly { text, .. } => Some(text),
            Rule::Linear(_) | Rule::Zero | Rule::Held | Rule::Refused(_) => None,
        }
    }
}

/// How an operation reads in index form.
#[derive(Clone, Copy)]
pub enum Lower {
    /// The sum of the arguments with these signs, broadcast.
    Sum(&'static [i8]),
    /// A contraction of the arguments.
    Labels(fn(&[&Shape], &Attrs) -> Contraction),
    /// Spelled in other operations, in the input language.
    As(&'static str),
    /// Linear in all arguments together, but not by labels: entries are moved,
    /// repeated or summed in a way that constants fix. `transpose` is what an
    /// argument receives of the cotangent `g` of the result, in the input
    /// language. Its words are those of a rule; where the arguments are a list,
    /// `x` is the one that receives, `at` its place in the list, `before` how
    /// much of the attribute `axis` the arguments before it take.
    Linear {
        /// The adjoint.
        transpose: &'static str,
    },
    /// First argument to the power of the second.
    Power,
    /// A function: it stays one factor.
    Atom,
}

/// Labels for the axes of the arguments and of the result. A label not in `out`
/// is summed; one twice in `out` is a Kronecker delta; one in `out` that no
/// argument has is a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contraction {
    /// One label an axis, for each argument.
    pub args: Vec<Vec<u8>>,
    /// One label an axis of the result.
    pub out: Vec<u8>,
    /// Labels by whose dimension the sum is divided: those of a mean.
    pub divide: Vec<u8>,
}

/// The closed set of shapes on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `x + y` and the like; the text is the sign between.
    Infix(&'static str),
    /// `−x`.
    Negative,
    /// Matrix product: side by side, a vector on the left transposed.
    Product,
    /// Elementwise product: ⊙, or side by side with a scalar.
    Hadamard,
    /// Fraction.
    Fraction,
    /// Superscript.
    Power,
    /// xᵀ.
    Transpose,
    /// xᵀ, of matrices along leading axes.
    MatrixTranspose,
    /// A product of matrices where the labels say one; else the call.
    Contraction,
    /// `x[:, None]`: an axis of size 1 at the attribute `axis`.
    NewAxis,
    /// X⁻¹.
    Inverse,
    /// x yᵀ.
    Outer,
    /// The square root.
    Root,
    /// |x|.
    Bars,
    /// ‖x‖.
    Norm,
    /// A comparison with this sign; `1[x > y]` where it stands for a number.
    Comparison(&'static str),
    /// A function by name: `relu(x)`.
    Call(&'static str),
    /// `x[i]`.
    Entry,
    /// `x[a:b]` along the attribute `axis`; `x[i]` where the attribute `at` is i.
    Slice,
    /// e_i, where the attribute `at` is i.
    Basis,
    /// The identity matrix.
    Identity,
    /// A vector or matrix filled with this number; by itself where it is a scalar.
    Filled(&'static str),
    /// f(x), where the attribute `name` is f.
    Function,
    /// J_f(x), where the attribute `name` is f.
    Jacobian,
    /// One of two by a condition: `1[c] ⊙ x` where the other is 0.
    Choice,
    /// A sum over axes: 1ᵀX, X 1.
    Sum,
    /// A value repeated: x 1ᵀ.
    Spread,
    /// x².
    Square,
}

impl Notation {
    /// Is it the transpose of a matrix?
    pub fn is_transpose(self) -> bool {
        matches!(self, Notation::Transpose | Notation::MatrixTranspose)
    }
}

/// Which axes an operation leaves apart: along them, an entry of the result
/// depends on the entries of the arguments at the same place only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// All: entry by entry, broadcasting.
    Elementwise,
    /// Those whose label every moving argument shares with the result.
    Labels,
    /// All but those under the attribute `axis`.
    ButAxis,
    /// All but the last.
    ButLast,
    /// None.
    Mixed,
}

/// A place where the derivative jumps, and the value taken there.
#[derive(Clone, Copy)]
pub struct Kink {
    /// The convention: "relu'(0) = 0".
    pub says: &'static str,
    /// A function of one entry of each argument that changes sign at the kink. Of an
    /// operation that works along axes: of a lane of the first argument, 0 on the
    /// kink and another number on each side.
    pub side: fn(&[f64]) -> f64,
}
