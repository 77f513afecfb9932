//! A picture in the language of Mermaid.

use super::measure::heading;
use super::model::{NEXT, Picture};
use std::fmt::Write;

/// The picture as a Mermaid flowchart.
pub fn mermaid(picture: &Picture) -> String {
    let mut out = String::from("flowchart TD\n");
    // Writing to a string does not fail.
    let _ = writeln!(out, "  accTitle: Computation graph of {}", plain(&picture.title));
    let _ = writeln!(out, "  accDescr: {}", plain(&picture.in_words()));
    write_block(&mut out, picture, None, 1);
    for edge in &picture.edges {
        let shape = picture.nodes[edge.from].shape.to_string();
        let label = edge.local().map_or(shape.clone(), |local| format!("{local}\n{shape}"));
        let arrow = match (edge.identity, edge.moves) {
            (true, _) => "==>",
            (false, true) => "-->",
            (false, false) => "-.->",
        };
        let _ = writeln!(out, "  n{} {arrow}|\"{}\"| n{}", edge.from, escaped(&label), edge.to);
    }
    for (end, start) in picture.ways_back() {
        let _ = writeln!(out, "  n{end} -.->|\"{NEXT}\"| n{start}");
    }
    let _ = writeln!(out, "  classDef identity stroke:#16935f,stroke-width:3px");
    let _ = writeln!(out, "  classDef rests opacity:0.75,stroke-dasharray:4 3");
    let with = |class: &str, wanted: &dyn Fn(usize) -> bool| {
        let ids: Vec<String> = (0..picture.nodes.len()).filter(|i| wanted(*i)).map(|i| format!("n{i}")).collect();
        if ids.is_empty() { String::new() } else { format!("  class {} {class}\n", ids.join(",")) }
    };
    out += &with("identity", &|i| picture.nodes[i].identity);
    out += &with("rests", &|i| !picture.nodes[i].moves);
    out
}

/// What stands in a block, inner blocks after its own nodes. Blocks nest a few deep.
fn write_block(out: &mut String, picture: &Picture, block: Option<usize>, depth: usize) {
    let indent = "  ".repeat(depth);
    for (i, node) in picture.nodes.iter().enumerate().filter(|(_, node)| node.block == block) {
        let _ = writeln!(out, "{indent}n{i}[\"{}\"]", escaped(&format!("{}\n{}", node.label(), node.shape)));
    }
    for (i, inner) in picture.blocks.iter().enumerate().filter(|(_, inner)| inner.inside == block) {
        let _ = writeln!(out, "{indent}subgraph b{i}[\"{}\"]", escaped(&heading(inner)));
        write_block(out, picture, Some(i), depth + 1);
        let _ = writeln!(out, "{indent}end");
    }
}

/// Text within quotes: every sign that Mermaid, its Markdown or HTML could read as
/// its own stands as an entity.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("<br/>"),
            '(' | ')' | ',' | '=' | '+' | '/' | ':' | '@' | '.' | ' ' => out.push(c),
            c if c.is_ascii_punctuation() => {
                let _ = write!(out, "#{};", c as u32);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text of a line by itself, which ends at the line's end or at a sign.
fn plain(text: &str) -> String {
    let kept = |c: char| if c.is_control() || "#;{}%".contains(c) { ' ' } else { c };
    text.chars().map(kept).collect()
}
