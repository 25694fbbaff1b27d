//! Compiles `grammar/` and nothing else. Runs for the crate `minirb-syntax` (see grammar/Cargo.toml).
fn main() {
    println!("cargo:rerun-if-changed=ruby.lalrpop");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    lalrpop::Configuration::new()
        .set_out_dir(out)
        .force_build(true)
        .process_file("ruby.lalrpop")
        .expect("grammar/ruby.lalrpop compiles");
}
