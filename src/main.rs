//! The `velodrome` binary: hands the command line to the library.

fn main() -> std::process::ExitCode {
    velodrome::cli::main()
}
