//! `mdbook-chainrule install`: the table in book.toml.

use std::path::Path;

/// What is written, where nothing else is there.
const TABLE: &str = "[preprocessor.chainrule]\n";

/// What became of a book.toml.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Installed {
    /// The new text.
    Written(String),
    /// The table is there already.
    Already,
}

/// A book.toml with the table of this preprocessor at its end; all else as it was.
///
/// # Errors
/// A text that is no TOML, or to which the table cannot be added at its end.
pub fn with_table(text: &str) -> Result<Installed, String> {
    let table = |text: &str| text.parse::<toml::Table>().map_err(|error| format!("book.toml is no TOML: {error}"));
    let has = |table: &toml::Table| table.get("preprocessor").and_then(|all| all.get("chainrule")).is_some();
    if has(&table(text)?) {
        return Ok(Installed::Already);
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => end,
        _ => &format!("{end}{end}"),
    };
    let new = format!("{text}{gap}{}", TABLE.replace('\n', end));
    match table(&new) {
        Ok(new_table) if has(&new_table) => Ok(Installed::Written(new)),
        _ => Err(format!("book.toml writes its preprocessors in one line; add {} to them by hand", TABLE.trim())),
    }
}

/// Adds the table to the book in a folder, and says what was done.
///
/// # Errors
/// A book.toml that cannot be read, changed or written.
pub fn install(folder: &Path) -> Result<String, String> {
    let path = folder.join("book.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    match with_table(&text)? {
        Installed::Already => Ok(format!("{} has {} already", path.display(), TABLE.trim())),
        Installed::Written(new) => {
            std::fs::write(&path, new).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
            Ok(format!("added {} to {}", TABLE.trim(), path.display()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Installed, with_table};

    #[test]
    fn the_table_is_added_and_the_rest_stays() {
        let written = |text: &str| Ok(Installed::Written(text.to_string()));
        let table = [
            ("", written("[preprocessor.chainrule]\n")),
            ("[book] # mine\ntitle = \"T\"\n", written("[book] # mine\ntitle = \"T\"\n\n[preprocessor.chainrule]\n")),
            ("[book]\n# end", written("[book]\n# end\n\n[preprocessor.chainrule]\n")),
            ("[book]\r\n", written("[book]\r\n\r\n[preprocessor.chainrule]\r\n")),
            ("[preprocessor.links]\n", written("[preprocessor.links]\n\n[preprocessor.chainrule]\n")),
            ("[preprocessor.chainrule]\nmath = \"katex\"\n", Ok(Installed::Already)),
        ];
        for (text, expected) in table {
            assert_eq!(with_table(text), expected, "{text}");
        }
        for text in ["[book", "preprocessor = { links = {} }\n"] {
            assert!(with_table(text).is_err(), "{text}");
        }
    }
}
