//! What is told when a program is refused: what is wrong, where, and what would help.

use std::fmt;

/// A range of bytes in the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text the span covers; empty where the span does not fit `source`.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $text:literal),+ $(,)?) => {
        /// The sort of mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($(#[$doc])* $kind),+ }

        impl Kind {
            /// The kind as a word for machines, in kebab case.
            pub fn as_str(self) -> &'static str {
                match self { $(Kind::$kind => $text),+ }
            }
        }
    };
}

kinds! {
    /// Not Python.
    Syntax = "syntax",
    /// An operator without a derivative here.
    UnsupportedOperator = "unsupported-operator",
    /// An expression outside the language.
    UnsupportedSyntax = "unsupported-syntax",
    /// An attribute outside the language.
    UnsupportedAttribute = "unsupported-attribute",
    /// A statement outside the language.
    UnsupportedStatement = "unsupported-statement",
    /// A character that may not stand in a program.
    UnsupportedCharacter = "unsupported-character",
    /// A name that is not defined.
    UnknownName = "unknown-name",
    /// A function that is not known.
    UnknownFunction = "unknown-function",
    /// A value called like a function.
    NotAFunction = "not-a-function",
    /// A name defined twice.
    DuplicateName = "duplicate-name",
    /// Too few or too many arguments.
    WrongArity = "wrong-arity",
    /// A keyword the function does not take.
    UnknownKeyword = "unknown-keyword",
    /// An axis the value does not have.
    AxisOutOfRange = "axis-out-of-range",
    /// An argument of the wrong sort.
    BadArgument = "bad-argument",
    /// Shapes that do not fit.
    ShapeMismatch = "shape-mismatch",
    /// A matrix that had to be square.
    NotSquare = "not-square",
    /// A vector where a matrix is needed, or the like.
    WrongRank = "wrong-rank",
    /// A shape, function or assumption that cannot be read.
    BadDeclaration = "bad-declaration",
    /// One name with two sizes.
    DimensionConflict = "dimension-conflict",
    /// Numbers that do not form an array of the right shape.
    ValueShape = "value-shape",
    /// An input without numbers.
    MissingValue = "missing-value",
    /// A variable of differentiation that is none.
    BadWrt = "bad-wrt",
    /// An order of derivative other than those supported.
    BadOrder = "bad-order",
    /// Too deep or too long.
    TooLarge = "too-large",
    /// A number too large for a double.
    Overflow = "overflow",
    /// A value that is infinite or not a number.
    NotFinite = "not-finite",
    /// A matrix near a singular one.
    IllConditioned = "ill-conditioned",
    /// A truth value where a number is needed.
    NotAValue = "not-a-value",
    /// A shape that nothing settles.
    MissingShape = "missing-shape",
    /// The check found a step that does not hold: a fault of this program.
    CheckFailed = "check-failed",
}

/// A mistake with its place and, where one exists, a way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The sort of mistake.
    pub kind: Kind,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// The place; `None` for what stands in no source text (a flag, a file).
    pub span: Option<Span>,
    /// What stands at the place, beside the caret.
    pub label: String,
    /// Further places, each with what stands there.
    pub labels: Vec<(Span, String)>,
    /// What would help.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake at `span`.
    pub fn at(kind: Kind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: Some(span), ..Diagnostic::new(kind, message) }
    }

    /// A mistake that stands in no source text.
    pub fn new(kind: Kind, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic { kind, message, span: None, label: String::new(), labels: Vec::new(), help: None }
    }

    /// With what would help.
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }

    /// With a text beside the caret.
    pub fn label(self, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: label.into(), ..self }
    }

    /// With a further place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// One or several mistakes, in the order of the source.
pub type Diagnostics = Vec<Diagnostic>;

/// The name among `names` that `word` most likely meant, if one is near enough:
/// at most one edit in three letters, a change of case or a swap counting one.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let same = |name: &str| word.eq_ignore_ascii_case(name);
    // Every other name of one letter is one edit away and tells nothing.
    let near = |name: &&str| same(name) || length > 1 && edits(word, name) <= (length / 3).max(1);
    names.into_iter().filter(near).min_by_key(|name| (!same(name), edits(word, name)))
}

/// Optimal string alignment distance, letters compared without case at no cost
/// below a first difference in case of one half, rounded up.
fn edits(a: &str, b: &str) -> usize {
    if a != b && a.eq_ignore_ascii_case(b) {
        return 1;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_are_found() {
        let names = ["softmax", "relu", "W", "axis", "dim"];
        let table =
            [("sotfmax", Some("softmax")), ("w", Some("W")), ("dmi", Some("dim")), ("quantum", None), ("x", None)];
        for (word, meant) in table {
            assert_eq!(did_you_mean(word, names), meant, "{word}");
        }
    }
}
