//! What the words around a claim say about it: that it tells of the past, or is only an illustration.
//!
//! A cue speaks for its sentence or table cell, for the items that it leads into, and for the section that it is the
//! heading of; not for a whole line or page (bentleypark/aiwatch#1312).

/// Why the words around a claim, or its own shape, keep its absence from proving anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The name stands for the reader's own.
    Placeholder,
    /// A word of the language, in code marks.
    PlainWord,
    /// A pattern, not a path.
    Pattern,
    /// An option of one letter.
    ShortOption,
    /// Quoted: a value.
    Value,
    /// The label of a link to elsewhere: often another project's name, unless this one is known to have defined it.
    ExternalLabel,
    /// Struck through.
    Struck,
    /// The sentence speaks of another package, which it links to.
    OtherPackage,
    /// Something was removed, renamed or replaced, or is yet to come.
    Past,
    /// The name may be made up, or be the reader's own file. It keeps paths and keys from proving anything, and not
    /// what the project is known to have defined.
    Illustration,
}

impl Doubt {
    /// The doubt in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Placeholder => "a placeholder",
            Self::PlainWord => "a plain word",
            Self::Pattern => "a pattern",
            Self::ShortOption => "a short option",
            Self::Value => "a value",
            Self::ExternalLabel => "the label of a link to elsewhere",
            Self::Struck => "struck through",
            Self::OtherPackage => "the text speaks of another package",
            Self::Past => "the text tells of the past or of plans",
            Self::Illustration => "the text gives an illustration",
        }
    }
}

/// Words that tell of a change; matched whole, in any case. "deprecated" is not among them: what is deprecated
/// should still exist.
const PAST: &[&str] = &[
    "removed",
    "deleted",
    "dropped",
    "renamed",
    "replaced",
    "superseded",
    "formerly",
    "previously",
    "legacy",
    "obsolete",
    "historically",
    "originally",
    "migrated",
    "retired",
    "discontinued",
    "defunct",
];

/// The same in several words.
const PAST_PHRASES: &[&str] = &[
    "no longer",
    "old name",
    "equivalent to",
    "moved to",
    "moved from",
    "was moved",
    "were moved",
    "replaces the",
    "instead of the old",
    "used to be",
    "in earlier versions",
    "in older versions",
    "not yet",
    "will be added",
    "does not exist",
    "doesn't exist",
    "do not exist",
    "don't exist",
    "in the past",
    "prior version",
    "earlier version",
    "older version",
    "now called",
    "has been split",
    "went away",
    "please remove",
    "to be added",
    "[ ]",
];

/// Sentences that take back what their whole section tells.
const SECTION_PHRASES: &[&str] = &[
    "no longer exist",
    "has been removed",
    "have been removed",
    "was removed in",
    "were removed in",
    "this is a plan to",
];

/// Whether a section says of its subject that it is gone.
pub fn is_of_the_past(section: &str) -> bool {
    let lower = section.to_lowercase();
    SECTION_PHRASES.iter().any(|phrase| lower.contains(phrase))
}

/// Words of sentences that make something up or speak of the reader's own files.
const ILLUSTRATION_PHRASES: &[&str] = &[
    "should be placed",
    "can be placed",
    "can be stored",
    "in our case",
    "place it in",
    "put it in",
    "put your",
    "e.g.",
    "for example",
    "for instance",
    "such as",
    "suppose",
    "imagine",
    "let's say",
    "say you",
    "would create",
    "will create",
    "creates a",
    "create a",
    "create the",
    "create an",
    "created",
    "generate",
    "generates",
    "generated",
    "add a file",
    "add a new",
    "add the following to",
    "your own",
    "named like",
    "something like",
    "looks like",
    "hypothetical",
    "assuming",
    "assume",
    "to your",
    "in your",
    "if you have",
    "your project",
    "your app",
    "your application",
];

