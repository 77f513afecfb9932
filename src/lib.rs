//! Derivatives of matrix expressions, derived line by line and checked.

pub mod diagnostic;

pub mod shape;

pub mod array;

pub mod ops;

pub mod source;

pub mod graph;

pub mod derive;

pub mod form;

pub mod reading;

pub mod evaluate;

pub mod witness;

pub mod notation;

pub mod render;

#[cfg(feature = "pictures")]
pub mod picture;

#[cfg(feature = "course")]
pub mod course;

#[cfg(feature = "task")]
pub mod task;

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(feature = "book")]
pub mod book;

/// The examples of the README are compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The tests that the book shows are compiled and run too.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/snapshots.md")]
pub struct Snapshots;
