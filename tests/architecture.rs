//! The corridor of ARCHITECTURE.md, held against the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// What only the programs may touch.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::thread", "std::time", "std::process", "stdin()", "println!", "print!(", "eprint"];

/// The rooms that may.
const OUTER: &[&str] = &["cli", "book", "main", "bin"];

/// What belongs to no room: the library's own list and the programs.
const PROGRAMS: &[&str] = &["lib", "main", "bin"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The rooms in their order, from the left; those between dots stand side by side.
fn corridor() -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let line = text.lines().find(|line| line.trim_start().starts_with("shape →")).unwrap();
    let rooms = line.split('→').map(|rooms| rooms.split('·').map(|room| room.trim().to_string()).collect());
    std::iter::once(vec!["diagnostic".to_string()]).chain(rooms).collect()
}

/// All sources but tests, with the room each belongs to.
fn sources() -> Vec<(String, PathBuf)> {
    let (mut found, mut stack) = (Vec::new(), vec![root().join("src")]);
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ext| ext == "rs") && !path.to_string_lossy().ends_with("tests.rs") {
            found.push((room_of(&path), path));
        }
    }
    found.sort();
    found
}

fn room_of(path: &Path) -> String {
    let inner = path.strip_prefix(root().join("src")).unwrap();
    let first = inner.components().next().unwrap().as_os_str().to_string_lossy().to_string();
    first.trim_end_matches(".rs").to_string()
}

/// The code of a file without its comments and its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let body = text.split("#[cfg(test)]").next().unwrap_or_default();
    body.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The rooms that code names as `crate::room`, also in braces.
fn used(code: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest,
        };
        let first_words = names.split(',').map(|name| name.trim().split(|c: char| !c.is_alphanumeric() && c != '_'));
        let take = if rest.starts_with('{') { usize::MAX } else { 1 };
        rooms.extend(first_words.take(take).filter_map(|mut words| words.next().map(str::to_string)));
    }
    rooms
}

#[test]
fn rooms_use_only_rooms_to_their_left() {
    let corridor = corridor();
    let place = |room: &str| corridor.iter().position(|rooms| rooms.iter().any(|other| other == room));
    let mut wrong = Vec::new();
    for (room, path) in sources().into_iter().filter(|(room, _)| !PROGRAMS.contains(&room.as_str())) {
        let own = place(&room).unwrap_or_else(|| panic!("{room} does not stand in ARCHITECTURE.md"));
        for other in used(&code(&path)) {
            if other != room && place(&other).is_some_and(|at| at >= own) {
                wrong.push(format!("{} uses {other}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_library_lists_its_rooms_in_the_order_of_the_corridor() {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let listed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(listed, corridor().concat());
}

#[test]
fn every_room_has_its_row_in_the_table() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for room in corridor().concat().iter().skip(1) {
        assert!(text.contains(&format!("| {room} | ")), "{room}");
    }
}

#[test]
fn only_the_programs_reach_outside() {
    let mut wrong = Vec::new();
    for (room, path) in sources().into_iter().filter(|(room, _)| !OUTER.contains(&room.as_str())) {
        let code = code(&path);
        let touched = OUTSIDE.iter().filter(|word| code.contains(**word));
        wrong.extend(touched.map(|word| format!("{room}: {} has {word}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_module_imports_everything_of_another() {
    for (_, path) in sources() {
        let code = code(&path);
        let glob = code.lines().find(|line| line.trim_start().starts_with("use ") && line.contains("::*"));
        assert_eq!(glob, None, "{}", path.display());
    }
}
