//! Reads what a type inherits from off the text of its heading, the same way for all languages.

/// Words that may stand in a list of bases without being one.
const KEYWORDS: [&str; 14] = [
    "extends",
    "implements",
    "with",
    "public",
    "private",
    "protected",
    "virtual",
    "override",
    "class",
    "struct",
    "dyn",
    "using",
    "derives",
    "unowned",
];

/// The last segments of the names in `text`, in order, without arguments, generics and keywords.
pub(super) fn bases(text: &str) -> Vec<String> {
    let mut reader = Reader::default();
    // Ruby and C++ open the list with a sign.
    for character in text.trim_start_matches(['<', ':', ' ']).chars() {
        reader.read(character);
    }
    reader.end_name();
    reader.bases
}

#[derive(Default)]
struct Reader {
    bases: Vec<String>,
    name: String,
    /// Open brackets.
    depth: u32,
    /// Within a delegate (`by …`) or a value (`= …`), which last up to the next comma.
    is_skipping: bool,
}

impl Reader {
    fn read(&mut self, character: char) {
        match character {
            '<' | '(' | '[' | '{' => {
                self.end_name();
                self.depth += 1;
            }
            '>' | ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ if self.depth > 0 => {}
            ',' => {
                self.end_name();
                self.is_skipping = false;
            }
            // A keyword argument (`metaclass=Meta`) is no base, nor is what follows.
            '=' => {
                self.name.clear();
                self.is_skipping = true;
            }
            // What stands before a separator is a qualifier.
            '.' | ':' | '\\' => self.name.clear(),
            _ if character.is_alphanumeric() || character == '_' => self.name.push(character),
            _ => self.end_name(),
        }
    }

    fn end_name(&mut self) {
        let name = std::mem::take(&mut self.name);
        if name == "by" {
            self.is_skipping = true;
        }
        if !name.is_empty() && !self.is_skipping && !KEYWORDS.contains(&name.as_str()) && !self.bases.contains(&name) {
            self.bases.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_last_segments_without_arguments() {
        let cases: [(&str, &[&str]); 9] = [
            ("extends Base implements A, B<C>", &["Base", "A", "B"]),
            (": public Base<T>, private ns::Other", &["Base", "Other"]),
            ("Base, mixin.Other, metaclass=Meta", &["Base", "Other"]),
            ("< Base::X", &["X"]),
            ("Base(c), I by x", &["Base", "I"]),
            ("extends Base(a) with Mix", &["Base", "Mix"]),
            (": Iterator<Item = u8> + Send + 'static", &["Iterator", "Send", "static"]),
            ("extends \\Foo\\Bar", &["Bar"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(bases(text), expected, "{text}");
        }
    }
}
