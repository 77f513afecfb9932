//! The preprocessor of mdBook: blocks of a book become derivations.
//!
//! [`chapter()`] is the whole of it, Markdown in and Markdown out. Around it stand the
//! JSON that mdBook speaks, files and threads.

mod block;
mod chapter;
mod find;
mod generated;
mod html;
mod install;
mod options;
mod protocol;
mod words;

pub use chapter::{Surroundings, chapter};
pub use options::Settings;

use clap::{Parser, Subcommand};
use protocol::{Chapter, Input};
use std::io::{IsTerminal, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::task::{Refusal, complaints};

/// Chapters are derived on stacks of this size.
const STACK: usize = 64 << 20;
/// The renderers that take HTML within Markdown.
const RENDERERS: [&str; 2] = ["html", "markdown"];

/// Derivations in an mdBook: a preprocessor.
///
/// mdBook runs it by itself where book.toml has the table [preprocessor.chainrule].
#[derive(Debug, Parser)]
#[command(name = "mdbook-chainrule", version, after_help = HELP)]
struct Call {
    #[command(subcommand)]
    what: Option<What>,
}

const HELP: &str = "In a chapter:
  ```derive wrt=x readings=jacobian,pullback graph
  def f(x: \"d\", W: \"d k\"):
      return x @ W
  ```

  {{#derive block.py:attention wrt=w_q}}       a file beside the chapter

In book.toml:
  [preprocessor.chainrule]
  math = \"mathml\"         # or katex, mathjax
  on-failure = \"stop\"     # or show

Exit codes: 0 done, 1 refused, 2 wrong usage.";

#[derive(Debug, Subcommand)]
enum What {
    /// Say by the exit code whether a renderer is supported.
    Supports {
        /// The renderer's name.
        renderer: String,
    },
    /// Add [preprocessor.chainrule] to the book.toml of a book.
    Install {
        /// The folder of book.toml.
        #[arg(value_name = "DIR", default_value = ".")]
        folder: PathBuf,
    },
}

/// Runs the preprocessor as it was called. `command` is the command whose reference
/// a book may hold.
pub fn main(command: clap::Command) -> ExitCode {
    let outcome = match Call::parse().what {
        Some(What::Supports { renderer }) => {
            return if RENDERERS.contains(&renderer.as_str()) { ExitCode::SUCCESS } else { ExitCode::from(1) };
        }
        Some(What::Install { folder }) => install::install(&folder).map(|says| says + "\n"),
        None if std::io::stdin().is_terminal() => {
            eprintln!("mdBook runs this program by itself; see mdbook-chainrule --help");
            return ExitCode::from(2);
        }
        None => preprocessed(&command),
    };
    let written = outcome.and_then(|text| {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| format!("the book: {error}"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(told) => {
            eprintln!("{}", told.trim_end());
            ExitCode::from(1)
        }
    }
}

/// The book on standard input, with its chapters replaced.
fn preprocessed(command: &clap::Command) -> Result<String, String> {
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(|error| format!("standard input: {error}"))?;
    let mut input = protocol::read(&text).map_err(|told| format!("error: {told}"))?;
    let chapters = input.chapters();
    let mut texts = Vec::new();
    let mut told = String::new();
    for outcome in in_parallel(&chapters, &|chapter| one(chapter, &input, command)) {
        match outcome {
            Ok(text) => texts.push(text),
            Err(refusals) => told.extend(refusals.iter().map(|refusal| complaints(refusal, false))),
        }
    }
    if told.is_empty() { Ok(input.written(texts)) } else { Err(told) }
}

fn one(of: &Chapter, input: &Input, command: &clap::Command) -> Result<String, Vec<Refusal>> {
    let root = PathBuf::from(&input.root);
    let folder = Path::new(&input.src).join(Path::new(&of.path).parent().unwrap_or(Path::new("")));
    let path = Path::new(&input.src).join(&of.path).display().to_string();
    let file = |path: &str| beside(&root, &folder, path);
    chapter(&of.content, &Surroundings { path: &path, settings: &input.settings, file: &file, command })
}

/// The text of a file beside a chapter, within the book.
fn beside(root: &Path, folder: &Path, path: &str) -> Result<String, String> {
    let mut within = Vec::new();
    for part in folder.join(path).components() {
        match part {
            Component::Normal(name) => within.push(name.to_os_string()),
            Component::CurDir => {}
            Component::ParentDir if within.pop().is_some() => {}
            _ => return Err(format!("{path} lies outside the book")),
        }
    }
    let whole = root.join(within.iter().collect::<PathBuf>());
    // A link may lead out of the book, too.
    let inside = match (root.canonicalize(), whole.canonicalize()) {
        (Ok(root), Ok(whole)) => whole.starts_with(root),
        _ => return Err(format!("there is no file {path} beside the chapter")),
    };
    if !inside {
        return Err(format!("{path} lies outside the book"));
    }
    std::fs::read_to_string(&whole).map_err(|error| format!("{path} cannot be read: {error}"))
}

type Outcome = Result<String, Vec<Refusal>>;

/// All chapters, on as many threads as the machine has, in their order.
fn in_parallel(chapters: &[Chapter], work: &(dyn Fn(&Chapter) -> Outcome + Sync)) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let run = || {
        while let Some((index, chapter)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, chapters.get(i)?)))
        {
            let outcome = work(chapter);
            if let Ok(mut done) = done.lock() {
                done.push((index, outcome));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(chapters.len());
        for _ in 0..threads {
            // Where no thread can be had the chapters are derived here, below.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        }
    });
    run();
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}
