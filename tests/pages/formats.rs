//! Every format of the examples: whole, well-formed, and saying the same.

use crate::format_leaves::{
    canonical, html_leaves, json_leaves, latex_leaves, markdown_leaves, text_leaves, typst_leaves,
};
use crate::pinned::pinned;

use chainrule::derive::{Derivation, derive};
use chainrule::graph::{Program, Request, read};
use chainrule::notation::{Block, Entry, Fact, Math, Page, Row, Says, Sheet, page};
use chainrule::reading::{Answers, answers};
use chainrule::render::{html, json, latex, markdown, text, typst, words};
use chainrule::witness::{Checked, check};

const EXAMPLES: [(&str, &str); 5] =
    [("residual_block", "x"), ("two_blocks", "x"), ("stack", "x"), ("softmax_cross_entropy", "z"), ("quadratic", "x")];

struct Derived {
    name: &'static str,
    program: Program,
    found: Vec<Checked<(Derivation, Answers)>>,
    page: Page,
}

fn derived(name: &'static str, wrt: &str) -> Derived {
    let path = format!("docs/examples/{name}.py");
    let source = std::fs::read_to_string(&path).unwrap();
    let assumptions = if name == "softmax_cross_entropy" { vec!["y one-hot".to_string()] } else { Vec::new() };
    let program = read(&source, &Request { assumptions, ..Request::default() }).unwrap();
    let wrt = program.input_named(wrt).unwrap();
    let mut derivation = derive(&program, program.output, wrt).unwrap();
    let answers = answers(&mut derivation).unwrap();
    let found = check(derivation, answers).unwrap();
    let page = page(&found, &Sheet { origin: &path, expand: true, ..Sheet::default() });
    Derived { name, program, found: vec![found], page }
}

fn examples() -> Vec<Derived> {
    EXAMPLES.iter().map(|(name, wrt)| derived(name, wrt)).collect()
}

fn snapshot(name: &str, page: &str) {
    // The largest difference met is a matter of the machine.
    let page: String = page
        .lines()
        .filter(|line| !line.contains("\"worst\":"))
        .flat_map(|line| {
            [
                line, "
",
            ]
        })
        .collect();
    pinned("formats", name, &page);
}

#[test]
fn snapshots() {
    for one in examples() {
        let of = |format: &str| format!("{}.{format}", one.name);
        snapshot(&of("latex"), &latex(&one.page, false));
        snapshot(&of("markdown"), &markdown(&one.page));
        snapshot(&of("html"), &html(&one.page, false));
        snapshot(&of("typst"), &typst(&one.page, false));
        snapshot(&of("json"), &json(&one.program, &one.found, &one.page));
    }
}

#[test]
fn every_format_says_the_same_in_the_same_order() {
    for one in examples() {
        let said = canonical(&one.page);
        let table = [
            ("text", text_leaves(&text(&one.page, 100_000).to_string())),
            ("latex", latex_leaves(&latex(&one.page, false))),
            ("markdown", markdown_leaves(&markdown(&one.page))),
            ("html", html_leaves(&html(&one.page, false))),
            ("typst", typst_leaves(&typst(&one.page, false))),
            ("json", json_leaves(&json(&one.program, &one.found, &one.page))),
        ];
        for (format, leaves) in table {
            let same = said.chars().zip(leaves.chars()).take_while(|(a, b)| a == b).count();
            let near = |text: &str| text.chars().skip(same.saturating_sub(40)).take(90).collect::<String>();
            assert_eq!(leaves, said, "\n{} in {format}:\n{}\n{}", one.name, near(&leaves), near(&said));
        }
    }
}

#[test]
fn braces_are_balanced_and_environments_closed() {
    for one in examples() {
        for tex in [latex(&one.page, true), latex(&one.page, false), markdown(&one.page)] {
            assert_balanced(&tex);
            let count = |word: &str| tex.matches(word).count();
            assert_eq!(count("\\begin{"), count("\\end{"));
            assert!(!tex.contains("mathbb"));
        }
    }
}

