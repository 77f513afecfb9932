//! A picture in the language of Graphviz.

use super::measure::heading;
use super::model::{NEXT, Picture, Role};
use super::plan::{Plan, Way};
use std::fmt::Write;

/// The picture as a DOT digraph.
pub fn dot(picture: &Picture) -> String {
    let plan = Plan::of(picture);
    let mut out = String::new();
    let caption = std::iter::once(&picture.title).chain(&picture.notes);
    let caption: Vec<&str> = caption.map(String::as_str).collect();
    // Writing to a string does not fail.
    let _ = writeln!(out, "digraph {} {{", quoted(&picture.title));
    let _ = writeln!(out, "  graph [label={}, labelloc=t];", quoted(&caption.join("\n")));
    let _ = writeln!(out, "  node [shape=box, style=rounded, fontname=monospace];");
    let _ = writeln!(out, "  edge [fontname=monospace, fontsize=11];");
    write_block(&mut out, picture, None, 1);
    for edge in &picture.edges {
        let shape = picture.nodes[edge.from].shape.to_string();
        let label = edge.local().map_or(shape.clone(), |local| format!("{local}\n{shape}"));
        let mut attributes = format!("label={}", quoted(&label));
        if matches!(plan.way(edge.from, edge.to), Way::Straight) {
            attributes.push_str(", weight=20");
        }
        attributes.push_str(match (edge.identity, edge.moves) {
            (true, _) => ", penwidth=3, color=\"#16935f\", class=identity",
            (false, true) => "",
            (false, false) => ", style=dashed, color=gray50, fontcolor=gray40",
        });
        let _ = writeln!(out, "  n{} -> n{} [{attributes}];", edge.from, edge.to);
    }
    // The way back of a loop does not put what comes first below what comes last.
    for (end, start) in picture.ways_back() {
        let _ = writeln!(out, "  n{end} -> n{start} [label=\"{NEXT}\", style=dotted, constraint=false];");
    }
    out.push_str("}\n");
    out
}

/// What stands in a block, inner blocks after its own nodes. Blocks nest a few deep.
fn write_block(out: &mut String, picture: &Picture, block: Option<usize>, depth: usize) {
    let indent = "  ".repeat(depth);
    for (i, node) in picture.nodes.iter().enumerate().filter(|(_, node)| node.block == block) {
        let mut attributes = format!("label={}", quoted(&format!("{}\n{}", node.label(), node.shape)));
        if node.role == Role::Input {
            attributes.push_str(", shape=plain");
        }
        attributes.push_str(match (node.identity, node.moves) {
            (true, _) => ", penwidth=2, color=\"#16935f\"",
            (false, true) => "",
            (false, false) => ", style=\"rounded,dashed\", color=gray50, fontcolor=gray40",
        });
        let _ = writeln!(out, "{indent}n{i} [{attributes}];");
    }
    for (i, inner) in picture.blocks.iter().enumerate().filter(|(_, inner)| inner.inside == block) {
        let _ = writeln!(out, "{indent}subgraph cluster_{i} {{");
        let _ = writeln!(out, "{indent}  label={}; style=rounded;", quoted(&heading(inner)));
        write_block(out, picture, Some(i), depth + 1);
        let _ = writeln!(out, "{indent}}}");
    }
}

/// A quoted string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Graphviz reads entities within strings.
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
