//! The format of problem sets.

use crate::array::Array;
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::Request;
use crate::shape::Name;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A problem set: a TOML file of `[[case]]` tables.
#[derive(Clone, Debug, Deserialize)]
struct ProblemSet {
    #[serde(default)]
    case: Vec<Problem>,
}

/// One problem: differentiate `expr` by `wrt`.
#[derive(Clone, Debug, Deserialize)]
pub struct Problem {
    /// Unique in its set.
    pub id: String,
    /// Where it is from.
    #[serde(default)]
    pub source: String,
    /// Its topic.
    #[serde(default)]
    pub topic: String,
    /// The shape of each input, in dimensions separated by spaces.
    pub inputs: BTreeMap<String, String>,
    /// Sizes of named dimensions for checking.
    #[serde(default)]
    pub sizes: BTreeMap<String, usize>,
    /// Definitions, in order: "u = sin(x)".
    #[serde(default, rename = "let")]
    pub lets: Vec<String>,
    /// The function.
    pub expr: String,
    /// The variable.
    pub wrt: String,
    /// 1 or 2.
    #[serde(default = "first_order")]
    pub order: i64,
    /// A closed form of the derivative.
    #[serde(default)]
    pub expected: Option<String>,
    /// Definitions that `expected` uses, in order.
    #[serde(default)]
    pub expected_let: Vec<String>,
    /// What holds: "A symmetric".
    #[serde(default)]
    pub assume: Vec<String>,
}

fn first_order() -> i64 {
    1
}

impl Problem {
    /// How the program is read; with the definitions of the closed form if `expected`.
    ///
    /// # Errors
    /// A shape that cannot be read.
    pub fn request(&self, expected: bool) -> Result<Request, Diagnostic> {
        let mut request = Request { strict: true, assumptions: self.assume.clone(), ..Request::default() };
        for (name, shape) in &self.inputs {
            request.declare(name, shape)?;
        }
        request.lets.clone_from(&self.lets);
        if expected {
            // A closed form may say again what the problem itself defines.
            let squeezed = |line: &str| line.split_whitespace().collect::<String>();
            let new = |line: &&String| !self.lets.iter().any(|known| squeezed(known) == squeezed(line));
            request.lets.extend(self.expected_let.iter().filter(new).cloned());
        }
        Ok(request)
    }

    /// Named sizes, as the rest of the library takes them.
    pub fn named_sizes(&self) -> crate::shape::Sizes {
        self.sizes.iter().map(|(name, size)| (Name::from(name.as_str()), *size)).collect()
    }
}

/// The problems of a set, in order.
///
/// # Errors
/// Text that is not of the format; two problems of one id.
pub fn read_problems(text: &str) -> Result<Vec<Problem>, Diagnostic> {
    let set: ProblemSet = toml::from_str(text).map_err(|error| unreadable("problem set", &error.to_string()))?;
    let mut seen = std::collections::BTreeSet::new();
    for problem in &set.case {
        if !seen.insert(problem.id.as_str()) {
            return Err(Diagnostic::new(Mistake::DuplicateName, format!("two problems have the id {}", problem.id)));
        }
    }
    if set.case.is_empty() {
        let message = "the problem set holds no [[case]]";
        return Err(Diagnostic::new(Mistake::BadDeclaration, message)
            .help("a case has an id, inputs = { x = \"n\" }, expr = \"x @ x\", wrt = \"x\""));
    }
    Ok(set.case)
}

/// Numbers for one problem.
#[derive(Clone, Debug, Deserialize)]
pub struct Numbers {
    /// The inputs.
    pub inputs: BTreeMap<String, Flat>,
    /// The value of the function there.
    #[serde(default)]
    pub value: Option<Flat>,
    /// Its derivative there: the axes of the value, then those of the variable.
    #[serde(default)]
    pub derivative: Option<Flat>,
}

/// An array: its shape and its entries, last axis fastest.
#[derive(Clone, Debug, Deserialize)]
pub struct Flat {
    /// One size an axis.
    pub shape: Vec<usize>,
    /// The entries.
    pub data: Vec<f64>,
}

impl Flat {
    /// As an array.
    ///
    /// # Errors
    /// Another number of entries than the shape says.
    pub fn to_array(&self, name: &str) -> Result<Array, Diagnostic> {
        Array::new(self.shape.clone(), self.data.clone()).ok_or_else(|| {
            let message = format!("{name} has {} numbers for the shape {:?}", self.data.len(), self.shape);
            Diagnostic::new(Mistake::ValueShape, message)
        })
    }
}

/// The numbers of a set, by the id of the problem, from JSON.
///
/// # Errors
/// Text that is not of the format.
pub fn read_numbers(text: &str) -> Result<BTreeMap<String, Numbers>, Diagnostic> {
    serde_json::from_str(text).map_err(|error| unreadable("file of numbers", &error.to_string()))
}

fn unreadable(what: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Mistake::BadDeclaration, format!("the {what} cannot be read: {}", why.trim()))
}
