//! What may be written after `chainrule`.

use crate::task::{Manner, Question};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Derivatives of matrix expressions, derived line by line and checked.
///
/// Give it a function in the Python you already write (PyTorch, NumPy, JAX names);
/// it answers with the derivative in matrix notation, each line justified by a
/// named rule and compared with difference quotients. Without arguments it derives
/// a residual block that it brings along.
#[derive(Debug, Parser)]
#[command(name = "chainrule", version, after_help = EXAMPLES, arg_required_else_help = false)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  chainrule                                          the built-in residual block
  chainrule derive block.py --wrt x                  the last function of a file, by x
  chainrule derive block.py:attention --wrt all      another function, the whole backward pass
  chainrule derive \"x @ A @ x\" --wrt x               one line: capitals are matrices, small letters vectors
  chainrule eval block.py --wrt x --jacobian         numbers
  chainrule graph block.py --wrt x --output block.svg   a picture
  chainrule ops relu                                 what is known of an operation
  chainrule check --cases problems.toml              a problem set, solved and marked";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Derive a derivative, line by line.
    #[command(after_help = DERIVE_EXAMPLES)]
    Derive(Derive),
    /// Compute values, gradients and Jacobian matrices.
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(Eval),
    /// Draw the computation graph, with --wrt the local derivatives at its edges.
    #[command(after_help = GRAPH_EXAMPLES)]
    Graph(Graph),
    /// List the operations: rules, conventions, spellings.
    #[command(after_help = OPS_EXAMPLES)]
    Ops(Ops),
    /// Solve a problem set and mark the answers.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
}

const GRAPH_EXAMPLES: &str = "Examples:
  chainrule graph block.py
  chainrule graph block.py --wrt x
  chainrule graph block.py --wrt x --output block.svg
  chainrule graph block.py:attn --of scores --format mermaid
  chainrule graph \"x + tanh(x @ W)\" --format dot | dot -Tpdf

The skip edge runs beside the main path. With --wrt, each edge bears what it passes on of the derivative, the path \
on which every local derivative is I is thick, and what does not depend on the variable is faded and dashed.

Exit codes: 0 drawn, 1 refused, 2 wrong usage.";

const CHECK_EXAMPLES: &str = "Examples:
  chainrule check --cases week3.toml
  chainrule check --cases week3.toml --only \"ridge*\"
  chainrule check --cases cases.toml --values values.json --json

