//! Makes events of the lines that versions of files have and don't have.
//!
//! A line counts as removed if the file has it less often than before: one that only moved within its file is neither
//! removed nor added, which is what tells a name that went from one that stayed.

use rustc_hash::FxHashMap;

use super::seek::{Class, Texts};
use super::spot::{SPOT_LIMIT, Spot};
use super::walk::{Change, Changes, Log, NONE};
use super::{
    DOC_LIMIT, DocEvent, LINE_LIMIT, NameTrace, REMOVAL_LIMIT, REMOVAL_LIMIT_PER_COMMIT, Removal, is_test_name,
};

/// Bytes of an id that are shown.
const ID_LENGTH: usize = 10;

/// A search for names in what history changed.
pub(super) struct Search<'a> {
    pub log: &'a Log,
    pub changes: &'a Changes,
    /// By place in [`Changes::paths`].
    pub classes: &'a [Class],
    pub texts: &'a Texts,
    pub names: &'a [String],
}

/// A removal that is reported, and the versions of its file, as places in [`Changes::blobs`].
pub(super) struct Pick {
    pub removal: Removal,
    pub old: u32,
    pub new: u32,
}

/// A line that one commit removed.
struct Candidate {
    change: Change,
    spot: Spot,
}

/// What one commit did to the source lines with one name.
#[derive(Default)]
struct Turn {
    removed: Vec<Candidate>,
    has_added: bool,
}

impl Search<'_> {
    /// Goes through the commits, the newest first, and collects for each name.
    pub fn run(&self) -> Vec<(NameTrace, Vec<Pick>)> {
        let mut found: Vec<(NameTrace, Vec<Pick>)> = self.names.iter().map(|_| Default::default()).collect();
        for commit in self.changes.list.chunk_by(|a, b| a.order == b.order) {
            let mut turns: FxHashMap<u32, Turn> = FxHashMap::default();
            for &change in commit {
                self.follow(change, &mut turns, &mut found);
            }
            for (name, turn) in turns {
                let (trace, picks) = &mut found[name as usize];
                if turn.has_added {
                    trace.returned.get_or_insert(commit[0].order);
                }
                let room = REMOVAL_LIMIT.saturating_sub(picks.len()).min(REMOVAL_LIMIT_PER_COMMIT);
                picks.extend(self.best(name, turn, room));
            }
        }
        found
    }

    /// Looks at one file in one commit.
    fn follow(&self, change: Change, turns: &mut FxHashMap<u32, Turn>, found: &mut [(NameTrace, Vec<Pick>)]) {
        let spots = |blob| self.texts.spots.get(&blob).map_or(&[][..], Vec::as_slice);
        let (old, new) = (spots(change.old), spots(change.new));
        let class = self.classes[change.path as usize];
        let counts = |name: &u32| class != Class::Test || is_test_name(&self.names[*name as usize]);
        let mut names: Vec<u32> = old.iter().chain(new).map(|spot| spot.name).filter(counts).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let Some((removed, added)) = difference(old, new, name) else { continue };
            match class {
                Class::Doc => {
                    let docs = &mut found[name as usize].0.docs;
                    if docs.len() < DOC_LIMIT {
                        docs.push(self.doc_event(change, &removed, &added));
                    }
                }
                Class::Source | Class::Test => {
                    let is_code = |spot: &Spot| !is_comment(&self.line(spot));
                    let has_added = added.iter().any(is_code);
                    let turn = turns.entry(name).or_default();
                    turn.has_added |= has_added;
                    if !has_added {
                        let removed = removed.into_iter().filter(is_code);
                        turn.removed.extend(removed.map(|spot| Candidate { change, spot }));
                    } else {
                        // The words of a help text often hold an option's name still when its literal is gone.
                        let word = &self.names[name as usize];
                        let is_literal = |spot: &Spot| is_literal(&self.line(spot), word);
                        if !added.iter().any(is_literal) {
                            let removed = removed.into_iter().filter(is_literal);
                            turn.removed.extend(removed.map(|spot| Candidate { change, spot }));
                        }
                    }
                }
                Class::Other => {}
            }
        }
    }

    fn doc_event(&self, change: Change, removed: &[Spot], added: &[Spot]) -> DocEvent {
        let lines = |spots: &[Spot]| spots.iter().take(LINE_LIMIT).map(|spot| self.line(spot)).collect();
        DocEvent {
            commit: self.commit(change.order),
            order: change.order,
            path: self.changes.paths.text(change.path).to_owned(),
            added: lines(added),
            removed: lines(removed),
        }
    }

    /// Chooses the lines that tell most: what may define the name before what uses it, tests last.
    fn best(&self, name: u32, turn: Turn, limit: usize) -> Vec<Pick> {
        let name = &self.names[name as usize];
        let mut ranked: Vec<(u8, Candidate)> = turn
            .removed
            .into_iter()
            .map(|it| (rank(self.changes.paths.text(it.change.path), &self.line(&it.spot), name), it))
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let picks = ranked.into_iter().take(limit).map(|(_, Candidate { change, spot })| Pick {
            removal: Removal {
                commit: self.commit(change.order),
                order: change.order,
                path: self.changes.paths.text(change.path).to_owned(),
                line: spot.line,
                text: self.line(&spot),
                added: Vec::new(),
                is_whole_file: change.new == NONE,
                is_moved: turn.has_added,
            },
            old: change.old,
            new: change.new,
        });
        picks.collect()
    }

    fn line(&self, spot: &Spot) -> String {
        self.texts.lines.get(&spot.digest).cloned().unwrap_or_default()
    }

    fn commit(&self, order: u32) -> String {
        abbreviated(self.log, order)
    }
}

