//! `chainrule ops`.

use super::Refusal;
use super::args::Ops;
use super::screen::columns;
use crate::diagnostic::{Diagnostic, Kind, did_you_mean};
use crate::notation::{Block, Fact, Page};
use crate::ops::{Framework, Lower, Notation, Op, OpRef, Rule, Spelling, all, by_name, spelled};
use crate::render::{Text, text};

/// The table, or one record.
pub fn ops(args: &Ops) -> Result<Text, Refusal> {
    let page = match &args.name {
        None => table(),
        Some(name) => {
            let found = asked(name)?;
            let blocks = found.into_iter().map(record).collect();
            Page { blocks, ..Page::default() }
        }
    };
    Ok(text(&page, columns(&args.paper)))
}

fn table() -> Page {
    let head = "Operations and their differentials: dx is the differential of the argument x, out the operation's own \
                result, @ the matrix product, * entry by entry. Below each rule its convention at a kink and its other \
                spellings. `chainrule ops NAME` says more of one.";
    let facts = all().flat_map(|op| {
        let mut facts = vec![(op.name.to_string(), prose(rule(op)))];
        facts.extend(op.kink.as_ref().map(|kink| (String::new(), prose(kink.says.to_string()))));
        let others: Vec<String> = op.spellings.iter().filter(|s| s.name != op.name).map(spelling).collect();
        if !others.is_empty() {
            facts.push((String::new(), prose(format!("also {}", others.join(", ")))));
        }
        facts
    });
    let blocks = vec![Block::Prose(vec![head.into()]), Block::Facts(facts.collect())];
    Page { title: "Operations".into(), blocks, ..Page::default() }
}

fn prose(says: String) -> Fact {
    Fact::Prose(vec![says.into()])
}

/// The operations that a name or spelling can mean.
pub fn asked(name: &str) -> Result<Vec<OpRef>, Refusal> {
    let bare = name.rsplit_once('.').map_or(name, |(_, last)| last);
    let mut found: Vec<OpRef> = by_name(name).into_iter().collect();
    for (op, _) in spelled(name, None).into_iter().chain(spelled(bare, None)) {
        if !found.contains(&op) {
            found.push(op);
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let names = all().flat_map(|op| op.spellings.iter().map(|s| s.name).chain([op.name]));
    let told = Diagnostic::new(Kind::UnknownFunction, format!("there is no operation {name}"));
    let told = match did_you_mean(name, names) {
        Some(near) => told.help(format!("did you mean {near}?")),
        None => told.help("`chainrule ops` lists all"),
    };
    Err(Refusal::of(vec![told]))
}

fn record(op: OpRef) -> Block {
    let mut facts = vec![
        (op.name.to_string(), prose(op.sentence.to_string())),
        ("rule".to_string(), prose(format!("{} ({})", rule(op), op.title))),
    ];
    if let Some(definition) = op.definition {
        facts.push(("definition".into(), prose(definition.to_string())));
    }
    if let Some(kink) = &op.kink {
        facts.push(("convention".into(), prose(kink.says.to_string())));
    }
    if !op.spellings.is_empty() {
        let spellings: Vec<String> = op.spellings.iter().map(spelling).collect();
        facts.push(("spellings".into(), prose(spellings.join(", "))));
    }
    Block::Facts(facts)
}

/// A spelling, with the frameworks that have it where that is not all of them.
fn spelling(spelling: &Spelling) -> String {
    if spelling.frameworks.len() == crate::ops::EVERYWHERE.len() {
        return spelling.name.to_string();
    }
    let called = spelling.frameworks.iter().map(|framework| match framework {
        Framework::Torch => "torch",
        Framework::NumPy => "np",
        Framework::Jax => "jnp",
        Framework::Math => "math",
    });
    format!("{} ({})", spelling.name, called.collect::<Vec<_>>().join(", "))
}

/// The differential in the input language.
fn rule(op: &Op) -> String {
    match (&op.rule, &op.lower) {
        (Rule::Text(text) | Rule::Partly { text, .. }, _) => (*text).to_string(),
        (Rule::Zero, _) => "0".to_string(),
        (Rule::Refused(why), _) => format!("none: {why}"),
        (Rule::Linear(_), Lower::Sum(signs)) => {
            let names = op.params.iter().filter(|p| p.is_array()).zip(signs.iter());
            let mut written = String::new();
            for (i, (param, sign)) in names.enumerate() {
                written += match (i, *sign < 0) {
                    (0, false) => "d",
                    (0, true) => "-d",
                    (_, false) => " + d",
                    (_, true) => " - d",
                };
                written += param.name;
            }
            written
        }
        (Rule::Linear(_), _) => {
            let arrays: Vec<&str> = op.params.iter().filter(|p| p.is_array()).map(|p| p.name).collect();
            let sign = match op.notation {
                Notation::Product if arrays.len() == 2 => Some("@"),
                Notation::Hadamard => Some("*"),
                _ => None,
            };
            let moved = |i: usize| {
                let args = arrays
                    .iter()
                    .enumerate()
                    .map(|(j, name)| if i == j { format!("d{name}") } else { (*name).to_string() });
                let args: Vec<String> = args.collect();
                match sign {
                    Some(sign) => args.join(&format!(" {sign} ")),
                    None => format!("{}({})", op.name, args.join(", ")),
                }
            };
            (0..arrays.len()).map(moved).collect::<Vec<_>>().join(" + ")
        }
    }
}
