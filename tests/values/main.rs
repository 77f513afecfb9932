//! What programs, derivations and answers are: numbers, shapes, closed forms.

#[path = "../common/closed.rs"]
mod closed;
#[path = "../common/expression.rs"]
mod expression;
#[path = "../common/graph.rs"]
mod graph;
#[path = "../common/growth.rs"]
mod growth;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/random.rs"]
mod random;

mod adding;
mod closed_random;
mod corpus;
mod corpus_reads;
mod corpus_values;
mod derive;
mod evaluate;
mod expressions;
mod further;
mod given;
mod language;
mod loops;
mod mutations;
mod normal_form;
mod pasted;
mod properties;
mod rearrange;
mod reports;
mod second;
mod spellings;
mod stacked;
mod tutorials;
