//! The command line: the one room that reads files and writes to the screen.

mod args;
mod check;
mod complaint;
mod derive;
mod eval;
mod graph;
mod numbers;
mod ops;
mod read;
mod screen;

use crate::diagnostic::Diagnostics;
use args::{Cli, Command, Paper};
use clap::Parser;
use std::process::ExitCode;

/// Reading and deriving go as deep as the source is nested.
const STACK: usize = 64 << 20;

/// Why there is no answer, with the text that the places refer to.
pub struct Refusal {
    told: Diagnostics,
    source: String,
    origin: String,
}

impl Refusal {
    /// Mistakes that stand in no source text.
    fn of(told: Diagnostics) -> Refusal {
        Refusal { told, source: String::new(), origin: String::new() }
    }
}

/// Runs the command as it was called: 0 answered, 1 refused, 2 wrong usage.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(refusal))) => {
            let text = complaint::complaints(&refusal.told, &refusal.source, &refusal.origin, screen::styled_errors());
            eprint!("{text}");
            ExitCode::from(1)
        }
        // The thread has said why.
        Ok(Err(_)) | Err(_) => ExitCode::from(1),
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Refusal> {
    match &cli.command {
        None => {
            let paper = Paper { width: None, output: None };
            print(&derive::example(screen::columns(&paper))?, &paper)?;
        }
        Some(Command::Derive(args)) => print(&derive::derive(args)?, &args.paper)?,
        Some(Command::Eval(args)) => print(&eval::eval(args)?, &args.paper)?,
        Some(Command::Graph(args)) => print(&graph::graph(args)?, &args.paper)?,
        Some(Command::Ops(args)) => print(&ops::ops(args)?, &args.paper)?,
        Some(Command::Check(args)) => {
            let marked = check::check(args)?;
            screen::write(marked.text.as_bytes()).map_err(unwritten("standard output"))?;
            return Ok(if marked.all_right { ExitCode::SUCCESS } else { ExitCode::from(1) });
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(page: &crate::render::Text, paper: &Paper) -> Result<(), Refusal> {
    let place = paper.output.as_ref().map_or("standard output".into(), |path| path.display().to_string());
    screen::show(page, paper).map_err(unwritten(&place))
}

fn unwritten(place: &str) -> impl Fn(std::io::Error) -> Refusal {
    move |error| {
        let message = format!("{place} cannot be written: {error}");
        Refusal::of(vec![crate::diagnostic::Diagnostic::new(crate::diagnostic::Kind::BadArgument, message)])
    }
}
