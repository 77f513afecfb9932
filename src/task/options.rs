//! What may be said of a task, beside its program.

use crate::notation::{Detail, Layout, Shown};
use crate::reading::Stacking;
use clap::{Args, ValueEnum};

/// What is asked of a program, and what is said beside it.
#[derive(Args, Clone, Debug, Default)]
pub struct Question {
    /// The variable: an input or a named value; `all` for the whole backward pass.
    #[arg(long, value_name = "NAME")]
    pub wrt: Option<String>,
    /// The value that is differentiated, in place of the result.
    #[arg(long, value_name = "NAME")]
    pub of: Option<String>,
    /// The shape of an input: `x="batch d"`.
    #[arg(long, value_name = "NAME=DIMS")]
    pub shape: Vec<String>,
    /// A function without a body: `f:"d -> d"`.
    #[arg(long, value_name = "NAME:DIMS->DIMS")]
    pub function: Vec<String>,
    /// An input that is this number in every entry, at the point: `w2=0`.
    #[arg(long, value_name = "NAME=NUMBER")]
    pub set: Vec<String>,
    /// What holds at the point: `"A symmetric"`.
    #[arg(long, value_name = "FACT")]
    pub assume: Vec<String>,
}

/// How a derivation is worked out and what is shown of it.
#[derive(Args, Clone, Debug)]
pub struct Manner {
    /// 2 derives the gradient of a scalar, then the Hessian from it.
    #[arg(long, value_name = "1|2", default_value_t = 1)]
    pub order: i64,
    /// Which readings of the answer are shown, with commas between them; those that are
    /// usual if nothing is said.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub readings: Vec<ReadingName>,
    /// How much of the derivation is shown; of a backward pass, `full` adds the derivation
    /// by each input.
    #[arg(long, value_enum, default_value_t)]
    pub detail: DetailName,
    /// How Jacobian matrices are laid out.
    #[arg(long, value_enum, default_value_t)]
    pub layout: LayoutName,
    /// Add the derivative of a matrix by a matrix as one matrix on stacked entries.
    #[arg(long, value_enum, value_name = "ORDER", num_args = 0..=1, default_missing_value = "columns")]
    pub vec: Option<StackingName>,
    /// Multiply out a product of (I + J)'s, grouped by path length; with the name of an
    /// operation, as in `--expand softmax` or `--expand=softmax`, derive that one from its
    /// definition. A program may follow either.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub expand: Vec<String>,
    /// Do not compare the steps with difference quotients; the page says so.
    #[arg(long)]
    pub no_check: bool,
    /// Say more of the check.
    #[arg(long)]
    pub verbose: bool,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner {
            order: 1,
            readings: Vec::new(),
            detail: DetailName::default(),
            layout: LayoutName::default(),
            vec: None,
            expand: Vec::new(),
            no_check: false,
            verbose: false,
        }
    }
}

/// How much is shown, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DetailName {
    /// The program, the answer, conventions, the check.
    Answer,
    /// What a lecturer writes: routine steps are merged.
    #[default]
    Steps,
    /// Every expansion and every rewrite by its name, one a line.
    Full,
}

impl From<DetailName> for Detail {
    fn from(name: DetailName) -> Detail {
        match name {
            DetailName::Answer => Detail::Answer,
            DetailName::Steps => Detail::Steps,
            DetailName::Full => Detail::Full,
        }
    }
}

/// A reading by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadingName {
    /// The Jacobian matrix.
    Jacobian,
    /// The gradient of a scalar, in the shape of the variable.
    Gradient,
    /// The differential of the result.
    Differential,
    /// The cotangent of the variable, as backpropagation computes it.
    Pullback,
}

impl From<ReadingName> for Shown {
    fn from(name: ReadingName) -> Shown {
        match name {
            ReadingName::Jacobian => Shown::Jacobian,
            ReadingName::Gradient => Shown::Gradient,
            ReadingName::Differential => Shown::Differential,
            ReadingName::Pullback => Shown::Pullback,
        }
    }
}

/// A layout by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LayoutName {
    /// Dimensions of the result first.
    #[default]
    Numerator,
    /// Dimensions of the variable first.
    Denominator,
}

impl From<LayoutName> for Layout {
    fn from(name: LayoutName) -> Layout {
        match name {
            LayoutName::Numerator => Layout::Numerator,
            LayoutName::Denominator => Layout::Denominator,
        }
    }
}

/// An order of stacking by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StackingName {
    /// Columns below one another: vec.
    Columns,
    /// Rows one behind the other: reshape(-1).
    Rows,
}

impl From<StackingName> for Stacking {
    fn from(name: StackingName) -> Stacking {
        match name {
            StackingName::Columns => Stacking::Columns,
            StackingName::Rows => Stacking::Rows,
        }
    }
}
