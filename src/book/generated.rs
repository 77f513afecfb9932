//! Pages made of what the program runs on: the records, the options.

use super::chapter::Part;
use super::options::{Options, written};
use super::words::words;
use crate::diagnostic::{Diagnostic, Kind, did_you_mean};
use crate::ops::{Op, all, rule_text, spelling_text};
use clap::{Arg, ArgAction, Command, CommandFactory};

/// What a directive may ask for.
const PAGES: [&str; 3] = ["operations", "commands", "options"];

/// The page that a directive asks for, in Markdown.
pub(super) fn generated(said: &str, command: &Command) -> Result<Part, Diagnostic> {
    let words = words(said).map_err(|why| Diagnostic::new(Kind::Syntax, why))?;
    let names: Vec<&str> = words.iter().map(|word| word.name.as_str()).collect();
    Ok(Part::Markdown(match names.as_slice() {
        ["operations"] => operations(),
        ["commands"] => commands(command),
        ["options"] => options(),
        other => {
            let told = Diagnostic::new(Kind::BadArgument, format!("there is no page {}", other.join(" ")));
            let near = other.first().and_then(|name| did_you_mean(name, PAGES));
            let near = near.map_or(String::new(), |near| format!("did you mean {near}? "));
            return Err(told.help(format!("{near}The pages are {}", PAGES.join(", "))));
        }
    }))
}

/// A table of the records.
fn operations() -> String {
    let head = ["| operation | differential | rule |".to_string(), "|---|---|---|".to_string()];
    head.into_iter().chain(all().map(operation)).collect::<Vec<_>>().join("\n")
}

fn operation(op: &Op) -> String {
    let spellings: Vec<String> = op.spellings.iter().map(spelling_text).filter(|text| text != op.name).collect();
    let also = if spellings.is_empty() { String::new() } else { format!("<br>{}", prose(&spellings.join(", "))) };
    let definition = op.definition.map_or(String::new(), |text| format!("<br>{} is {}", code(op.name), code(text)));
    let convention = op.kink.as_ref().map_or(String::new(), |kink| format!("<br>{}", prose(kink.says)));
    format!(
        "| <span id=\"{name}\">{}</span>{also} | {}{definition} | {}{convention} |",
        code(op.name),
        code(&rule_text(op)),
        prose(op.title),
        name = op.name,
    )
}

/// The commands with their options and examples.
fn commands(command: &Command) -> String {
    let mut command = command.clone();
    command.build();
    let name = command.get_name().to_string();
    let mut parts = vec![about(&command)];
    parts.extend(examples(&command));
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        parts.push(format!("## {name} {}", below.get_name()));
        parts.push(about(below));
        let usage = below.clone().render_usage().to_string();
        parts.push(fenced(usage.trim_start_matches("Usage:").trim()));
        parts.push(arguments(below.get_arguments().filter(|arg| arg.get_id() != "help").map(|arg| (dashed(arg), arg))));
        parts.extend(examples(below));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn about(command: &Command) -> String {
    let about = command.get_long_about().or(command.get_about());
    about.map_or(String::new(), |about| prose(&about.to_string()))
}

/// What stands below the options in the help: examples, exit codes.
fn examples(command: &Command) -> Option<String> {
    command.get_after_help().map(|text| fenced(text.to_string().trim()))
}

fn fenced(text: &str) -> String {
    format!("```text\n{text}\n```")
}

/// The options of a block.
fn options() -> String {
    let command = Options::command();
    arguments(command.get_arguments().map(|argument| (written(argument), argument)))
}

/// An option of the command as it is called.
fn dashed(argument: &Arg) -> String {
    match argument.get_long() {
        Some(_) => format!("--{}", written(argument).replace("[=", " [").replacen('=', " ", 1)),
        None => argument.get_value_names().and_then(|names| names.first()).map_or(String::new(), ToString::to_string),
    }
}

fn arguments<'a>(all: impl Iterator<Item = (String, &'a Arg)>) -> String {
    let row = |(how, argument): (String, &Arg)| {
        let help = argument.get_help().map_or(String::new(), ToString::to_string);
        let defaults: Vec<_> = argument.get_default_values().iter().map(|v| v.to_string_lossy().to_string()).collect();
        let takes = matches!(argument.get_action(), ArgAction::Set);
        let default = match defaults.as_slice() {
            [one] if takes => format!(" ({} if nothing is said)", code(one)),
            _ => String::new(),
        };
        let several = if matches!(argument.get_action(), ArgAction::Append) { "; may be repeated" } else { "" };
        format!("| {} | {}{default}{several} |", code(&how), prose(&help))
    };
    let rows: Vec<String> = all.map(row).collect();
    if rows.is_empty() { String::new() } else { format!("| option | what it does |\n|---|---|\n{}", rows.join("\n")) }
}

/// Code in a table, where a bar would end the cell.
fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    format!("{fence}{}{fence}", text.replace('|', "\\|"))
}

/// Text with every sign escaped that Markdown would read; what stands between
/// backticks is code.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let (mut out, paired) = (String::new(), parts.len() % 2 == 1);
    for (i, part) in parts.iter().enumerate() {
        out += &match i % 2 == 1 {
            true if paired => code(part),
            _ if i > 0 && !paired => format!("\\`{}", escaped(part)),
            _ => escaped(part),
        };
    }
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '$' | '{' | '}') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}
