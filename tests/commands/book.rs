//! The preprocessor of mdBook.

use chainrule::book::{Settings, Surroundings, chapter};
use proptest::prelude::{any, proptest};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = "mdbook-chainrule";

/// A chapter as the preprocessor leaves it; mistakes are messages.
fn written(text: &str) -> Result<String, Vec<String>> {
    let file = |path: &str| match path {
        "block.py" => Ok("def one(x: \"d\"):\n    return 2 * x\n\ndef two(x: \"d\"):\n    return x + 1\n".to_string()),
        "wrong.py" => Ok("def f(x: \"d\"):\n    return x @ y\n".to_string()),
        _ => Err(format!("there is no file {path} beside the chapter")),
    };
    let around = Surroundings {
        path: "src/one.md",
        settings: &Settings::default(),
        file: &file,
        command: &chainrule::cli::definitions(),
    };
    chapter(text, &around).map_err(|told| {
        let says = |one: &chainrule::task::Refusal| {
            let help = one.told[0].help.clone().unwrap_or_default();
            format!("{}:{}: {} ({help})", one.origin, one.line, one.told[0].message)
        };
        told.iter().map(says).collect()
    })
}

fn answered(text: &str) -> String {
    written(text).unwrap_or_else(|told| panic!("{text}\n{}", told.join("\n")))
}

/// Lines with every derivation written as ‹›, or ‹graph› where it has one.
fn outline(text: &str) -> String {
    let short = |line: &str| match (line.find("<section class=\"chainrule\">"), line.rfind("</section>")) {
        (Some(start), Some(end)) => {
            let what = if line.contains("<svg ") { "‹graph›" } else { "‹›" };
            format!("{}{what}{}", &line[..start], &line[end + "</section>".len()..])
        }
        _ => line.to_string(),
    };
    text.lines().map(short).collect::<Vec<_>>().join("\n")
}

#[test]
fn blocks_are_found_where_markdown_sees_them() {
    let table = [
        // Fences of all sorts.
        ("```derive wrt=x\nx @ A @ x\n```\n", "‹›"),
        ("~~~derive wrt=x graph\nx + 1\n~~~\n", "‹graph›"),
        ("````` derive,wrt=x\nx + 1\n`````\n", "‹›"),
        ("```derive wrt=x\nx + 1\n", "‹›"),
        ("   ```derive\n   x + 1\n   ```\n", "   ‹›"),
        // Others are left alone.
        ("```derived\nx\n```\n", "```derived\nx\n```"),
        ("````markdown\n```derive\nx\n```\n````\n", "````markdown\n```derive\nx\n```\n````"),
        ("    ```derive\n    x\n    ```\n", "    ```derive\n    x\n    ```"),
        ("<!--\n```derive\nx\n```\n-->\n", "<!--\n```derive\nx\n```\n-->"),
        ("<!-- {{#derive block.py}} -->\n", "<!-- {{#derive block.py}} -->"),
        ("`{{#derive block.py}}`\n", "`{{#derive block.py}}`"),
        ("`` a\n{{#derive block.py}}\n``\n", "`` a\n{{#derive block.py}}\n``"),
        ("\\{{#derive block.py}}\n", "\\{{#derive block.py}}"),
        ("a \\{{#derive block.py}}\n", "a \\{{#derive block.py}}"),
        ("```\n{{#derive block.py}}\n```\n", "```\n{{#derive block.py}}\n```"),
        // What is around them stays, and stays apart.
        ("a\n```derive\nx + 1\n```\nb\n", "a\n‹›\n\nb"),
        ("a\n\n```derive\nx + 1\n```\n\nb\n", "a\n\n‹›\n\nb"),
        ("> ```derive\n> x + 1\n> ```\n> b\n", "> ‹›\n>\n> b"),
        ("> ```derive\n> x + 1\n> ```\nb\n", "> ‹›\nb"),
        ("- ```derive\n  x + 1\n  ```\n- b\n", "- ‹›\n- b"),
        ("- ```derive\n  x + 1\n  ```\n  b\n", "- ‹›\n\n  b"),
        ("1. a\n\n   > ```derive\n   > x + 1\n   > ```\n   > # b\n", "1. a\n\n   > ‹›\n   >\n   > # b"),
        ("# a\n```derive\nx + 1\n```\n# b\n", "# a\n‹›\n\n# b"),
        // Directives.
        ("{{#derive block.py wrt=x}}\n", "‹›"),
        ("a\n{{#derive block.py:one wrt=x graph}}\nb\n", "a\n‹graph›\n\nb"),
        ("- {{#derive block.py}}\n- b\n", "- ‹›\n- b"),
        ("> {{#derive block.py}}\n>\n> b\n", "> ‹›\n>\n> b"),
        ("{{#derive block.py}}\n# b\n", "‹›\n\n# b"),
        ("{{#derive block.py}}\r\n\r\nb\r\n", "‹›\n\nb"),
        ("{{#derive block.py}}\n{{#derive block.py:one}}\n", "‹›\n\n‹›"),
    ];
    for (text, expected) in table {
        assert_eq!(outline(&answered(text)), expected, "{text}");
    }
}

