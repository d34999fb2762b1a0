//! What counts as white space in the formats of [`grounded`](super).
//!
//! Drafts and corpora are mostly written by JavaScript programs, whose idea of white space is Unicode's without U+0085
//! and with U+FEFF. Trimming alike on both sides keeps a quote equal to the text that it was copied from.

/// Whether a character is white space.
pub fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// A text without white space at its ends.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_that_of_javascript() {
        let spaces = "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2000}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
        assert_eq!(trimmed(&format!("{spaces}a b{spaces}")), "a b");
        for other in ['\u{0}', '\u{1c}', '\u{85}', '\u{180e}', '\u{200b}', '\u{2060}'] {
            assert_eq!(trimmed(&format!("{other}a{other}")).chars().count(), 3, "{other:?}");
        }
    }
}
