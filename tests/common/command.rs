//! Command lines for tests.

use std::process::{Command, Output};

/// Words of a command line; quotes hold words with blanks together.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            other => word.push(other),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Runs the command at the root of the repository, its output in a pipe.
pub fn run(args: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chainrule")).current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}