/// The cue that a text holds, if any. `text` is what the cue speaks for, code spans included.
pub fn cue_in(text: &str) -> Option<Doubt> {
    let lower = text.to_lowercase();
    let tells_of_past = holds_past_word(&lower)
        || PAST_PHRASES.iter().any(|phrase| holds(&lower, phrase))
        || holds_used_to(&lower)
        || names_old_version(&lower);
    if tells_of_past {
        return Some(Doubt::Past);
    }
    ILLUSTRATION_PHRASES.iter().any(|phrase| holds(&lower, phrase)).then_some(Doubt::Illustration)
}

/// A word of change, but not one that tells what a program does: "files are removed", unless a version follows.
fn holds_past_word(text: &str) -> bool {
    let is_edge = |c: char| c.is_whitespace() || "()[],;:\"".contains(c);
    let words: Vec<&str> = text.split(is_edge).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '`');
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let is_habit = ["is", "are", "be", "being", "gets", "get", "automatically", "silently"].contains(&before);
        let is_date = |word: &&str| word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
        PAST.contains(&word) && (!is_habit || words[at + 1..].iter().take(3).any(is_date))
    })
}

/// The cue that a heading gives to its section.
pub fn cue_of_heading(title: &str) -> Option<Doubt> {
    let lower = title.to_lowercase();
    let past = [
        "removed",
        "renamed",
        "breaking change",
        "migrat",
        "upgrading",
        "changelog",
        "what's new",
        "release notes",
        "roadmap",
        "future work",
    ];
    past.iter().any(|word| lower.contains(word)).then_some(Doubt::Past)
}

/// `text` holds the phrase at word boundaries.
fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        is_edge(before) && (phrase.ends_with('.') || is_edge(after))
    })
}

/// "used to" as a tense, not as in "is used to set".
fn holds_used_to(text: &str) -> bool {
    text.match_indices("used to ").any(|(at, _)| {
        let before = text[..at].trim_end().rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        let passive = [
            "is",
            "are",
            "be",
            "been",
            "was",
            "were",
            "being",
            "also",
            "only",
            "commonly",
            "often",
            "can",
            "and",
            "or",
            "not",
            "typically",
            "usually",
            "internally",
            "mainly",
            "generally",
            "currently",
            "primarily",
        ];
        !passive.contains(&before) && !before.is_empty() && !before.ends_with([',', '.', ':', ')'])
    })
}

/// `1.x`, `v2.x`, "prior to 5.2": a line of versions that is told apart from today's.
fn names_old_version(text: &str) -> bool {
    let is_line = text.match_indices(".x").any(|(at, _)| {
        let is_digit = text[..at].ends_with(|c: char| c.is_ascii_digit());
        let after = text[at + 2..].chars().next();
        // "4.x and above" is of today.
        let reaches_now = [" and above", " and later", " or later", " and newer", " or newer", " and up", "+"]
            .iter()
            .any(|words| text[at + 2..].starts_with(words));
        is_digit && !reaches_now && after.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    });
    let is_version = |rest: &str| {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("version").unwrap_or(rest).trim_start();
        rest.strip_prefix('v').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
    };
    let dates = |word: &&str| text.match_indices(*word).any(|(at, _)| is_version(&text[at + word.len()..]));
    is_line || ["prior to", "before", "until"].iter().any(dates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_heard_in_any_inflection() {
        for text in [
            "`foo_bar` was removed",
            "Deleted `foo_bar`",
            "it used to be `x`",
            "no longer read",
            "since 1.x",
            "replaces the previous one",
            "is removed in v5",
            "prior to 5.2 it was",
        ] {
            assert_eq!(cue_in(text), Some(Doubt::Past), "{text}");
        }
    }

    #[test]
    fn ordinary_use_is_no_cue() {
        for text in [
            "is used to set the level",
            "`removed_at` holds the time",
            "deprecated: use `b`",
            "by default it is off",
            "old files are removed",
            "runs prior to the build",
        ] {
            assert_eq!(cue_in(text), None, "{text}");
        }
    }
}
