//! `--expand` before a program: the option stands alone there.

use crate::ops::meant;
use std::ffi::{OsStr, OsString};

/// The arguments with `--expand FILE` read as `--expand` and FILE: what names no
/// operation, or is there as a file, is no operation to spell out.
pub fn spread(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut spread: Vec<OsString> = Vec::new();
    for arg in args {
        if spread.last().is_some_and(|before| before == "--expand") && is_program(&arg) {
            spread.pop();
            spread.push("--expand=".into());
        }
        spread.push(arg);
    }
    spread
}

/// Is the word a program rather than the name of an operation? A name that is
/// misspelled stays a name, to be told as one.
fn is_program(arg: &OsStr) -> bool {
    let Some(word) = arg.to_str() else { return true };
    let named = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let file = word.split(':').next().unwrap_or_default();
    let option = word.starts_with('-') && word.len() > 1;
    !option
        && meant(word).is_err()
        && (!word.chars().all(named) || word.ends_with(".py") || std::path::Path::new(file).is_file())
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_program_after_expand_stays_the_program() {
        let table = [
            ("derive --expand block.py --wrt x", "derive --expand= block.py --wrt x"),
            ("derive --expand block.py:f", "derive --expand= block.py:f"),
            ("derive --expand x@x", "derive --expand= x@x"),
            ("derive --expand - --wrt x", "derive --expand= - --wrt x"),
            ("derive --expand softmax block.py", "derive --expand softmax block.py"),
            ("derive --expand F.softmax block.py", "derive --expand F.softmax block.py"),
            ("derive --expand softmx block.py", "derive --expand softmx block.py"),
            ("derive block.py --expand --wrt x", "derive block.py --expand --wrt x"),
            ("derive --expand=softmax block.py", "derive --expand=softmax block.py"),
        ];
        for (given, wanted) in table {
            let read = spread(given.split(' ').map(Into::into));
            let read: Vec<&str> = read.iter().filter_map(|arg| arg.to_str()).collect();
            assert_eq!(read.join(" "), wanted);
        }
    }
}
