//! The programs as people meet them: their screens, their errors, the book.

#[path = "../common/command.rs"]
mod command;

mod bad_input;
mod bad_student;
mod book;
mod cli;
mod screens;