#[test]
fn a_block_holds_its_source_the_derivation_and_the_graph() {
    let text = "```derive wrt=x graph\ndef f(x: \"d\", W: \"d k\"):\n\n    return x @ W  # a < b\n```\n";
    let html = answered(text);
    for part in [
        "<pre><code class=\"language-python\">def f(x: &quot;d&quot;, W: &quot;d k&quot;):&#10;&#10;    return x @ W  # a &lt; b",
        "<math",
        "central differences",
        "<svg ",
        "<style>",
    ] {
        assert!(html.contains(part), "{part} is missing in\n{html}");
    }
    assert_eq!(html.lines().count(), 1);
    let once = answered(&text.repeat(3));
    assert_eq!(
        once.matches("html:is(.coal").count(),
        answered(text).matches("html:is(.coal").count(),
        "one style a chapter"
    );
}

#[test]
fn options_say_what_is_shown() {
    let shown = |words: &str| answered(&format!("```derive {words}\nx @ A @ x\n```\n"));
    let has = |words: &str, part: &str| shown(words).contains(part);
    assert!(!has("wrt=x hide-source", "<pre>") && has("wrt=x hide-source=false", "<pre>"));
    assert!(has("wrt=x graph", "<svg ") && !has("wrt=x graph=false", "<svg "));
    assert!(has("wrt=x no-check", "not checked") && has("order=2 wrt=x", "Hessian"));
    assert!(has("wrt=x assume=\"A symmetric\" format=text", "∇out = 2 A x"));
    assert!(has("wrt=x format=tree", "class=\"language-text\""));
    assert!(has("wrt=x shape=x=3 shape=\"A=3 3\"", "3 × 3"));
    assert!(has("wrt=x readings=pullback,differential", "backwards") && !has("wrt=x readings=pullback", "∇"));
    assert!(has("wrt=x readings=gradient", "∇") && !has("wrt=x", "backwards"));
    // What the command takes with a value or without one.
    let softmax = |words: &str| answered(&format!("```derive {words}\nsoftmax(x, 0)\n```\n"));
    assert!(
        !softmax("wrt=x expand").contains("spelled out") && softmax("wrt=x expand=softmax").contains("spelled out")
    );
    let katex = shown("wrt=x math=katex");
    assert!(katex.contains("$\\displaystyle") && !katex.contains("<math"), "{katex}");
    let mathjax = shown("wrt=x math=mathjax");
    assert!(mathjax.contains("\\(\\displaystyle") && mathjax.contains("\\)</span>"), "{mathjax}");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let table = [
        ("a\n\n```derive wrt=q\nx + 1\n```\n", &["src/one.md:", "q"][..]),
        (
            "a\n\n```derive redings=jacobian\nx\n```\n",
            &["src/one.md:3: there is no option redings", "The options are wrt"],
        ),
        (
            "```derive hide_source\nx\n```\n",
            &["src/one.md:1: there is no option hide_source", "did you mean hide-source?"],
        ),
        ("```derive layout=sideways\nx\n```\n", &["src/one.md:1: invalid value 'sideways'", "numerator, denominator"]),
        ("```derive order=two\nx\n```\n", &["src/one.md:1: invalid value 'two'"]),
        (
            "```derive wrt=x readings=jacobian\nx @ A @ x\n```\n",
            &["src/one.md:1: there is no jacobian of this", "its readings: gradient, "],
        ),
        ("```derive wrt=x readings=tangent\nx\n```\n", &["src/one.md:1: invalid value 'tangent'", "pullback"]),
        ("```derive graph=maybe\nx\n```\n", &["graph cannot be maybe"]),
        ("```derive wrt\nx\n```\n", &["wrt takes a value", "wrt=NAME"]),
        ("```derive shape=\"x=n\nx\n```\n", &["a quote \" is not closed"]),
        ("```derive wrt=x wrt=y\nx\n```\n", &["wrt", "multiple times"]),
        ("```derive shape=x=2.5\nx + 1\n```\n", &["src/one.md:1: ", "2.5"]),
        ("```derive\n{{#include block.py}}\n```\n", &["src/one.md:1: what the block includes", "after = [\"links\"]"]),
        ("{{#derive none.py}}\n", &["src/one.md:1: there is no file none.py"]),
        ("{{#derive}}\n", &["a directive names a file"]),
        ("{{#derive wrt=x}}\n", &["a directive names a file"]),
        ("b {{#derive block.py}}\n", &["src/one.md:1: a directive stands on a line of its own", "between backticks"]),
        ("# {{#derive block.py}}\n", &["on a line of its own"]),
        ("{{#derive block.py}} b\n", &["on a line of its own"]),
        ("\n\n{{#derive wrong.py}}\n", &["wrong.py:1: ", "asked for in src/one.md, line 3"]),
        ("{{#chainrule operatons}}\n", &["there is no page operatons", "did you mean operations?"]),
        ("> a\n>\n> ```derive wrt=x\n>\n> x @ y @\n> ```\n", &["src/one.md:4: "]),
    ];
    for (text, parts) in table {
        let told = written(text).err().unwrap_or_else(|| panic!("{text} is accepted")).join("\n");
        for part in parts {
            assert!(told.contains(part), "{part} is missing in {told} for\n{text}");
        }
    }
}

