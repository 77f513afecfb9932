//! Spellings, parameters and attributes of operations.

use crate::shape::{Dim, Name, Sizes};
use std::borrow::Cow;

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
    /// Keywords that must be there, with these values, for this spelling to be
    /// meant (`approximate='tanh'`); they are no parameters. Where none fits,
    /// the spelling without such keywords is meant.
    pub given: &'static [(&'static str, Preset)],
}

/// All frameworks.
pub const EVERYWHERE: &[Framework] = &[Framework::Torch, Framework::NumPy, Framework::Jax, Framework::Math];
/// `torch` alone.
pub const TORCH: &[Framework] = &[Framework::Torch];
/// `numpy`, and `jax.numpy` which follows it.
pub const NUMPY: &[Framework] = &[Framework::NumPy, Framework::Jax];
/// `jax` alone.
pub const JAX: &[Framework] = &[Framework::Jax];
/// `math` alone.
pub const MATH: &[Framework] = &[Framework::Math];

impl Spelling {
    /// The same meaning everywhere.
    pub const fn everywhere(name: &'static str) -> Spelling {
        Spelling::of(EVERYWHERE, name)
    }

    /// The meaning in some frameworks.
    pub const fn of(frameworks: &'static [Framework], name: &'static str) -> Spelling {
        Spelling { name, frameworks, order: &[], preset: &[], given: &[] }
    }

    /// With its own positional order.
    pub const fn ordered(self, order: &'static [&'static str]) -> Spelling {
        Spelling { order, ..self }
    }

    /// With parameters it fixes.
    pub const fn fixing(self, preset: &'static [(&'static str, Preset)]) -> Spelling {
        Spelling { preset, ..self }
    }

    /// Meant only where these keywords are given.
    pub const fn when(self, given: &'static [(&'static str, Preset)]) -> Spelling {
        Spelling { given, ..self }
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
    /// Given, whatever it is.
    Present,
    /// Not given, or `None`.
    Absent,
}

impl Preset {
    /// Does what is given, if anything is, fit this?
    pub fn fits(self, given: Option<Preset>) -> bool {
        let absent = given.is_none_or(|given| given == Preset::Absent);
        match self {
            Preset::Present => !absent,
            Preset::Absent => absent,
            value => given == Some(value),
        }
    }
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
    /// A value that may be left out and is then this decimal; it does not move then.
    ArrayOr(&'static str),
    /// One value or more, as a list.
    Arrays,
    /// A value of whole numbers, each the place of a class: at least 0 and below
    /// the attribute `classes`. It never moves.
    Index,
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
    /// Dimensions that only state what the arguments have anyway: the shape rule compares
    /// them, and they are not kept.
    Stated,
    /// One dimension: a place or a length along an axis; no default if `None`.
    Dim(Option<i64>),
    /// All axes in another order: held as [`Attr::Axes`].
    Order,
    /// An axis of the result that the argument lacks; no default if `None`.
    NewAxis(Option<usize>),
}

impl Param {
    /// A value.
    pub const fn array(name: &'static str) -> Param {
        Param { name, aliases: &[], kind: ParamKind::Array }
    }

    /// A value that may be left out and is then this decimal.
    pub const fn or(name: &'static str, default: &'static str) -> Param {
        Param { name, aliases: &[], kind: ParamKind::ArrayOr(default) }
    }

    /// With other keywords for it.
    pub const fn also(self, aliases: &'static [&'static str]) -> Param {
        Param { aliases, ..self }
    }

    /// `dims`, also spelled `shape` and `size`.
    pub const fn dims() -> Param {
        Param { name: "dims", aliases: &["shape", "size"], kind: ParamKind::Dims }
    }

    /// A whole number without default.
    pub const fn whole(name: &'static str) -> Param {
        Param { name, aliases: &[], kind: ParamKind::Whole(None) }
    }

    /// `axis`, also spelled `dim`.
    pub const fn axis(default: Option<Preset>) -> Param {
        Param { name: "axis", aliases: &["dim"], kind: ParamKind::Axis(default) }
    }

    /// `axis` of the result, also spelled `dim`, that the argument lacks.
    pub const fn new_axis(default: Option<usize>) -> Param {
        Param { name: "axis", aliases: &["dim"], kind: ParamKind::NewAxis(default) }
    }

    /// `keepdims`, also spelled `keepdim`, off by default.
    pub const fn keepdims() -> Param {
        Param { name: "keepdims", aliases: &["keepdim"], kind: ParamKind::Flag(false) }
    }

    /// One dimension without default.
    pub const fn dim(name: &'static str) -> Param {
        Param { name, aliases: &[], kind: ParamKind::Dim(None) }
    }

    /// A whole number that is this unless given.
    pub const fn whole_or(name: &'static str, default: i64) -> Param {
        Param { name, aliases: &[], kind: ParamKind::Whole(Some(default)) }
    }

    /// Does it hold a value, not an attribute?
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ParamKind::Array | ParamKind::ArrayOr(_) | ParamKind::Arrays | ParamKind::Index)
    }
}

/// The value of an attribute of one use of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attr {
    /// Axes from the front, ascending unless their order is what is meant.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attrs(pub Vec<(&'static str, Attr)>);

impl Attrs {
    /// These attributes with their dimensions as numbers, where `sizes` tell them.
    pub fn sized(&self, sizes: &Sizes) -> Cow<'_, Attrs> {
        let named =
            |(_, attr): &(&str, Attr)| matches!(attr, Attr::Dims(dims) if dims.iter().any(|d| d.as_size().is_none()));
        if !self.0.iter().any(named) {
            return Cow::Borrowed(self);
        }
        let size = |dim: &Dim| dim.eval(sizes).map_or_else(|| dim.clone(), Dim::size);
        let sized = |(name, attr): &(&'static str, Attr)| match attr {
            Attr::Dims(dims) => (*name, Attr::Dims(dims.iter().map(size).collect())),
            other => (*name, other.clone()),
        };
        Cow::Owned(Attrs(self.0.iter().map(sized).collect()))
    }

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

    /// The one dimension called `name`; 0 where there is none.
    pub fn dim(&self, name: &str) -> Dim {
        self.dims(name).first().cloned().unwrap_or_else(|| Dim::size(0))
    }

    /// Where a slice begins and ends, and its step, by `start`, `length` and `step`.
    pub fn span(&self) -> (Dim, Dim, i64) {
        let (start, length, step) = (self.dim("start"), self.dim("length"), self.whole("step"));
        let by = usize::try_from(step).unwrap_or(1);
        let end = start.clone() + (length - Dim::size(1)) * Dim::size(by) + Dim::size(1);
        (start, end, step)
    }

    /// The dimensions called `name`; none where there are none.
    pub fn dims(&self, name: &str) -> &[Dim] {
        match self.get(name) {
            Some(Attr::Dims(dims)) => dims,
            _ => &[],
        }
    }
}
