//! A picture as SVG: follows light and dark, needs no font and no script.

use super::measure::{Area, LARGE, Label, SMALL, heading, line_height, width};
use super::model::{Edge, Node, Picture, Role};
use super::place::{Placed, Wire};
use super::plan::Way;
use crate::render::html_escaped as escaped;
use std::fmt::Write;

/// By itself the drawing has its own colours; within a page it takes the page's.
const STYLE: &str = "\
.chainrule-graph{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:13px}
.chainrule-graph:root{color:#1d2126;background:#fff}
@media (prefers-color-scheme:dark){.chainrule-graph:root{color:#e4e7eb;background:#15181c}}
.chainrule-graph text{fill:currentColor}
.chainrule-graph .small{font-size:11px;fill-opacity:.78}
.chainrule-graph .name{font-weight:bold}
.chainrule-graph rect{fill:currentColor;fill-opacity:.04;stroke:currentColor;stroke-opacity:.7}
.chainrule-graph .input rect{fill:none}
.chainrule-graph .block rect{fill-opacity:.03;stroke-opacity:.45}
.chainrule-graph path{fill:none;stroke:currentColor;stroke-width:1.2}
.chainrule-graph path.head{fill:currentColor;stroke:none}
.chainrule-graph .back path{stroke-width:2;stroke-dasharray:1 3}
.chainrule-graph .identity path,.chainrule-graph .identity rect{stroke:#16935f;stroke-opacity:1;stroke-width:3.2}
.chainrule-graph .identity rect{stroke-width:2.4}
.chainrule-graph .identity path.head{fill:#16935f;stroke:none}
.chainrule-graph .identity .local{font-weight:bold}
.chainrule-graph .rests{opacity:.7}
.chainrule-graph .rests rect,.chainrule-graph .rests path{stroke-dasharray:4 3}
";

/// The picture as an SVG document.
pub fn svg(picture: &Picture) -> String {
    let placed = Placed::of(picture);
    let notes = notes(picture, placed.reach.0 + placed.reach.1);
    let (left, wide) = (number(-placed.reach.0), number(placed.reach.0 + placed.reach.1));
    let tall = number(placed.height + notes.len() as f64 * line_height(SMALL) + 4.0);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chainrule-graph\" role=\"img\" viewBox=\"{left} 0 {wide} {tall}\" \
         width=\"{wide}\" height=\"{tall}\" style=\"max-width:100%;height:auto\">"
    );
    let _ = writeln!(out, "<title>Computation graph of {}</title>", escaped(&picture.title));
    let _ = writeln!(out, "<desc>{}</desc>", escaped(&picture.in_words()));
    let _ = writeln!(out, "<style>\n{STYLE}</style>");
    for (block, frame) in picture.blocks.iter().zip(&placed.frames) {
        if let Some(frame) = frame {
            let _ = write!(out, "<g class=\"block\">{}", rect(frame, 10));
            let _ = write!(out, "{}", text(12.0, frame.y + 19.0, "start", "name", &heading(block)));
            let back = picture.next_turn(block).map_or(String::new(), |next| way_back(frame, &next));
            let _ = writeln!(out, "{back}</g>");
        }
    }
    for (edge, wire) in picture.edges.iter().zip(&placed.wires) {
        write_edge(&mut out, edge, wire);
    }
    for (node, (area, label)) in picture.nodes.iter().zip(&placed.boxes) {
        write_node(&mut out, node, area, label);
    }
    for (i, note) in notes.iter().enumerate() {
        let y = placed.height + i as f64 * line_height(SMALL) + 10.0;
        let _ = writeln!(out, "{}", text(8.0 - placed.reach.0, y, "start", "small", note));
    }
    out.push_str("</svg>\n");
    out
}

fn write_node(out: &mut String, node: &Node, area: &Area, label: &Label) {
    let role = match node.role {
        Role::Input => "input",
        Role::Operation => "operation",
        Role::Start | Role::After => "turn",
    };
    let _ = write!(out, "<g class=\"node {role}{}\">", marks(node.identity, node.moves));
    let _ = write!(out, "<title>{}: {}</title>", escaped(&node.label()), escaped(&node.shape.to_string()));
    let _ = write!(out, "{}", rect(area, 6));
    let named = node.name.as_deref().unwrap_or("");
    write_label(out, label, area.x, area.y + 5.0, &|line: &str| match node.expression {
        // The name is what the source calls it; it stands out from the operation.
        Some(_) if !named.is_empty() && line.starts_with(named) => named.len(),
        None => line.len(),
        _ => 0,
    });
    out.push_str("</g>\n");
}

fn write_edge(out: &mut String, edge: &Edge, wire: &Wire) {
    let class = marks(edge.identity, edge.moves);
    let _ = write!(out, "<g class=\"edge{class}\" data-from=\"{}\" data-to=\"{}\">", edge.from, edge.to);
    for line in lines(wire) {
        let _ = write!(out, "<path d=\"{line}\"/>");
    }
    let _ = write!(out, "<path class=\"head\" d=\"{}\"/>", head(wire.way, wire.end));
    let count = wire.label.lines.len();
    let mut y = wire.place.y;
    for (i, (line, size)) in wire.label.lines.iter().enumerate() {
        let class = if i + 1 == count { "small" } else { "local" };
        y += line_height(*size);
        let _ = write!(out, "{}", text(wire.place.x, y - 4.0, "middle", class, line));
    }
    out.push_str("</g>\n");
}

fn marks(identity: bool, moves: bool) -> &'static str {
    match (identity, moves) {
        (true, _) => " identity",
        (false, true) => "",
        (false, false) => " rests",
    }
}

/// The lines of an edge; they leave out the place of its label.
fn lines(wire: &Wire) -> Vec<String> {
    let ((x, y), (to, end), place) = (wire.start, wire.end, &wire.place);
    let n = number;
    let (above, below) = (place.y, place.bottom() + 1.0);
    match wire.way {
        Way::Straight => {
            vec![format!("M{} {}V{}", n(x), n(y), n(above)), format!("M{} {}V{}", n(x), n(below), n(end - 7.0))]
        }
        Way::Beside => vec![format!("M{} {}L{} {}", n(x), n(y), n(to + 7.0), n(end))],
        Way::Skip => {
            let lane = wire.lane;
            let bend = ((above - y) * 0.8).min(46.0);
            vec![
                format!("M{0} {1}C{2} {1} {2} {1} {2} {3}V{4}", n(x), n(y), n(lane), n(y + bend), n(above)),
                format!("M{0} {1}V{2}C{0} {3} {0} {3} {4} {3}", n(lane), n(below), n(end - bend), n(end), n(to - 7.0)),
            ]
        }
        Way::Join => {
            let turn = wire.turns.1;
            let down = [(x, below), (x, turn), (to, turn), (to, end - 7.0)];
            vec![format!("M{} {}V{}", n(x), n(y), n(above)), rounded(&down)]
        }
        Way::Branch => {
            let turn = wire.turns.0;
            let down = [(x, y), (x, turn), (to, turn), (to, above)];
            vec![rounded(&down), format!("M{} {}V{}", n(to), n(below), n(end - 7.0))]
        }
        Way::Lane => {
            let ((leave, turn), lane) = (wire.turns, wire.lane);
            // From an input the lane is reached straight to the right.
            let out = if leave > y { vec![(x, y), (x, leave), (lane, leave)] } else { vec![(x, y), (lane, y)] };
            let out: Vec<(f64, f64)> = out.into_iter().chain([(lane, turn), (place.right(), turn)]).collect();
            vec![rounded(&out), rounded(&[(place.left(), turn), (to, turn), (to, end - 7.0)])]
        }
    }
}

/// A line along the axes through these points, its corners rounded.
fn rounded(points: &[(f64, f64)]) -> String {
    let n = number;
    let mut line = String::new();
    for (i, (x, y)) in points.iter().copied().enumerate() {
        let Some(before) = i.checked_sub(1).map(|i| points[i]) else {
            let _ = write!(line, "M{} {}", n(x), n(y));
            continue;
        };
        let Some(after) = points.get(i + 1) else {
            let _ = write!(line, "L{} {}", n(x), n(y));
            continue;
        };
        let toward = |(to, end): (f64, f64)| {
            let length = (to - x).abs() + (end - y).abs();
            let part = if length > 0.0 { (length / 2.0).min(6.0) / length } else { 0.0 };
            (x + (to - x) * part, y + (end - y) * part)
        };
        let (from, to) = (toward(before), toward(*after));
        let _ = write!(line, "L{} {}Q{} {} {} {}", n(from.0), n(from.1), n(x), n(y), n(to.0), n(to.1));
    }
    line
}

/// The head of an arrow whose point is at the end.
fn head(way: Way, (x, y): (f64, f64)) -> String {
    let n = number;
    match way {
        Way::Beside => format!("M{} {}l9 -4.5v9z", n(x), n(y)),
        Way::Skip => format!("M{} {}l-9 -4.5v9z", n(x), n(y)),
        _ => format!("M{} {}l-4.5 -9h9z", n(x), n(y)),
    }
}

/// An arrow up the left side of a loop, from the end of a turn to the next one.
fn way_back(frame: &Area, says: &str) -> String {
    let (x, top, bottom) = (number(frame.left()), number(frame.y + 16.0), number(frame.bottom() - 16.0));
    let head = format!("M{x} {}l-4.5 9h9z", number(frame.y + 14.0));
    let title = escaped(says);
    format!(
        "<g class=\"back\"><title>{title}</title><path d=\"M{x} {bottom}V{top}\"/><path class=\"head\" d=\"{head}\"/></g>"
    )
}

fn rect(area: &Area, round: u32) -> String {
    let (x, y, w, h) = (number(area.left()), number(area.y), number(area.w), number(area.h));
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\"/>")
}

fn text(x: f64, y: f64, anchor: &str, class: &str, says: &str) -> String {
    let (x, y) = (number(x), number(y));
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>", escaped(says))
}

/// Lines around a middle; `bold` says how much of a line's start is a name.
fn write_label(out: &mut String, label: &Label, x: f64, top: f64, bold: &dyn Fn(&str) -> usize) {
    let mut y = top;
    for (i, (line, size)) in label.lines.iter().enumerate() {
        y += line_height(*size);
        if *size < LARGE {
            let _ = write!(out, "{}", text(x, y - 4.0, "middle", "small", line));
            continue;
        }
        let (name, rest) = line.split_at(if i == 0 { bold(line) } else { 0 });
        let (at, base) = (number(x), number(y - 5.0));
        let _ = write!(out, "<text x=\"{at}\" y=\"{base}\" text-anchor=\"middle\">");
        if !name.is_empty() {
            let _ = write!(out, "<tspan class=\"name\">{}</tspan>", escaped(name));
        }
        let _ = write!(out, "{}</text>", escaped(rest));
    }
}

/// The notes in lines that fit the drawing.
fn notes(picture: &Picture, wide: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for note in &picture.notes {
        let mut line = String::new();
        for word in note.split(' ') {
            let longer = format!("{line}{}{word}", if line.is_empty() { "" } else { " " });
            if !line.is_empty() && width(&longer, SMALL) > wide - 16.0 {
                lines.push(std::mem::replace(&mut line, word.to_string()));
            } else {
                line = longer;
            }
        }
        lines.push(line);
    }
    lines
}

/// A length with at most one decimal, the same on every machine.
fn number(value: f64) -> String {
    let tenths = (value * 10.0).round();
    let text = format!("{:.1}", tenths / 10.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_string() } else { text.to_string() }
}
