//! Compiles `grammar/` and nothing else.
fn main() {}
