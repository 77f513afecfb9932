//! The table of operations, walked as a whole: every record, every rank and
//! broadcast it accepts, every axis.

mod agreement;
mod cases;
mod definitions;
mod faults;
mod labels;
mod linear;
mod pages;
mod words;
