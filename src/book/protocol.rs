//! What mdBook sends and wants back, in JSON.
//!
//! mdBook 0.4 calls the list of chapters `sections`, 0.5 `items`; fields that are not
//! known here go back as they came.

use super::options::Settings;
use super::words::Word;
use serde_json::{Map, Value};

/// The keys of a preprocessor's table that are mdBook's own.
const MDBOOK: [&str; 6] = ["after", "before", "command", "optional", "renderer", "renderers"];

/// A book as it came.
pub struct Input {
    /// The folder of book.toml.
    pub root: String,
    /// The folder of the chapters, within it.
    pub src: String,
    /// What `[preprocessor.chainrule]` says.
    pub settings: Settings,
    book: Value,
}

/// A chapter that has a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The path of its file, from the folder of the chapters.
    pub path: String,
    /// Its text.
    pub content: String,
}

/// Reads what mdBook sends.
///
/// # Errors
/// Text that is not that, options that do not exist.
pub fn read(text: &str) -> Result<Input, String> {
    let unread = |why: String| {
        format!("standard input holds no book: {why}; mdBook runs this program by itself, see mdbook-chainrule --help")
    };
    let sent: Value = serde_json::from_str(text).map_err(|error| unread(error.to_string()))?;
    let Value::Array(parts) = sent else {
        return Err(unread("it is no list of a context and a book".into()));
    };
    let Ok([context, book]) = <[Value; 2]>::try_from(parts) else {
        return Err(unread("it is no list of a context and a book".into()));
    };
    if list(&book).is_none() {
        return Err(unread("it has neither sections nor items".into()));
    }
    let string = |pointer: &str, other: &str| {
        context.pointer(pointer).and_then(Value::as_str).map_or_else(|| other.to_string(), str::to_string)
    };
    let settings = match context.pointer("/config/preprocessor/chainrule") {
        Some(Value::Object(table)) => settings(table)?,
        _ => Settings::default(),
    };
    Ok(Input { root: string("/root", "."), src: string("/config/book/src", "src"), settings, book })
}

/// The options of a table of book.toml.
fn settings(table: &Map<String, Value>) -> Result<Settings, String> {
    let mut words = Vec::new();
    for (name, value) in table.iter().filter(|(name, _)| !MDBOOK.contains(&name.as_str())) {
        let several = value.as_array().map_or_else(|| vec![value], |values| values.iter().collect());
        for value in several {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => return Err(in_table(&format!("{name} is neither text, a number, true or false"))),
            };
            words.push(Word { name: name.clone(), value: Some(value) });
        }
    }
    let told = |told: crate::diagnostic::Diagnostic| in_table(&told.to_string());
    let settings = Settings::read(&words).map_err(told)?;
    settings.with(&Settings::default()).map_err(told)?;
    Ok(settings)
}

fn in_table(says: &str) -> String {
    format!("book.toml, [preprocessor.chainrule]: {says}")
}

impl Input {
    /// All chapters that have a file, in the order of the book.
    pub fn chapters(&mut self) -> Vec<Chapter> {
        let mut chapters = Vec::new();
        walk(&mut self.book, &mut |chapter| {
            chapters.push(Chapter { path: text_of(chapter, "path"), content: text_of(chapter, "content") });
        });
        chapters
    }

    /// The book with new texts for its chapters, in the same order.
    pub fn written(mut self, texts: Vec<String>) -> String {
        let mut texts = texts.into_iter();
        walk(&mut self.book, &mut |chapter| {
            if let Some(text) = texts.next() {
                chapter.insert("content".into(), Value::String(text));
            }
        });
        self.book.to_string()
    }
}

fn text_of(chapter: &Map<String, Value>, field: &str) -> String {
    chapter.get(field).and_then(Value::as_str).unwrap_or_default().to_string()
}

/// The name of the list of chapters.
fn list(book: &Value) -> Option<&'static str> {
    ["items", "sections"].into_iter().find(|name| book.get(name).is_some_and(Value::is_array))
}

/// Visits every chapter that has a file. Depth is bounded by the JSON parser.
fn walk(book: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    if let Some(items) = list(book).and_then(|name| book.get_mut(name)).and_then(Value::as_array_mut) {
        visit_items(items, visit);
    }
}

fn visit_items(items: &mut [Value], visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    for item in items {
        let Some(chapter) = item.get_mut("Chapter").and_then(Value::as_object_mut) else { continue };
        if chapter.get("path").is_some_and(Value::is_string) {
            visit(chapter);
        }
        if let Some(below) = chapter.get_mut("sub_items").and_then(Value::as_array_mut) {
            visit_items(below, visit);
        }
    }
}
