//! Every example's page and tree, as the command prints them.

use crate::command::words;
use crate::pinned::pinned;
use std::fs;
use std::path::Path;

/// What the first line of an example asks for; else the first input.
fn asked(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let name = format!("docs/examples/{}", path.file_name().unwrap().to_string_lossy());
    match text.lines().next().and_then(|line| line.strip_prefix("# chainrule ")) {
        Some(command) => words(command),
        None => words(&format!("derive {name} --wrt x")),
    }
}

fn run(args: &[String]) -> String {
    let out = crate::command::run(args);
    let (page, told) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
    assert!(out.status.success(), "{args:?}\n{page}{told}");
    page
}

#[test]
fn examples() {
    insta::glob!("../../docs/examples", "*.py", |path| {
        let name = path.file_stem().unwrap().to_string_lossy();
        let mut args = asked(path);
        args.extend(words("--width 100"));
        let page = run(&args);
        let too_wide: Vec<&str> = page.lines().filter(|line| line.chars().count() > 104).collect();
        assert!(too_wide.is_empty(), "{too_wide:?}");
        assert!(page.lines().all(|line| line.trim_end() == line), "blanks at the end of a line");
        pinned("examples", &name, &page);
        args.extend(words("--format tree"));
        pinned("trees", &name, &run(&args));
    });
}

#[test]
fn the_block_by_each_of_its_inputs() {
    for input in ["w1", "b1", "w2", "b2", "all", "h"] {
        let page = run(&words(&format!("derive docs/examples/residual_block.py --wrt {input} --width 100")));
        pinned("inputs", input, &page);
    }
}