#[test]
fn html_is_well_formed() {
    for one in examples() {
        for page in [html(&one.page, true), html(&one.page, false)] {
            let mut open: Vec<String> = Vec::new();
            for tag in page.split('<').skip(1) {
                let tag = tag.split('>').next().unwrap();
                let name = tag.split([' ', '\n']).next().unwrap().trim_end_matches('/');
                if name.starts_with('!') || tag.ends_with('/') {
                    continue;
                }
                match name.strip_prefix('/') {
                    Some(closed) => assert_eq!(open.pop().as_deref(), Some(closed), "{page}"),
                    None => open.push(name.to_string()),
                }
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            }
            assert!(open.is_empty(), "{open:?}");
            assert!(!page.contains("http") && !page.contains("<script"));
        }
    }
}

#[test]
fn names_and_lines_of_the_source_pair_up() {
    for one in examples() {
        let page = html(&one.page, true);
        let document = roxmltree::Document::parse_with_options(&page, options()).unwrap();
        let classes = |prefix: &'static str| {
            let words = document.descendants().filter_map(|node| node.attribute("class"));
            let numbers = words.flat_map(|words| words.split(' ').collect::<Vec<_>>());
            numbers.filter_map(move |word| word.strip_prefix(prefix)?.parse::<usize>().ok()).collect::<Vec<_>>()
        };
        let (from, lines) = (classes("from-"), classes("line-"));
        assert!(!from.is_empty(), "{}", one.name);
        let unique: std::collections::BTreeSet<&usize> = lines.iter().collect();
        assert_eq!(unique.len(), lines.len(), "two lines of one number in {}", one.name);
        for line in &from {
            assert!(lines.contains(line), "{line} of {} is no line", one.name);
            assert!(page.contains(&format!(".from-{line}:hover, .line:focus .changed .from-{line}")), "{line}");
        }
        // The lines can be reached with the keyboard, and every formula can be heard.
        for node in document.descendants() {
            let is_line = node.attribute("class").is_some_and(|class| class.starts_with("line-"));
            assert!(!is_line || node.attribute("tabindex") == Some("0"));
            assert!(!node.has_tag_name("math") || node.attribute("alttext").is_some_and(|text| !text.is_empty()));
        }
    }
}

#[test]
fn a_name_comes_from_the_line_that_computes_it() {
    let one = derived("residual_block", "x");
    // z has no line of its own: it is computed on the way to h, the sixth.
    let table = [("x", 0), ("w1", 1), ("b2", 4), ("z", 5), ("h", 5), ("branch", 6), ("out", 7)];
    for (name, line) in table {
        assert_eq!(one.page.lines.get(name), Some(&line), "{name}");
    }
}

#[test]
fn every_step_stands_behind_a_line() {
    let one = derived("residual_block", "x");
    let rows = one.page.blocks.iter().flat_map(|block| match block {
        Block::Lines(_, rows) => rows.as_slice(),
        _ => &[],
    });
    let rows: Vec<&Row> = rows.collect();
    let found: Vec<_> = rows.iter().flat_map(|row| &row.found).collect();
    let report = one.found[0].report().unwrap();
    assert_eq!(found.len(), report.steps + report.unchecked);
    let relu = found.iter().find(|found| found.why == Says::from("relu")).unwrap();
    assert_eq!(relu.place, Some((4, "F.relu(x @ w1 + b1)".to_string())));
    assert_eq!((words(&relu.shape).as_str(), relu.checked.as_str()), ("d_ff × d_model", "checked to 8 digits"));
    let html = html(&one.page, false);
    let unfolding = rows.iter().filter(|row| !row.found.is_empty()).count();
    assert_eq!(html.matches("<details class=\"step\">").count(), unfolding);
    assert_eq!(html.matches("<li>").count(), found.len());
    let says = "</math> · line 4: <code>F.relu(x @ w1 + b1)</code> · checked to 8 digits";
    assert!(html.contains("alttext=\"d_ff × d_model\"") && html.contains(says));
}

/// Words that mean something to one format or another.
const WORDS: [&str; 14] = [
    "x @ W1 + b1",
    "\"",
    "a -> b --> c",
    "two\nlines",
    "<b>&amp;</b> ]]>",
    "[x](y){z}|w|",
    "\\ \\n \\\" \\end{document}",
    "`md` *a* __b__ ~c~",
    "$x$ $$y$$ #let %",
    "50% & #1 ^2 _3",
    "{ } } {",
    "\u{0}\u{7}\u{1b}[31m",
    "𝛼 ⊙ β̄ 名前 naïve",
    "",
];

