//! Programs with words left out, doubled and exchanged: told or derived, never more.

use chainrule::derive::derive;
use chainrule::graph::{Request, read};
use chainrule::reading::answers;
use std::path::Path;
use std::time::{Duration, Instant};

/// So many programs are tried for each file; more with CHAINRULE_MUTATIONS.
const EACH: usize = 6;
/// None takes longer.
const LONGEST: Duration = Duration::from_secs(10);
/// What stands in for a word now and then.
const STRANGE: &[&str] = &[
    "0",
    "-1",
    "1000000000000",
    "10**30",
    "1e308",
    "-10**20",
    "[",
    ")",
    ":",
    "None",
    "range(10**12)",
    "...",
    "x",
    "k",
    "**",
    "@",
    "[-1]",
    ".shape",
    "(2 ** 62, 4)",
    "9223372036854775807",
    "axis=-99",
    "lambda x: x",
    "'",
    "\\",
    "\t",
    "é",
];

/// A generator of numbers with a fixed algorithm.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The words of a text and what stands between them.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else if c == ' ' {
            1
        } else {
            2
        }
    };
    for c in text.chars() {
        match words.last_mut() {
            Some(last) if class(c) < 2 && last.chars().next_back().map(class) == Some(class(c)) => last.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

fn mutated(text: &str, numbers: &mut Numbers) -> String {
    let mut words = words(text);
    for _ in 0..1 + numbers.below(3) {
        let (at, other) = (numbers.below(words.len()), numbers.below(words.len()));
        match numbers.below(5) {
            0 => _ = words.remove(at),
            1 => words.insert(at, words[other].clone()),
            2 => words.swap(at, other),
            3 => words[at] = STRANGE[numbers.below(STRANGE.len())].to_string(),
            _ => words.insert(at, STRANGE[numbers.below(STRANGE.len())].to_string()),
        }
    }
    words.concat()
}

/// Reads a program and derives its result by its first input.
fn tried(text: &str) {
    let Ok(program) = read(text, &Request::default()) else { return };
    let Some(wrt) = program.inputs.first() else { return };
    if let Ok(mut found) = derive(&program, program.output, *wrt) {
        _ = answers(&mut found);
    }
}

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["docs/examples", "tests/pasted"] {
        let files = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let python = files.filter(|path| path.extension().is_some_and(|ext| ext == "py"));
        found.extend(python.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())));
    }
    found.sort();
    found
}

#[test]
fn words_out_of_place_neither_panic_nor_hang() {
    let each = std::env::var("CHAINRULE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(EACH);
    let mut numbers = Numbers(1);
    for (name, text) in sources() {
        for _ in 0..each {
            let mutated = mutated(&text, &mut numbers);
            let start = Instant::now();
            let done = std::panic::catch_unwind(|| tried(&mutated));
            let took = start.elapsed();
            assert!(done.is_ok(), "a panic, from {name}:\n{mutated}");
            assert!(took < LONGEST, "{took:?}, from {name}:\n{mutated}");
        }
    }
}
