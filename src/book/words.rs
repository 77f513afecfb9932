//! The words after `derive`: `graph wrt=x shape="x=batch d"`.

/// An option by name, with its value where one is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What stands before `=`.
    pub name: String,
    /// What stands after it, without quotes.
    pub value: Option<String>,
}

/// The words of a text. Blanks part them, and commas before blanks; within quotes
/// both belong to the word.
///
/// # Errors
/// A quote that is not closed.
pub fn words(text: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut begun) = (String::new(), None, false);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => (quote, begun) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                words.extend(finished(&mut word, begun));
                begun = false;
            }
            (None, c) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if let Some(open) = quote {
        return Err(format!("a quote {open} is not closed"));
    }
    words.extend(finished(&mut word, begun));
    Ok(words)
}

fn finished(word: &mut String, begun: bool) -> Option<Word> {
    let text = std::mem::take(word);
    let text = text.trim_end_matches(',');
    if !begun || text.is_empty() {
        return None;
    }
    Some(match text.split_once('=') {
        Some((name, value)) => Word { name: name.to_string(), value: Some(value.to_string()) },
        None => Word { name: text.to_string(), value: None },
    })
}

/// What follows `name` at the beginning of a text, where it is a word of its own.
pub fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.trim_start().strip_prefix(name)?;
    (rest.is_empty() || rest.starts_with(|c: char| c == ',' || c.is_whitespace())).then(|| rest.trim_start_matches(','))
}

#[cfg(test)]
mod tests {
    use super::{Word, after, words};

    #[test]
    fn words_are_parted_by_blanks_outside_quotes() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("graph", &["graph"]),
            (" wrt=x,  graph ,", &["wrt: x", "graph"]),
            ("readings=jacobian,pullback", &["readings: jacobian,pullback"]),
            ("set=w2=0 set=b2=0", &["set: w2=0", "set: b2=0"]),
            ("shape=\"x=batch d\" of=y", &["shape: x=batch d", "of: y"]),
            ("function=f:'d -> d'", &["function: f:d -> d"]),
            ("assume=\"\"", &["assume: "]),
        ];
        let said = |word: Word| word.value.map_or(word.name.clone(), |value| format!("{}: {value}", word.name));
        for (text, expected) in table {
            assert_eq!(words(text).unwrap().into_iter().map(said).collect::<Vec<_>>(), *expected, "{text}");
        }
        assert!(words("shape=\"x=n").is_err());
    }

    #[test]
    fn a_name_is_a_word_of_its_own() {
        let table = [
            ("derive", Some("")),
            (" derive wrt=x", Some(" wrt=x")),
            ("derive,wrt=x", Some("wrt=x")),
            ("derived", None),
            ("rust", None),
        ];
        for (text, rest) in table {
            assert_eq!(after(text, "derive"), rest, "{text}");
        }
    }
}
