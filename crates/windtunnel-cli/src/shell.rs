//! Paths as a shell reads them.

use camino::Utf8Path;

/// A path as a word that a shell hands on as it is, and that no program takes for an option.
pub(crate) fn word(path: &Utf8Path) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./,:=@%+".contains(c);
    let path = if path.as_str().starts_with('-') { format!("./{path}") } else { path.to_string() };
    if !path.is_empty() && path.chars().all(plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_read_is_quoted() {
        for (path, expected) in [
            ("work/flow-1", "work/flow-1"),
            ("ü/ø", "ü/ø"),
            ("a b/ü", "'a b/ü'"),
            ("-x", "./-x"),
            ("-x y", "'./-x y'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("", "''"),
        ] {
            assert_eq!(word(Utf8Path::new(path)), expected, "{path}");
        }
    }
}
