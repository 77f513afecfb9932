//! What the README and the chapters of the book show is what the command prints.
//!
//! A fence of the language `console` holds commands, each behind `$ ` and maybe broken behind
//! ` \`, and below each what it prints. A line `…` stands for lines that are left out. `INSTA_UPDATE=always` writes what is
//! printed now into the files, as it does for snapshots.

use crate::command::{run, words};
use std::fs;
use std::path::{Path, PathBuf};

/// Stands for lines that are left out.
const LEFT_OUT: &str = "…";

/// Stands at the end of a line whose command goes on.
const BROKEN: &str = " \\";

/// A stretch of lines of a chapter.
enum Part {
    Prose(Vec<String>),
    Screen { line: usize, typed: Vec<String>, shown: Vec<String> },
}

/// The chapters that may show screens.
fn chapters() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|ext| ext == "md")).collect();
    files.push(root.join("README.md"));
    files.sort();
    files
}

/// A chapter cut into prose and screens.
fn parts(text: &str) -> Vec<Part> {
    let (mut parts, mut inside) = (Vec::new(), false);
    for (number, line) in text.lines().enumerate() {
        let opens = !inside && line == "```console";
        let closes = inside && line == "```";
        inside = (inside || opens) && !closes;
        let begins = inside && line.starts_with("$ ");
        match parts.last_mut() {
            _ if begins => {
                parts.push(Part::Screen { line: number + 1, typed: vec![line.into()], shown: Vec::new() });
            }
            Some(Part::Screen { typed, .. }) if typed.last().is_some_and(|last| last.ends_with(BROKEN)) => {
                typed.push(line.into());
            }
            Some(Part::Screen { shown, .. }) if inside => shown.push(line.into()),
            Some(Part::Prose(lines)) => lines.push(line.into()),
            _ => parts.push(Part::Prose(vec![line.into()])),
        }
    }
    parts
}

/// The command that was typed, in one line.
fn command_of(typed: &[String]) -> String {
    let lines = typed.iter().map(|line| line.trim_end_matches(BROKEN).trim_start_matches("$ ").trim());
    lines.collect::<Vec<&str>>().join(" ")
}

/// What a command prints: its page, else its complaint.
fn printed(command: &str) -> Vec<String> {
    let args = words(command);
    assert_eq!(args.first().map(String::as_str), Some("chainrule"), "{command}");
    let done = run(&args[1..]);
    assert_ne!(done.status.code(), Some(2), "wrong usage: {command}");
    let text = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
    text.trim_end().lines().map(str::to_string).collect()
}

/// Is this what is shown? Pieces between lines that are left out stand in the same order.
fn shows(shown: &[String], printed: &[String]) -> bool {
    let pieces: Vec<&[String]> = shown.split(|line| line == LEFT_OUT).collect();
    let [first, .., last] = pieces.as_slice() else { return shown == printed };
    let (mut rest, enough) = (printed, first.len() + last.len() <= printed.len());
    for piece in &pieces {
        let Some(at) = (0..=rest.len()).find(|at| rest[*at..].starts_with(piece)) else { return false };
        rest = &rest[at + piece.len()..];
    }
    enough && printed.starts_with(first) && printed.ends_with(last)
}

/// The lines of a screen without blank lines at its end, and how many of those there were.
fn without_end(shown: &[String]) -> (&[String], usize) {
    let kept = shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    (&shown[..kept], shown.len() - kept)
}

/// The chapter as it should be, and what was wrong.
fn rerun(text: &str) -> (String, Vec<String>) {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for part in parts(text) {
        match part {
            Part::Prose(prose) => lines.extend(prose),
            Part::Screen { line, typed, shown } => {
                let command = command_of(&typed);
                let (seen, blank) = without_end(&shown);
                let now = printed(&command);
                let same = shows(seen, &now);
                if !same {
                    wrong.push(format!("line {line}: $ {command}\n{}", now.join("\n")));
                }
                lines.extend(typed);
                let keep = same || seen.iter().any(|line| line == LEFT_OUT);
                lines.extend(if keep { seen.to_vec() } else { now });
                lines.extend(std::iter::repeat_n(String::new(), blank));
            }
        }
    }
    (lines.join("\n") + "\n", wrong)
}

#[test]
fn every_screen_is_real() {
    let accept = std::env::var("INSTA_UPDATE").is_ok_and(|mode| mode == "always");
    let mut wrong = Vec::new();
    for path in chapters() {
        let text = fs::read_to_string(&path).unwrap();
        let (now, mut told) = rerun(&text);
        if accept && now != text {
            fs::write(&path, &now).unwrap();
            told = rerun(&now).1;
        }
        wrong.extend(told.into_iter().map(|what| format!("{}, {what}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_screen_that_differs_is_found() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<String>>();
    let printed = lines("a\nb\nc\nd");
    for (shown, same) in [
        ("a\nb\nc\nd", true),
        ("a\nb\nc", false),
        ("a\n…\nd", true),
        ("…\nc\n…", true),
        ("a\n…", true),
        ("…\nb\n…\nd", true),
        ("…\nd\n…\nb\n…", false),
        ("b\n…", false),
        ("a\nb\nc\n…\nb\nc\nd", false),
        ("", false),
    ] {
        assert_eq!(shows(&lines(shown), &printed), same, "{shown}");
    }
    let (now, wrong) = rerun("```console\n$ chainrule \\\n    --version\nanother\n```\n");
    assert_eq!((now.lines().count(), wrong.len()), (5, 1), "{now}");
    assert_eq!(rerun(&now), (now.clone(), Vec::new()));
}

#[test]
fn every_example_stands_in_the_book_and_the_book_names_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text: String = chapters().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut files: Vec<String> = fs::read_dir(root.join("docs/examples"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().to_string())
        .collect();
    files.sort();
    let missing: Vec<&String> = files.iter().filter(|file| !text.contains(&format!("examples/{file}"))).collect();
    assert!(missing.is_empty(), "not in the book: {missing:?}");
    let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '-');
    for rest in text.split("examples/").skip(1) {
        let name = rest.split(end).next().unwrap_or_default().trim_end_matches('.');
        assert!(name.is_empty() || files.iter().any(|file| file == name), "the book names examples/{name}");
    }
}
