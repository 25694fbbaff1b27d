//! The command line.

fn main() {
    std::process::exit(minirb::cli::main(std::env::args_os().collect()))
}
