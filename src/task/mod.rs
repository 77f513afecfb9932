//! A task: a program in words, what is asked of it, and the page that answers.
//!
//! What the command and the book have in common. The options are defined here once,
//! as those of a command line; a block of a book is read with the same definitions.

mod complaint;
mod derive;
mod options;
mod read;

pub use complaint::complaints;
pub use derive::{Found, Solved, solve};
pub use options::{LayoutName, Manner, Question, StackingName};
pub use read::{Opened, read_file, read_line, variable};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::graph::Program;

/// Why there is no answer, with the text that the places refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The mistakes, in the order of the source.
    pub told: Diagnostics,
    /// The text that their places refer to; empty where they stand in none.
    pub source: String,
    /// The file that the text stands in, as given; empty where it stands in none.
    pub origin: String,
    /// The line of that file at which the text begins, from 1.
    pub line: usize,
}

impl Refusal {
    /// Mistakes that stand in no source text.
    pub fn of(told: Diagnostics) -> Refusal {
        Refusal::within(told, "", "")
    }

    /// Mistakes in a text that begins its file.
    pub fn within(told: Diagnostics, source: &str, origin: &str) -> Refusal {
        Refusal { told, source: source.to_string(), origin: origin.to_string(), line: 1 }
    }

    /// A mistake in the text of a program.
    pub fn about(program: &Program, origin: &str, told: Diagnostic) -> Refusal {
        Refusal::within(vec![told], &program.source, origin)
    }
}

impl From<Diagnostic> for Refusal {
    fn from(told: Diagnostic) -> Refusal {
        Refusal::of(vec![told])
    }
}