A problem set is a TOML file:
  [[case]]
  id = \"quadratic\"
  inputs = { A = \"n n\", x = \"n\" }
  sizes = { n = 3 }
  expr = \"x @ A @ x\"
  wrt = \"x\"
  expected = \"(A + A.T) @ x\"

Exit codes: 0 all right, 1 some wrong or refused, 2 wrong usage.";

/// `chainrule check`.
#[derive(Args, Debug)]
pub struct Check {
    /// The problem set, in TOML.
    #[arg(long, value_name = "FILE.toml")]
    pub cases: PathBuf,
    /// Numbers to compare with, in JSON, by the id of the problem.
    #[arg(long, value_name = "FILE.json")]
    pub values: Option<PathBuf>,
    /// Only the problems whose id fits; * stands for any text.
    #[arg(long, value_name = "GLOB")]
    pub only: Option<String>,
    /// One JSON object a line and problem.
    #[arg(long)]
    pub json: bool,
}

const DERIVE_EXAMPLES: &str = "Examples:
  chainrule derive block.py --wrt x
  chainrule derive block.py:attention --wrt w_q --of scores
  chainrule derive block.py --wrt all
  chainrule derive \"x + relu(x @ W1 + b1) @ W2 + b2\" --wrt x
  chainrule derive \"x + f(x)\" --wrt x --function f:\"d -> d\"
  chainrule derive block.py --wrt x --set w2=0 --set b2=0
  chainrule derive \"x @ A @ x\" --assume \"A symmetric\"
  chainrule derive \"sum(exp(X @ w))\" --wrt w --order 2
  chainrule derive \"A @ X @ B\" --wrt X --vec
  chainrule derive stack.py --wrt x --expand --format tree
  chainrule derive block.py --wrt x --detail full
  chainrule derive \"softmax(z, 0)\" --wrt z --expand softmax
  chainrule derive block.py --format latex --output block.tex
  cat block.py | chainrule derive - --wrt x

Exit codes: 0 answered, 1 refused, 2 wrong usage.";

const EVAL_EXAMPLES: &str = "Examples:
  chainrule eval block.py --wrt x
  chainrule eval block.py --wrt x --dim batch=2 --seed 7
  chainrule eval block.py --wrt x --input x.json
  chainrule eval block.py --wrt x --jacobian --terms
  chainrule eval stack.py --dim N=50 --singular-values
  chainrule eval \"x @ x\" --wrt x --dim n=3

Without --input, numbers are drawn; x.json holds some: {\"x\": [[1, 2], [3, 4]]}. --terms shows I, the Jacobian \
matrix of the branch, and their sum.

Exit codes: 0 answered, 1 refused, 2 wrong usage.";

const OPS_EXAMPLES: &str = "Examples:
  chainrule ops              the table
  chainrule ops softmax      one operation, also by any of its spellings";

/// Which program, and what is asked of it.
#[derive(Args, Debug)]
pub struct Source {
    /// A file (FILE or FILE:NAME for one of its functions), `-` for standard input, or an expression.
    #[arg(value_name = "FILE[:NAME]|EXPR")]
    pub program: String,
    #[command(flatten)]
    pub question: Question,
}

/// How pages are written.
#[derive(Args, Debug)]
pub struct Paper {
    /// Columns of a line [default: those of the terminal, 100 in a pipe].
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(40..=1000))]
    pub width: Option<u16>,
    /// Write to a file.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `chainrule derive`.
#[derive(Args, Debug)]
pub struct Derive {
    #[command(flatten)]
    pub source: Source,
    /// What is printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// A whole document in place of a part of one, where the format knows both.
    #[arg(long)]
    pub standalone: bool,
    #[command(flatten)]
    pub manner: Manner,
    #[command(flatten)]
    pub paper: Paper,
}

/// What `derive` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The derivation.
    #[default]
    Text,
    /// The derivative as the expression tree it is.
    Tree,
    /// The derivation in LaTeX, for amsmath and amssymb.
    Latex,
    /// The derivation in Markdown, formulas between two dollar signs.
    Markdown,
    /// The derivation in HTML with MathML.
    Html,
    /// The derivation in Typst.
    Typst,
    /// The derivation, its steps and answers for other tools.
    Json,
}

/// `chainrule eval`.
#[derive(Args, Debug)]
pub struct Eval {
    #[command(flatten)]
    pub source: Source,
    /// Numbers for the inputs, as JSON: `{"x": [[1, 2], [3, 4]]}`; others are drawn.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Which numbers are drawn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The size of a dimension: `batch=2`.
    #[arg(long, value_name = "NAME=SIZE")]
    pub dim: Vec<String>,
    /// Print the Jacobian matrix.
    #[arg(long)]
    pub jacobian: bool,
    /// Print the terms of the Jacobian matrix apart, I first.
    #[arg(long)]
    pub terms: bool,
    /// Print the singular values of the Jacobian matrix, as far as rounding leaves them.
    #[arg(long)]
    pub singular_values: bool,
    #[command(flatten)]
    pub paper: Paper,
}

/// `chainrule graph`.
#[derive(Args, Debug)]
pub struct Graph {
    #[command(flatten)]
    pub source: Source,
    /// What is written [default: by the ending of --output, else text].
    #[arg(long, value_enum)]
    pub format: Option<Drawing>,
    #[command(flatten)]
    pub paper: Paper,
}

/// What `graph` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Drawing {
    /// For the terminal.
    Text,
    /// A drawing for a page; follows light and dark.
    Svg,
    /// For Graphviz.
    Dot,
    /// For Markdown that draws Mermaid.
    Mermaid,
}

/// `chainrule ops`.
#[derive(Args, Debug)]
pub struct Ops {
    /// One operation, by its name or a spelling.
    pub name: Option<String>,
    #[command(flatten)]
    pub paper: Paper,
}
