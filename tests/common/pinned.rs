//! Pages pinned in snapshots/.

/// Holds a page against `snapshots/FOLDER/NAME.snap`.
pub fn pinned(folder: &str, name: &str, page: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../../snapshots/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.bind(|| insta::assert_snapshot!(name, page));
}
