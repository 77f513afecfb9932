//! The preprocessor `mdbook-chainrule`.

fn main() -> std::process::ExitCode {
    chainrule::book::main(chainrule::cli::definitions())
}
