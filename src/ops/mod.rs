//! The records: everything known about each operation, and nothing else.
//!
//! One operation is one [`Op`] in one table below. Parser, shapes, derivation,
//! formats, evaluation and the table-wide tests all read the record; none of
//! them matches on an operation's name.

mod arithmetic;
mod elementwise;
mod number;
mod reduce;

pub use number::Number;

use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::{Dim, Name, Shape, Unknowns};

/// Everything about one operation.
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
    /// Which axes it leaves apart.
    pub axes: Axes,
    /// For each argument the interval on which tests sample it (the last one repeats).
    pub domain: &'static [(f64, f64)],
    /// What happens where the derivative jumps.
    pub kink: Option<Kink>,
    /// Arguments for which it has no finite value: a test of one entry of each argument, and what is said.
    pub undefined: &'static [(fn(&[f64]) -> bool, &'static str)],
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

/// A record of the table.
pub type OpRef = &'static Op;

/// Where a spelling comes from; one name may mean different things in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// `torch`, `torch.nn.functional`, methods of tensors.
    Torch,
    /// `numpy`.
    NumPy,
    /// `jax.numpy`, `jax.nn`.
    Jax,
    /// `math`.
    Math,
}

/// One way to write an operation.
#[derive(Debug)]
pub struct Spelling {
    /// The name after the prefix: `relu` in `F.relu(x)` and `x.relu()`; dotted
    /// below it: `linalg.norm`.
    pub name: &'static str,
    /// The frameworks that have it.
    pub frameworks: &'static [Framework],
    /// Positional order of the parameters, where it differs from the record's.
    pub order: &'static [&'static str],
    /// Parameters this spelling fixes, over the record's defaults.
    pub preset: &'static [(&'static str, Preset)],
}

/// All frameworks.
pub const EVERYWHERE: &[Framework] = &[Framework::Torch, Framework::NumPy, Framework::Jax, Framework::Math];

impl Spelling {
    /// The same meaning everywhere.
    pub const fn everywhere(name: &'static str) -> Spelling {
        Spelling::of(EVERYWHERE, name)
    }

    /// The meaning in some frameworks.
    pub const fn of(frameworks: &'static [Framework], name: &'static str) -> Spelling {
        Spelling { name, frameworks, order: &[], preset: &[] }
    }
}

/// A fixed value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// All axes.
    AllAxes,
    /// One axis, from the end if negative.
    Axis(i64),
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A word.
    Text(&'static str),
}

/// An argument or attribute.
#[derive(Debug)]
pub struct Param {
    /// Its name; `d<name>` is its differential in the rule.
    pub name: &'static str,
    /// Other keywords for it (`dim` for `axis`).
    pub aliases: &'static [&'static str],
    /// What it holds.
    pub kind: ParamKind,
}

/// What a parameter holds, and its default.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A value; all values stand before all attributes.
    Array,
    /// A value that may be left out and is then this decimal.
    ArrayOr(&'static str),
    /// An axis, several, or all (`None`); no default if `None`.
    Axis(Option<Preset>),
    /// Yes or no.
    Flag(bool),
    /// A whole number; no default if `None`.
    Whole(Option<i64>),
    /// A word.
    Text(&'static str),
    /// Dimensions: of `ones(m, n)`.
    Dims,
}

impl Param {
    /// A value.
    pub const fn array(name: &'static str) -> Param {
        Param { name, aliases: &[], kind: ParamKind::Array }
    }

    /// `axis`, also spelled `dim`.
    pub const fn axis(default: Option<Preset>) -> Param {
        Param { name: "axis", aliases: &["dim"], kind: ParamKind::Axis(default) }
    }

    /// `keepdims`, also spelled `keepdim`, off by default.
    pub const fn keepdims() -> Param {
        Param { name: "keepdims", aliases: &["keepdim"], kind: ParamKind::Flag(false) }
    }

    /// Does it hold a value, not an attribute?
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ParamKind::Array | ParamKind::ArrayOr(_))
    }
}

/// The value of an attribute of one use of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// Axes from the front, ascending.
    Axes(Vec<usize>),
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A word.
    Text(Name),
    /// Dimensions.
    Dims(Vec<Dim>),
}

/// All attributes of one use of an operation, in the record's order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attrs(pub Vec<(&'static str, Attr)>);

