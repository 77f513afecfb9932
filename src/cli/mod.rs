//! The command line: the one room that reads files and writes to the screen.

mod args;
mod check;
mod eval;
mod expand;
mod graph;
mod numbers;
mod open;
mod ops;
mod page;
mod screen;

use crate::diagnostic::{Diagnostic, Kind};
use crate::task::{Refusal, complaints};
use args::{Cli, Command, Paper};
use clap::{CommandFactory, Parser};
use std::process::ExitCode;

/// Reading and deriving go as deep as the source is nested.
const STACK: usize = 64 << 20;

/// The definitions of the command and its options.
pub fn definitions() -> clap::Command {
    Cli::command()
}

/// Runs the command as it was called: 0 answered, 1 refused, 2 wrong usage.
pub fn main() -> ExitCode {
    let cli = Cli::parse_from(expand::spread(std::env::args_os()));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(refusal))) => {
            eprint!("{}", complaints(&refusal, screen::styled_errors()));
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
            print(&page::example(screen::columns(&paper))?, &paper)?;
        }
        Some(Command::Derive(args)) => print(&page::derive(args)?, &args.paper)?,
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
        Refusal::from(Diagnostic::new(Kind::BadArgument, message))
    }
}
