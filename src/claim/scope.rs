//! Which pages are held to the present: records of the past and plans are read for answers but not gated.

use super::shape::words_of;
use crate::page::Page;

/// What a page is about in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// How things are now.
    Current,
    /// How things were: changelogs, release notes, migration guides, archives.
    Historical,
    /// How things shall be: proposals, decisions, plans, roadmaps.
    Planned,
}

impl Class {
    /// The class in words, as the reason why a page proves nothing.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Current => "the page is current",
            Self::Historical => "the page records the past",
            Self::Planned => "the page records plans or decisions",
        }
    }

    /// Reads the name that front matter and settings use.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            "current" => Some(Self::Current),
            "historical" => Some(Self::Historical),
            "planned" | "forward-looking" => Some(Self::Planned),
            _ => None,
        }
    }
}

/// Words that make a file or folder a record of the past, at the start of a word of its name.
const HISTORICAL: &[&str] = &[
    "changelog",
    "changes",
    "history",
    "releases",
    "release-notes",
    "release_notes",
    "releasenotes",
    "whats-new",
    "whats_new",
    "whatsnew",
    "what-s-new",
    "migration",
    "migrating",
    "migrate",
    "upgrade",
    "upgrading",
    "archive",
    "archived",
    "announcement",
    "blog",
    "_posts",
    "versioned_docs",
    "deprecations",
    "postmortem",
    "postmortems",
    "contributors",
    "contributions",
    "credits",
    "acknowledgements",
    "acknowledgments",
    "thanks",
    "breaking-changes",
    "breaking_changes",
];

/// The same for plans.
const PLANNED: &[&str] = &[
    "adr",
    "adrs",
    "decisions",
    "rfc",
    "rfcs",
    "proposal",
    "proposals",
    "plan",
    "plans",
    "roadmap",
    "design-docs",
    "todo",
    "kep",
    "keps",
    "design",
    "designs",
    "test-plan",
    "backlog",
];

/// The class of a page: what its front matter says, else what its path says.
pub fn class_of(page: &Page) -> Class {
    let set = page.document.front_matter.class.as_deref().and_then(Class::from_name);
    set.unwrap_or_else(|| class_of_path(page.path.as_str()))
}

fn class_of_path(path: &str) -> Class {
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_file = segments.peek().is_none();
        let stem = if is_file { segment.rsplit_once('.').map_or(segment, |(stem, _)| stem) } else { segment };
        if HISTORICAL.iter().any(|word| speaks_of(stem, word)) || is_version_folder(stem, is_file) {
            return Class::Historical;
        }
        if PLANNED.iter().any(|word| speaks_of(stem, word)) {
            return Class::Planned;
        }
    }
    Class::Current
}

/// Whether a name is the word, or has it at either end: joined by `-`, `_`, a space, or a capital.
fn speaks_of(name: &str, word: &str) -> bool {
    let (own, wanted) = (words_of(name), words_of(word));
    own.starts_with(&wanted) || own.ends_with(&wanted)
}

/// A folder of one old version's docs (`2.7.2/`, `v1.x/`), or a page about one (`v0.19.0.md`).
fn is_version_folder(name: &str, is_file: bool) -> bool {
    let bare = name.strip_prefix("version-").or_else(|| name.strip_prefix('v')).unwrap_or(name);
    let is_number = |piece: &str| !piece.is_empty() && piece.chars().all(|c| c.is_ascii_digit());
    let pieces: Vec<&str> = bare.split('.').collect();
    let is_version =
        pieces.len() >= 2 && pieces.iter().all(|piece| is_number(piece) || *piece == "x") && is_number(pieces[0]);
    is_version && (pieces.len() >= 3 || !is_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_the_past_and_plans_are_told_by_their_path() {
        let past = [
            "CHANGELOG.md",
            "docs/release-notes/a.md",
            "docs/whats_new.md",
            "docs/2.7.2/a.md",
            "UPGRADE-2.0.md",
            "docs/Guides/Migration-Guide-V5.md",
            "docs/releases/v0.19.0.md",
            "docs/community/3.0-announcement.md",
            "docs/UpgradingToJest29.md",
            "History.markdown",
        ];
        for path in past {
            assert_eq!(class_of_path(path), Class::Historical, "{path}");
        }
        for path in ["docs/adr/0003-cache.md", "rfcs/a.md", "docs/REDIS_READ_CACHE_PLAN.md", "docs/design/a.md"] {
            assert_eq!(class_of_path(path), Class::Planned, "{path}");
        }
        for path in ["docs/planning.md", "docs/newsletter.md", "README.md", "docs/releasing.md"] {
            assert_eq!(class_of_path(path), Class::Current, "{path}");
        }
    }
}
