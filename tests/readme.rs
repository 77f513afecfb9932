//! What the README shows is what the command prints.

use std::path::Path;
use std::process::Command;

#[test]
fn the_screen_in_the_readme_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, rest) = readme.split_once("$ chainrule derive docs/examples/residual_block.py --wrt x\n").unwrap();
    let (shown, _) = rest.split_once("\n```").unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_chainrule"))
        .current_dir(root)
        .args(["derive", "docs/examples/residual_block.py", "--wrt", "x", "--width", "100"])
        .output()
        .unwrap();
    assert_eq!(shown.trim_end(), String::from_utf8(out.stdout).unwrap().trim_end());
}
