//! Compiles `grammar/` and nothing else. Runs for the crate `minirb-syntax` (see grammar/Cargo.toml).
fn main() {
    println!("cargo:rerun-if-changed=ruby.lalrpop");
}
