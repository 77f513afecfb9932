//! Small readers of the formats of a picture, which refuse what is not well formed.

use std::collections::BTreeSet;

/// Nodes and edges by number.
pub type Graph = (BTreeSet<usize>, BTreeSet<(usize, usize)>);

fn number(id: &str) -> usize {
    id.strip_prefix('n').and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{id} is no node"))
}

/// Reads DOT: strings with escapes, attribute lists, nested subgraphs.
pub fn dot_graph(text: &str) -> Graph {
    let mut tokens = dot_tokens(text).into_iter().peekable();
    let mut next = || tokens.next().unwrap_or_default();
    assert_eq!(next(), "digraph");
    assert!(next().starts_with('"'));
    assert_eq!(next(), "{");
    let (mut nodes, mut edges, mut depth) = (BTreeSet::new(), BTreeSet::new(), 1);
    while depth > 0 {
        let first = next();
        match first.as_str() {
            "}" => depth -= 1,
            "subgraph" => {
                assert!(next().starts_with("cluster_"));
                assert_eq!(next(), "{");
                depth += 1;
            }
            "label" | "style" => {
                assert_eq!(next(), "=");
                next();
                assert_eq!(next(), ";");
            }
            _ => {
                let mut token = next();
                if token == "->" {
                    edges.insert((number(&first), number(&next())));
                    token = next();
                } else if !matches!(first.as_str(), "graph" | "node" | "edge") {
                    nodes.insert(number(&first));
                }
                assert_eq!(token, "[", "{first}");
                while token != "]" {
                    assert!(next().chars().all(char::is_alphabetic));
                    assert_eq!(next(), "=");
                    assert!(!next().is_empty());
                    token = next();
                    assert!(token == "," || token == "]", "{token}");
                }
                assert_eq!(next(), ";");
            }
        }
    }
    assert_eq!(next(), "");
    (nodes, edges)
}

fn dot_tokens(text: &str) -> Vec<String> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => {
                let mut escaped = false;
                let closes = |(_, c): &(usize, char)| {
                    let closes = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    assert!(*c != '\n', "a string goes over the line: {rest}");
                    closes
                };
                rest.char_indices().skip(1).find(closes).expect("an open string").0 + 1
            }
            '-' => 2,
            c if c.is_alphanumeric() => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
            _ => 1,
        };
        tokens.push(rest[..end].to_string());
        rest = rest[end..].trim_start();
    }
    tokens
}

/// Reads a Mermaid flowchart: one statement a line, labels in quotes.
pub fn mermaid_graph(text: &str) -> Graph {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("flowchart TD"));
    let (mut nodes, mut edges, mut depth) = (BTreeSet::new(), BTreeSet::new(), 0);
    for line in lines.map(str::trim) {
        let word = line.split(' ').next().unwrap_or_default();
        match word {
            "end" => depth -= 1,
            "subgraph" => {
                label(&line[line.find('[').unwrap()..], "[\"", "\"]");
                depth += 1;
            }
            "classDef" | "class" => {}
            "accTitle:" | "accDescr:" => assert!(!line.contains(['#', ';', '{', '}', '%'])),
            _ if line.contains(">|\"") => {
                let (arrow, to) = (line.find('|').unwrap(), line.rfind("| ").unwrap());
                label(&line[arrow..=to], "|\"", "\"|");
                edges.insert((number(word), number(&line[to + 2..])));
            }
            _ => {
                let at = line.find('[').unwrap_or_else(|| panic!("{line}"));
                label(&line[at..], "[\"", "\"]");
                nodes.insert(number(&line[..at]));
            }
        }
    }
    assert_eq!(depth, 0);
    (nodes, edges)
}

/// A label holds no sign that Mermaid could read as its own.
fn label(text: &str, opens: &str, closes: &str) {
    let inner = text.strip_prefix(opens).and_then(|text| text.strip_suffix(closes)).unwrap_or_else(|| panic!("{text}"));
    for piece in inner.replace("<br/>", "").split('#').skip(1) {
        let digits = piece.split(';').next().unwrap();
        assert!(!digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()), "{text}");
    }
    let plain = inner.replace("<br/>", "").replace(['#', ';'], "");
    assert!(!plain.contains(['"', '<', '>', '[', ']', '{', '}', '|', '`', '*', '_', '&', '\\']), "{text}");
}

/// Reads nodes and edges of an SVG drawing.
pub fn svg_graph(text: &str) -> Graph {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let of = |kind: &'static str| {
        let has = move |node: &roxmltree::Node| {
            node.attribute("class").is_some_and(|class| class.split(' ').next() == Some(kind))
        };
        document.descendants().filter(move |node| node.has_tag_name("g") && has(node)).collect::<Vec<_>>()
    };
    let at = |node: &roxmltree::Node, name: &str| node.attribute(name).unwrap().parse().unwrap();
    let nodes = (0..of("node").len()).collect();
    let edges = of("edge").iter().map(|edge| (at(edge, "data-from"), at(edge, "data-to"))).collect();
    (nodes, edges)
}

