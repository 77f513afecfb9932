//! `chainrule ops`.

use super::args::Ops;
use super::screen::columns;
use crate::notation::{Block, Fact, Page};
use crate::ops::{OpRef, all, meant, rule_text, spelling_text};
use crate::render::{Text, text};
use crate::task::Refusal;

/// The table, or one record.
pub fn ops(args: &Ops) -> Result<Text, Refusal> {
    let page = match &args.name {
        None => table(),
        Some(name) => {
            let found = meant(name)?;
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
        let mut facts = vec![(op.name.to_string(), prose(rule_text(op)))];
        facts.extend(op.kink.as_ref().map(|kink| (String::new(), prose(kink.says.to_string()))));
        let others: Vec<String> = op.spellings.iter().filter(|s| s.name != op.name).map(spelling_text).collect();
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

fn record(op: OpRef) -> Block {
    let mut facts = vec![
        (op.name.to_string(), prose(op.sentence.to_string())),
        ("rule".to_string(), prose(format!("{} ({})", rule_text(op), op.title))),
    ];
    if let Some(definition) = op.definition {
        facts.push(("definition".into(), prose(definition.to_string())));
    }
    if let Some(kink) = &op.kink {
        facts.push(("convention".into(), prose(kink.says.to_string())));
    }
    if !op.spellings.is_empty() {
        let spellings: Vec<String> = op.spellings.iter().map(spelling_text).collect();
        facts.push(("spellings".into(), prose(spellings.join(", "))));
    }
    Block::Facts(facts)
}