impl Attrs {
    /// The attribute called `name`.
    pub fn get(&self, name: &str) -> Option<&Attr> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, attr)| attr)
    }

    /// The axes under `axis`; empty where there is none.
    pub fn axes(&self) -> &[usize] {
        match self.get("axis") {
            Some(Attr::Axes(axes)) => axes,
            _ => &[],
        }
    }

    /// The flag called `name`; off where there is none.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Attr::Flag(true)))
    }

    /// The whole number called `name`; 0 where there is none.
    pub fn whole(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(Attr::Whole(n)) => *n,
            _ => 0,
        }
    }

    /// The word called `name`; empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Attr::Text(text)) => text,
            _ => "",
        }
    }

    /// The dimensions called `name`; none where there are none.
    pub fn dims(&self, name: &str) -> &[Dim] {
        match self.get(name) {
            Some(Attr::Dims(dims)) => dims,
            _ => &[],
        }
    }
}

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
pub enum Rule {
    /// Linear in each argument by itself: each differential takes its argument's
    /// place. The name of the rule when more than one argument moves.
    Linear(&'static str),
    /// In the input language. Parameter names are the arguments and attributes,
    /// `d<name>` their differentials, `out` the operation's own result.
    Text(&'static str),
    /// Constant wherever it is differentiable.
    Zero,
}

/// How an operation reads in index form.
pub enum Lower {
    /// The sum of the arguments with these signs, broadcast.
    Sum(&'static [i8]),
    /// A contraction of the arguments.
    Labels(fn(&[&Shape], &Attrs) -> Contraction),
    /// Spelled in other operations, in the input language.
    As(&'static str),
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
    /// A comparison with this sign; 1[x > y] where it stands for a number.
    Comparison(&'static str),
    /// A function by name: `relu(x)`.
    Call(&'static str),
    /// x[i].
    Entry,
    /// The identity matrix.
    Identity,
    /// A vector or matrix filled with this number.
    Filled(&'static str),
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
    /// None.
    Mixed,
}

/// A place where the derivative jumps, and the value taken there.
pub struct Kink {
    /// The convention: "relu'(0) = 0".
    pub says: &'static str,
    /// A function of one entry of each argument that changes sign at the kink.
    pub side: fn(&[f64]) -> f64,
}

/// The table, by family.
const FAMILIES: &[&[Op]] = &[arithmetic::OPS, elementwise::OPS, reduce::OPS];

/// All operations, in the table's order.
pub fn all() -> impl Iterator<Item = OpRef> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The operation called `name` in rules and answers.
pub fn by_name(name: &str) -> Option<OpRef> {
    all().find(|op| op.name == name)
}

/// The operations that `name` can mean, each with the spelling, in the table's order.
/// `framework` is the one the prefix or the imports tell; `None` for a bare name.
pub fn spelled(name: &str, framework: Option<Framework>) -> Vec<(OpRef, &'static Spelling)> {
    let fits = |s: &&'static Spelling| s.name == name && framework.is_none_or(|f| s.frameworks.contains(&f));
    all().flat_map(|op| op.spellings.iter().filter(fits).map(move |s| (op, s))).collect()
}

/// Shape rules and labels that several records share.
pub(crate) mod common {
    use super::{Attrs, Contraction, Misfit};
    use crate::diagnostic::Kind;
    use crate::shape::{Shape, Unknowns};

    /// The common shape of all arguments, broadcast.
    pub fn broadcast(unknowns: &mut Unknowns, args: &[&Shape], _: &Attrs) -> Result<Shape, Misfit> {
        let mut common = Shape::scalar();
        for (i, shape) in args.iter().enumerate() {
            common = unknowns.broadcast(&common, shape).ok_or_else(|| {
                let (a, b) = (unknowns.resolve_shape(args[i.saturating_sub(1)]), unknowns.resolve_shape(shape));
                let misfit = Misfit::new(
                    Kind::ShapeMismatch,
                    format!(
                        "{{{}}} is {} and {{{i}}} is {}: they do not broadcast",
                        i.saturating_sub(1),
                        a.as_tuple(),
                        b.as_tuple()
                    ),
                );
                let flipped = a.rank() == 2 && b.rank() == 2 && a.0[0] == b.0[1] && a.0[1] == b.0[0];
                if flipped { misfit.help(format!("did you mean {{{i}}}.T?")) } else { misfit }
            })?;
        }
        Ok(common)
    }

    /// Labels of elementwise use: last axes aligned; an axis of size 1 that is
    /// broadcast has a label of its own, summed over that one entry.
    pub fn aligned(args: &[&Shape], _: &Attrs) -> Contraction {
        let rank = args.iter().map(|shape| shape.rank()).max().unwrap_or(0);
        let out: Vec<u8> = (0..rank as u8).collect();
        let mut extra = rank as u8;
        let full = |axis: usize| args.iter().filter_map(|s| s.from_last(axis)).find(|d| !d.is_one());
        let args = args
            .iter()
            .map(|shape| {
                let labels = (0..shape.rank()).rev().map(|axis| {
                    let stretched = shape.from_last(axis).is_some_and(|d| d.is_one()) && full(axis).is_some();
                    if stretched {
                        extra += 1;
                        extra - 1
                    } else {
                        (rank - 1 - axis) as u8
                    }
                });
                labels.collect()
            })
            .collect();
        Contraction { args, out, divide: Vec::new() }
    }
}
