//! The command `chainrule`.

fn main() -> std::process::ExitCode {
    chainrule::cli::main()
}