#[test]
fn the_mistake_is_shown_in_the_page_where_that_is_asked_for() {
    let html = answered("a\n\n```derive on-failure=show\ndef f(x: \"d\"):\n    return x + y\n```\nb\n");
    assert_eq!(outline(&html), "a\n\n‹›\n\nb");
    for part in ["role=\"alert\"", "src/one.md:5:16", "return x + y"] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
}

#[test]
fn pages_are_made_of_the_definitions() {
    let operations = answered("{{#chainrule operations}}\n");
    for op in chainrule::ops::all() {
        assert!(operations.contains(&format!("<span id=\"{}\">", op.name)), "{}", op.name);
    }
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(operations.lines().all(|line| columns(line) == 4), "{operations}");
    let commands = answered("{{#chainrule commands}}\n");
    for below in chainrule::cli::definitions().get_subcommands() {
        assert!(commands.contains(&format!("## chainrule {}\n", below.get_name())));
        for argument in below.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(commands.contains(&format!("`--{argument}")), "{argument}");
        }
    }
    let quoted = answered("> {{#chainrule options}}\n");
    assert!(quoted.lines().all(|line| line.starts_with("> ")) && quoted.contains("`on-failure=stop\\|show`"));
}

/// A run of the program, `input` on its standard input.
fn run(args: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mdbook-chainrule"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

/// A folder of its own for one test, with files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// What mdBook sends: 0.5 lists `items`, 0.4 `sections` and a field more.
fn sent(version: &str, root: &Path, settings: serde_json::Value, content: &str) -> serde_json::Value {
    let chapter = |name: &str, path: serde_json::Value, content: &str, below: serde_json::Value| {
        serde_json::json!({"Chapter": {
            "name": name, "content": content, "number": [1], "sub_items": below, "path": path,
            "source_path": path, "parent_names": [], "a field of tomorrow": [1.5, null],
        }})
    };
    let below = serde_json::json!([chapter("deep", "deep/two.md".into(), content, serde_json::json!([]))]);
    let chapters = serde_json::json!([
        {"PartTitle": "Part"},
        chapter("one", "one.md".into(), "nothing here\n", below),
        "Separator",
        chapter("draft", serde_json::Value::Null, "", serde_json::json!([])),
    ]);
    let context = serde_json::json!({
        "root": root, "renderer": "html", "mdbook_version": version,
        "config": {"book": {"src": "src"}, "preprocessor": {"chainrule": settings}},
    });
    let book = match version.starts_with("0.4") {
        true => serde_json::json!({"sections": chapters, "__non_exhaustive": null}),
        false => serde_json::json!({"items": chapters}),
    };
    serde_json::json!([context, book])
}

#[test]
fn both_protocols_are_spoken() {
    let root = folder("protocols", &[("src/deep/f.py", "def f(x: \"d\"):\n    return 2 * x\n")]);
    for version in ["0.4.52", "0.5.4"] {
        let settings = serde_json::json!({"command": PROGRAM, "before": ["links"], "hide-source": true});
        let input = sent(version, &root, settings, "{{#derive f.py wrt=x}}\n");
        let out = run(&[], &input.to_string());
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let mut book: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let list = if version.starts_with("0.4") { "sections" } else { "items" };
        let content = &mut book[list][1]["Chapter"]["sub_items"][0]["Chapter"]["content"];
        let text = content.take();
        assert_eq!(outline(text.as_str().unwrap()), "‹›");
        assert!(!text.as_str().unwrap().contains("<pre>"), "the table of book.toml is heeded");
        *content = "{{#derive f.py wrt=x}}\n".into();
        assert_eq!(book, input[1], "all else comes back as it was");
    }
}

#[test]
fn a_build_is_stopped_with_all_mistakes_and_nothing_on_standard_output() {
    let root = folder("stopped", &[("src/one.md", ""), ("secret.py", ""), ("src/deep/deeper/x", "")]);
    let table = [
        ("```derive\nx @\n```\n\n```derive wrong\nx\n```\n", &["src/deep/two.md:2:", "src/deep/two.md:5:1"][..]),
        ("{{#derive ../../../secret.py}}\n", &["../../../secret.py lies outside the book"]),
        ("{{#derive /etc/passwd}}\n", &["lies outside the book"]),
    ];
    for (content, parts) in table {
        let out = run(&[], &sent("0.5.4", &root, serde_json::json!({}), content).to_string());
        let told = String::from_utf8_lossy(&out.stderr).to_string();
        assert_eq!((out.status.code(), out.stdout.len()), (Some(1), 0), "{told}");
        for part in parts {
            assert!(told.contains(part), "{part} is missing in {told}");
        }
    }
    for (settings, part) in [
        (serde_json::json!({"mth": "katex"}), "there is no option mth"),
        (serde_json::json!({"math": "asciimath"}), "mathml, katex, mathjax"),
        (serde_json::json!({"width": {}}), "width is neither text"),
    ] {
        let out = run(&[], &sent("0.5.4", &root, settings, "").to_string());
        let told = String::from_utf8_lossy(&out.stderr).to_string();
        assert!(out.status.code() == Some(1) && told.contains("book.toml") && told.contains(part), "{told}");
    }
    for input in ["", "[]", "{}", "[{}, {}]", "[1, 2, 3]"] {
        let out = run(&[], input);
        assert!(out.status.code() == Some(1) && out.stdout.is_empty(), "{input}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_book() {
    let outside = folder("outside", &[("f.py", "def f(x: \"d\"):\n    return x\n")]);
    let root = folder("linked", &[("src/deep/two.md", "")]);
    std::os::unix::fs::symlink(outside.join("f.py"), root.join("src/deep/f.py")).unwrap();
    let out = run(&[], &sent("0.5.4", &root, serde_json::json!({}), "{{#derive f.py}}\n").to_string());
    assert!(String::from_utf8_lossy(&out.stderr).contains("f.py lies outside the book"));
}

#[test]
fn renderers_are_answered_by_the_exit_code() {
    for (renderer, code) in [("html", 0), ("markdown", 0), ("latex", 1), ("test", 1)] {
        assert_eq!(run(&["supports", renderer], "").status.code(), Some(code), "{renderer}");
    }
    for args in [&["--help"][..], &["--version"]] {
        let out = run(args, "");
        assert!(out.status.success() && String::from_utf8_lossy(&out.stdout).contains(PROGRAM), "{args:?}");
    }
    assert_eq!(run(&["instal"], "").status.code(), Some(2));
}

#[test]
fn install_adds_its_table_once() {
    let book = "# my book\n[book]\ntitle = \"T\"  # short\n";
    let root = folder("install", &[("book.toml", book)]);
    let read = || fs::read_to_string(root.join("book.toml")).unwrap();
    for _ in 0..2 {
        assert!(run(&["install", root.to_str().unwrap()], "").status.success());
        assert_eq!(read(), format!("{book}\n[preprocessor.chainrule]\n"));
    }
    let out = run(&["install", root.join("none").to_str().unwrap()], "");
    assert!(out.status.code() == Some(1) && !out.stderr.is_empty());
}

proptest! {
    #[test]
    fn chapters_without_blocks_come_back_byte_for_byte(lines in proptest::collection::vec((any::<u8>(), ".{0,12}"), 0..12)) {
        let marks = ["", "> ", "- ", "```", "    ", "{{#include x}} ", "<!--", "derive ", "~~~", "# ", "1. ", "| "];
        let text: String =
            lines.iter().map(|(mark, words)| format!("{}{words}\n", marks[*mark as usize % marks.len()])).collect();
        // Only what follows a fence or the braces is a block.
        if !text.contains("```derive") && !text.contains("~~~derive") && !text.contains("{{#derive") {
            assert_eq!(written(&text), Ok(text));
        }
    }
}