#[test]
fn no_words_break_a_format() {
    for words in WORDS {
        let math = Math::product([Math::name("w_1"), Math::call("log_softmax", vec![Math::name("x")])]);
        let entry = Entry { name: words.into(), written: words.into(), aside: words.into() };
        let row = Row::new(math.clone(), words);
        let facts = [Fact::Prose(vec![words.into()]), Fact::Equation(math.clone(), math.clone())];
        let page = Page {
            title: words.into(),
            origin: words.into(),
            blocks: vec![
                Block::Prose(vec![words.into(), math.clone().into()]),
                Block::Listing(vec![entry]),
                Block::Lines(math.clone(), vec![row.clone(), row]),
                Block::Facts(facts.map(|fact| (words.to_string(), fact)).to_vec()),
            ],
            ..Page::default()
        };
        roxmltree::Document::parse_with_options(&html(&page, true), options())
            .unwrap_or_else(|e| panic!("{words}: {e}"));
        let tex = latex(&page, true);
        assert_eq!(tex.matches("\\end{document}").count(), 1, "{words}");
        assert_balanced(&tex);
        let markdown = markdown(&page);
        let displays: Vec<&str> = markdown.split("\n$$\n").filter(|part| part.starts_with("\\begin")).collect();
        assert_eq!(displays.len(), 2, "{words}: {markdown}");
        for formula in displays {
            let left = formula.replace("_ ", "");
            assert!(!left.contains(['[', ']', '<', '>', '*', '|', '`', '_', '$', '~']), "{words}: {formula}");
            let escapes = formula.split('\\').skip(1).filter_map(|rest| rest.chars().next());
            assert!(escapes.clone().all(|c| c.is_ascii_alphabetic()), "{words}: {formula}");
            assert_balanced(formula);
        }
        let typst = typst(&page, true).replace("\\\\", "").replace("\\\"", "");
        assert_eq!(typst.matches('"').count() % 2, 0, "{words}");
    }
}

fn assert_balanced(tex: &str) {
    let bare = tex.replace("\\\\", "").replace("\\{", "").replace("\\}", "");
    let mut depth = 0i64;
    for c in bare.chars() {
        depth += i64::from(c == '{') - i64::from(c == '}');
        assert!(depth >= 0, "{tex}");
    }
    assert_eq!(depth, 0, "{tex}");
}

fn options() -> roxmltree::ParsingOptions {
    roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() }
}

#[test]
fn the_identity_is_marked_without_colour() {
    let one = derived("residual_block", "x");
    assert!(latex(&one.page, false).contains("\\underbrace{\\mathbf{I}}_{\\text{skip path}}"));
    assert!(markdown(&one.page).contains("\\underbrace{\\mathbf{I}}_ {\\text{skip path}}"));
    assert!(html(&one.page, false).contains("class=\"identity\">I</mi><mtext class=\"label\">skip path</mtext>"));
    assert!(typst(&one.page, false).contains("underbrace(bold(upright(\"I\")), \"skip path\")"));
}

#[test]
fn json_has_the_fields_its_description_lists() {
    let described = std::fs::read_to_string("docs/src/json.md").unwrap();
    let one = derived("two_blocks", "x");
    let value: serde_json::Value = serde_json::from_str(&json(&one.program, &one.found, &one.page)).unwrap();
    assert_eq!(value["version"], chainrule::render::VERSION);
    let derivation = &value["derivations"][0];
    for object in [
        &value,
        &value["program"],
        &value["program"]["definitions"][0],
        derivation,
        &derivation["paragraphs"][0],
        &derivation["paragraphs"][0]["steps"][0],
        &derivation["parts"][0],
        &derivation["answers"],
        &derivation["check"],
        &derivation["result"]["tree"],
    ] {
        let fields: Vec<&String> = object.as_object().unwrap().keys().collect();
        assert!(!fields.is_empty());
        for field in fields {
            assert!(described.contains(&format!("`{field}`")), "{field}");
        }
    }
}
