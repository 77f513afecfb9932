//! A picture in words.

use super::model::{Block, Picture, Role};
use super::read::Asked;
use crate::graph::Program;

/// A title longer than this is cut short.
const TITLE: usize = 60;

/// What is drawn, in a few words.
pub(super) fn title(program: &Program, asked: &Asked) -> String {
    let node = program.node(asked.out);
    let named = |id| program.name(id).map(ToString::to_string);
    let whole = asked.out == program.output && !program.title.is_empty();
    let subject = match named(asked.out) {
        _ if whole => program.title.clone(),
        Some(name) => name,
        None => {
            let text = node.span.map_or("", |span| span.of(&program.source));
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    };
    let subject = match subject.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &subject[..end]),
        None if subject.is_empty() => "a value".to_string(),
        None => subject,
    };
    match named(asked.main) {
        Some(wrt) if asked.derives => format!("{subject}, by {wrt}"),
        _ => subject,
    }
}

/// What is to be known beside the picture.
pub(super) fn notes(program: &Program, asked: &Asked) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(rows) = &asked.rows {
        let name = program.name(asked.main).map_or_else(String::new, |name| format!(" of {name}"));
        notes.push(format!("One row{name} is drawn, as a column: the rows ({rows}) pass apart."));
    }
    if !asked.given.is_empty() {
        notes.push(format!("Taken as given: {}.", asked.given.join("; ")));
    }
    notes
}

impl Picture {
    /// The picture in words: what is computed from what, and what the skips are.
    pub fn in_words(&self) -> String {
        let mut says = Vec::new();
        let label = |i: usize| {
            let node = &self.nodes[i];
            node.name.clone().unwrap_or_else(|| node.label())
        };
        let inputs = self.nodes.iter().filter(|node| node.role == Role::Input);
        let inputs: Vec<String> = inputs.map(|node| format!("{} ({})", node.label(), node.shape)).collect();
        if !inputs.is_empty() {
            says.push(format!("Inputs: {}.", inputs.join(", ")));
        }
        for block in &self.blocks {
            says.push(format!("Drawn once, {} times: {}.", block.times, block.title));
        }
        let made = self.nodes.iter().filter(|node| node.role != Role::Input);
        let made: Vec<String> = made.map(|node| format!("{} ({})", node.label(), node.shape)).collect();
        if !made.is_empty() {
            says.push(format!("Then, in order: {}.", made.join("; ")));
        }
        if self.wrt.is_some() {
            let edges = self.edges.iter().filter_map(|edge| {
                let local = edge.local()?;
                Some(format!("{} to {}: {local}", label(edge.from), label(edge.to)))
            });
            says.push(format!("Local derivatives: {}.", edges.collect::<Vec<_>>().join("; ")));
        }
        if let Some(path) = self.identity_path() {
            let path: Vec<String> = path.into_iter().map(label).collect();
            says.push(format!("The identity path, drawn thick: {}.", path.join(", ")));
        }
        says.extend(self.notes.iter().cloned());
        says.join(" ")
    }

    /// What a turn of a loop hands to the next one.
    pub(super) fn next_turn(&self, block: &Block) -> Option<String> {
        let label = |i: usize| self.nodes[i].name.clone().unwrap_or_else(|| self.nodes[i].label());
        let each = block.back.iter().map(|(end, start)| match (label(*end), label(*start)) {
            (end, start) if end == start => format!("{end} is handed on"),
            (end, start) => format!("{end} is the next {start}"),
        });
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| each.join(", "))
    }

    /// The nodes of the identity path, where there is one.
    fn identity_path(&self) -> Option<Vec<usize>> {
        let on: Vec<usize> = (0..self.nodes.len()).filter(|i| self.nodes[*i].identity).collect();
        (on.len() > 1).then_some(on)
    }
}