#[derive(Clone, Copy, Debug)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn holds(&self, (x, y): (f64, f64), margin: f64) -> bool {
        x > self.left + margin && x < self.right - margin && y > self.top + margin && y < self.bottom - margin
    }

    fn meets(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// Holds that in a drawing no box meets another box or a label, and no line runs
/// through a box or through a label that is not its own.
pub fn assert_clear(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap();
    let view: Vec<f64> = document.root_element().attribute("viewBox").unwrap().split(' ').map(read).collect();
    let page = Rect { left: view[0], top: view[1], right: view[0] + view[2], bottom: view[1] + view[3] };
    let groups = |kind: &'static str| {
        let is = move |n: &roxmltree::Node| n.attribute("class").is_some_and(|c| c.split(' ').next() == Some(kind));
        document.descendants().filter(move |n| n.has_tag_name("g") && is(n)).collect::<Vec<_>>()
    };
    let boxes: Vec<Rect> = groups("node").iter().map(rect).collect();
    let edges = groups("edge");
    let labels: Vec<Vec<Rect>> = edges.iter().map(|edge| edge.children().filter_map(written).collect()).collect();
    let inside = |rect: &Rect| rect.left >= page.left && rect.right <= page.right && rect.bottom <= page.bottom;
    for (i, one) in boxes.iter().enumerate() {
        assert!(inside(one), "{one:?} leaves the page\n{text}");
        assert!(!boxes[i + 1..].iter().any(|other| one.meets(other)), "two boxes meet at {one:?}\n{text}");
    }
    for (i, own) in labels.iter().enumerate() {
        for label in own {
            assert!(inside(label), "{label:?} leaves the page\n{text}");
            assert!(!boxes.iter().any(|other| label.meets(other)), "a label lies on a box at {label:?}\n{text}");
            let others = labels.iter().enumerate().filter(|(j, _)| i != *j).flat_map(|(_, labels)| labels);
            assert!(!others.clone().any(|other| label.meets(other)), "two labels meet at {label:?}\n{text}");
        }
    }
    for (i, edge) in edges.iter().enumerate() {
        let lines = edge.children().filter(|n| n.has_tag_name("path") && n.attribute("class").is_none());
        for point in lines.flat_map(|n| points(n.attribute("d").unwrap())) {
            assert!(!boxes.iter().any(|one| one.holds(point, 1.0)), "a line runs through a box at {point:?}\n{text}");
            let struck = labels.iter().enumerate().filter(|(j, _)| i != *j).flat_map(|(_, labels)| labels);
            let mut struck = struck.filter(|label| label.holds(point, 1.0));
            assert!(struck.next().is_none(), "a line runs through a label at {point:?}\n{text}");
        }
    }
}

fn read(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn rect(group: &roxmltree::Node) -> Rect {
    let rect = group.children().find(|n| n.has_tag_name("rect")).unwrap();
    let at = |name: &str| read(rect.attribute(name).unwrap());
    Rect { left: at("x"), top: at("y"), right: at("x") + at("width"), bottom: at("y") + at("height") }
}

/// The room of a text in a usual monospaced font.
fn written(node: roxmltree::Node) -> Option<Rect> {
    let text = node.has_tag_name("text").then(|| node.text().unwrap_or_default())?;
    let size = if node.attribute("class") == Some("small") { 11.0 } else { 13.0 };
    let half = text.chars().count() as f64 * size * 0.602 / 2.0;
    let (x, y) = (read(node.attribute("x")?), read(node.attribute("y")?));
    Some(Rect { left: x - half, top: y - size * 0.75, right: x + half, bottom: y + size * 0.2 })
}

/// Points along a path of M, L, H, V, Q and C, at most 2 apart on straight parts.
fn points(path: &str) -> Vec<(f64, f64)> {
    let (mut found, mut at) = (Vec::new(), (0.0, 0.0));
    let starts: Vec<usize> = path.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(i, _)| i).collect();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(path.len());
        let n: Vec<f64> = path[start + 1..end].split(' ').map(read).collect();
        let to = match (&path[*start..=*start], n.as_slice()) {
            ("M", [x, y]) => {
                at = (*x, *y);
                continue;
            }
            ("H", [x]) => (*x, at.1),
            ("V", [y]) => (at.0, *y),
            ("L" | "Q" | "C", [.., x, y]) => (*x, *y),
            other => panic!("{other:?}"),
        };
        // A curve stays within its corners: the last two of them bound it well enough.
        let corners: Vec<(f64, f64)> = match n.as_slice() {
            [a, b, _, _] => vec![at, (*a, *b), to],
            [a, b, c, d, _, _] => vec![at, (*a, *b), (*c, *d), to],
            _ => vec![at, to],
        };
        for t in 0..=40 {
            found.push(bezier(&corners, f64::from(t) / 40.0));
        }
        at = to;
    }
    found
}

fn bezier(corners: &[(f64, f64)], t: f64) -> (f64, f64) {
    if let [one] = corners {
        return *one;
    }
    let between = |w: &[(f64, f64)]| (w[0].0 + (w[1].0 - w[0].0) * t, w[0].1 + (w[1].1 - w[0].1) * t);
    bezier(&corners.windows(2).map(between).collect::<Vec<_>>(), t)
}