pub(super) fn abbreviated(log: &Log, order: u32) -> String {
    log.commits[order as usize].chars().take(ID_LENGTH).collect()
}

/// Returns the lines with a name that only the old version has, and those that only the new one has; `None` if there
/// are neither, or so many that they weren't all kept.
fn difference(old: &[Spot], new: &[Spot], name: u32) -> Option<(Vec<Spot>, Vec<Spot>)> {
    let of_name = |spots: &[Spot]| spots.iter().filter(|spot| spot.name == name).copied().collect::<Vec<Spot>>();
    let (mut old, mut new) = (of_name(old), of_name(new));
    let is_partial = old.len() > SPOT_LIMIT || new.len() > SPOT_LIMIT;
    if is_partial && !old.is_empty() && !new.is_empty() {
        return None;
    }
    old.retain(|spot| match new.iter().position(|it| it.digest == spot.digest) {
        Some(place) => {
            new.remove(place);
            false
        }
        None => true,
    });
    (!old.is_empty() || !new.is_empty()).then_some((old, new))
}

/// Orders lines by how likely they define a name; 0 is the likeliest.
fn rank(path: &str, line: &str, name: &str) -> u8 {
    u8::from(is_test(path)) * 3 + likelihood(line, name)
}

/// Tells a test by a word of its path: `CompositeStrategy` is none.
fn is_test(path: &str) -> bool {
    const WORDS: &[&str] = &[
        "test", "tests", "testing", "spec", "specs", "example", "examples", "sample", "samples", "fixture", "fixtures",
        "bench", "benches", "mock", "mocks",
    ];
    path.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Tells whether a line holds a name as a whole literal, with or without leading dashes.
fn is_literal(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].trim_end_matches('-');
        let after = &line[at + name.len()..];
        ['"', '\'', '`'].iter().any(|quote| before.ends_with(*quote) && after.starts_with(*quote))
    })
}

/// Tells a line that is nothing but a comment, by its first characters. What a comment says of a name, neither the code
/// lost nor does it keep it.
fn is_comment(line: &str) -> bool {
    let is_directive =
        ["#define", "#if", "#undef", "#include", "#elif", "#["].iter().any(|mark| line.starts_with(mark));
    let marks = ["//", "#", "* ", "*/", "/*", "-- ", "<!--", ";;"];
    !is_directive && marks.iter().any(|mark| line.starts_with(mark))
}

/// 0 where a keyword stands right before the name or it opens a member, 1 where one stands further before, 2 elsewhere.
fn likelihood(line: &str, name: &str) -> u8 {
    const KEYWORDS: &[&str] = &[
        "abstract",
        "class",
        "const",
        "def",
        "define",
        "defmodule",
        "enum",
        "export",
        "fn",
        "fun",
        "func",
        "function",
        "interface",
        "internal",
        "let",
        "macro_rules",
        "mod",
        "module",
        "namespace",
        "private",
        "protected",
        "public",
        "pub",
        "record",
        "static",
        "struct",
        "trait",
        "type",
        "typedef",
        "union",
        "val",
        "var",
        "void",
    ];
    let Some((before, after)) = line.split_once(name) else { return 2 };
    let words = || before.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| !word.is_empty());
    let follows_keyword =
        before.ends_with(char::is_whitespace) && words().next_back().is_some_and(|word| KEYWORDS.contains(&word));
    let is_member = before.trim().is_empty()
        && (after.ends_with('{') || after.trim_start().starts_with([':', '=', '(', '?', ';', ',']));
    match () {
        () if follows_keyword || is_member => 0,
        () if words().any(|word| KEYWORDS.contains(&word)) => 1,
        () => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_come_first() {
        let name = "CompositeBase";
        assert_eq!(rank("src/a.cs", "public abstract class CompositeBase", name), 0);
        assert_eq!(rank("src/a.cs", "private readonly Func<CompositeBase> _activator;", name), 1);
        assert_eq!(rank("src/a.cs", "where T : CompositeBase", name), 2);
        assert_eq!(rank("test/a.cs", "class CompositeBase", name), 3);
        assert_eq!(rank("src/CompositeStrategy.cs", "class CompositeBase", name), 0);
    }
}
