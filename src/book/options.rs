//! Options of a block: those of the command, and how a page of a book looks.

use super::words::Word;
use crate::diagnostic::{Diagnostic, Kind, did_you_mean};
use crate::task::{Manner, Question};
use clap::{Arg, ArgAction, Args, Command, CommandFactory, Parser, ValueEnum};

/// All that may be said of a block.
#[derive(Clone, Debug, Parser)]
#[command(name = "derive", no_binary_name = true, disable_help_flag = true, disable_version_flag = true)]
pub struct Options {
    /// What is asked.
    #[command(flatten)]
    pub question: Question,
    /// How it is derived.
    #[command(flatten)]
    pub manner: Manner,
    /// What the page looks like.
    #[command(flatten)]
    pub look: Look,
}

/// What the page of a block looks like.
#[derive(Args, Clone, Debug)]
pub struct Look {
    /// Draw the computation graph below the derivation.
    #[arg(long)]
    pub graph: bool,
    /// Leave out the source.
    #[arg(long)]
    pub hide_source: bool,
    /// How formulas are written.
    #[arg(long, value_enum, default_value_t)]
    pub math: Notation,
    /// A page, or a text as in the terminal.
    #[arg(long, value_enum, default_value_t)]
    pub format: Form,
    /// Columns of a text.
    #[arg(long, value_name = "COLUMNS", default_value_t = 80, value_parser = clap::value_parser!(u16).range(40..=1000))]
    pub width: u16,
    /// What a block does that cannot be derived.
    #[arg(long, value_enum, default_value_t)]
    pub on_failure: OnFailure,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Notation {
    /// MathML, which browsers draw by themselves.
    #[default]
    Mathml,
    /// LaTeX between dollars, for KaTeX.
    Katex,
    /// LaTeX between \( and \), for MathJax.
    Mathjax,
}

/// What a block becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The derivation as a part of the page.
    #[default]
    Page,
    /// The derivation as the terminal shows it.
    Text,
    /// The derivative as the expression tree it is.
    Tree,
}

/// What a block does that cannot be derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OnFailure {
    /// The book is not built.
    #[default]
    Stop,
    /// The page shows the mistake.
    Show,
}

/// Options by name with the arguments that they stand for, before blocks are read.
#[derive(Clone, Debug, Default)]
pub struct Settings(Vec<(String, Vec<String>)>);

impl Settings {
    /// The options that words stand for.
    ///
    /// # Errors
    /// An option that does not exist, a value where there can be none.
    pub fn read(words: &[Word]) -> Result<Settings, Diagnostic> {
        let command = Options::command();
        let mut settings = Settings::default();
        for word in words {
            settings.push(word, argument(&command, &word.name)?)?;
        }
        Ok(settings)
    }

    fn push(&mut self, word: &Word, argument: &Arg) -> Result<(), Diagnostic> {
        let name = &word.name;
        let flag = matches!(argument.get_action(), ArgAction::SetTrue);
        let said = match (flag, word.value.as_deref()) {
            (true, None | Some("true")) => Some(format!("--{name}")),
            (true, Some("false")) => None,
            (true, Some(other)) => {
                let told = bad(format!("{name} cannot be {other}"));
                return Err(told.help(format!("{name} alone is yes, {name}=false is no")));
            }
            (false, Some(value)) => Some(format!("--{name}={value}")),
            (false, None) if argument.get_num_args().is_some_and(|count| count.min_values() == 0) => {
                Some(format!("--{name}"))
            }
            (false, None) => {
                return Err(bad(format!("{name} takes a value")).help(format!("write it as {}", written(argument))));
            }
        };
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, all)) => all.extend(said),
            None => self.0.push((name.clone(), said.into_iter().collect())),
        }
        Ok(())
    }

    /// What these settings say, where a block says nothing else.
    ///
    /// # Errors
    /// A value that an option cannot take.
    pub fn with(&self, block: &Settings) -> Result<Options, Diagnostic> {
        let own = |name: &str| block.0.iter().any(|(other, _)| other == name);
        let general = self.0.iter().filter(|(name, _)| !own(name));
        let arguments = general.chain(&block.0).flat_map(|(_, said)| said);
        Options::try_parse_from(arguments).map_err(|error| refused(&error))
    }

    /// What becomes of a block whose own options cannot be read.
    pub fn on_failure(&self) -> OnFailure {
        self.with(&Settings::default()).map(|options| options.look.on_failure).unwrap_or_default()
    }
}

/// How an option is written, with what it takes.
pub fn written(argument: &Arg) -> String {
    let name = argument.get_long().unwrap_or_default();
    let possible: Vec<String> = argument.get_possible_values().iter().map(|v| v.get_name().to_string()).collect();
    let value = match (argument.get_action(), argument.get_value_names()) {
        (ArgAction::SetTrue, _) => return name.to_string(),
        (_, _) if !possible.is_empty() => possible.join("|"),
        (_, Some([value, ..])) => value.to_string(),
        _ => "VALUE".to_string(),
    };
    match argument.get_num_args() {
        Some(count) if count.min_values() == 0 => format!("{name}[={value}]"),
        _ => format!("{name}={value}"),
    }
}

fn argument<'a>(command: &'a Command, name: &str) -> Result<&'a Arg, Diagnostic> {
    let known = || command.get_arguments().filter_map(Arg::get_long);
    if let Some(found) = command.get_arguments().find(|argument| argument.get_long() == Some(name)) {
        return Ok(found);
    }
    let near = did_you_mean(&name.replace('_', "-"), known()).map(|near| format!("did you mean {near}? "));
    let known = known().collect::<Vec<_>>().join(", ");
    Err(bad(format!("there is no option {name}")).help(format!("{}The options are {known}", near.unwrap_or_default())))
}

/// What the parser of a command line says, as said of options without dashes.
fn refused(error: &clap::Error) -> Diagnostic {
    let text = error.to_string().replace("--", "");
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or_default();
    let told = bad(message.trim_start_matches("error: ").to_string());
    match lines.find(|line| line.starts_with('[')) {
        Some(values) => told.help(values.trim_matches(['[', ']'])),
        None => told,
    }
}

fn bad(message: String) -> Diagnostic {
    Diagnostic::new(Kind::BadArgument, message)
}
