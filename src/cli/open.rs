//! From the words of the command line to a program.

use super::args::Source;
use crate::diagnostic::{Diagnostic, Kind};
use crate::task::{Opened, Refusal, read_file, read_line};
use std::io::Read;
use std::path::Path;

/// Reads the program that the words name.
pub fn open(source: &Source) -> Result<Opened, Refusal> {
    match file_of(&source.program) {
        None => read_line(&source.program, &source.question),
        Some((path, name)) => read_file(&text_of(&path)?, &path, name, &source.question),
    }
}

/// The path and the function's name, where the words name a file.
fn file_of(words: &str) -> Option<(String, Option<String>)> {
    let is_file = |path: &str| path == "-" || path.ends_with(".py") || Path::new(path).is_file();
    if is_file(words) {
        return Some((words.to_string(), None));
    }
    if let Some((path, name)) = words.rsplit_once(':')
        && is_file(path)
    {
        return Some((path.to_string(), Some(name.to_string())));
    }
    // A path with folders in it and nothing that an expression would have.
    let looks = words.contains('/') && !words.contains([' ', '(', '@', '*', '+']) && words.contains('.');
    looks.then(|| (words.to_string(), None))
}

fn text_of(path: &str) -> Result<String, Refusal> {
    let mut bytes = Vec::new();
    let outcome = match path {
        "-" => std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        _ => std::fs::read(path).map(|read| bytes = read),
    };
    let refuse = |message: String| Refusal::from(Diagnostic::new(Kind::Syntax, message));
    outcome.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse(format!("there is no file {path}")),
        _ => refuse(format!("{path} cannot be read: {error}")),
    })?;
    String::from_utf8(bytes).map_err(|_| refuse(format!("{path} is no text: it is not UTF-8")))
}
