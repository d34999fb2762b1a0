//! The baseline: drifts that are known and don't fail a build. It only shrinks: an entry that nothing needs is
//! reported, and entries have no line numbers, so that other edits don't disturb them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Verdict};

/// Known drifts, each with how often it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<Key, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    path: String,
    rule: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineV1 {
    schema_version: u32,
    entries: Vec<EntryV1>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryV1 {
    path: String,
    rule: String,
    text: String,
    count: usize,
}

impl Baseline {
    /// Reads a baseline file's text.
    ///
    /// # Errors
    /// In words, with the place: why it is no baseline.
    pub fn read(text: &str) -> Result<Self, String> {
        let file: BaselineV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.schema_version != 1 {
            return Err(format!("`schema_version` is {}: expected 1", file.schema_version));
        }
        let mut entries = BTreeMap::new();
        for EntryV1 { path, rule, text, count } in file.entries {
            *entries.entry(Key { path, rule, text }).or_insert(0) += count;
        }
        Ok(Self { entries })
    }

    /// The baseline that knows these drifts.
    pub fn of<'a>(findings: impl Iterator<Item = &'a Finding>) -> Self {
        let mut entries = BTreeMap::new();
        for finding in findings {
            *entries.entry(key(finding)).or_insert(0) += 1;
        }
        Self { entries }
    }

    /// The file's text: one entry a line, so that diffs are small.
    pub fn text(&self) -> String {
        let entry = |(key, count): (&Key, &usize)| {
            let entry =
                EntryV1 { path: key.path.clone(), rule: key.rule.clone(), text: key.text.clone(), count: *count };
            let line = serde_json::to_string(&entry).expect("strings and numbers are JSON");
            format!("    {line}")
        };
        let lines: Vec<String> = self.entries.iter().map(entry).collect();
        let entries = if lines.is_empty() { String::new() } else { format!("\n{}\n  ", lines.join(",\n")) };
        format!("{{\n  \"schema_version\": 1,\n  \"entries\": [{entries}]\n}}\n")
    }

    /// How many drifts it knows.
    pub fn len(&self) -> usize {
        self.entries.values().sum()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Uses up an entry for a drift, if one is left.
    pub fn take(&mut self, finding: &Finding) -> bool {
        let is_drift = matches!(finding.verdict, Verdict::Drifted(_));
        match self.entries.get_mut(&key(finding)).filter(|count| is_drift && **count > 0) {
            Some(count) => {
                *count -= 1;
                true
            }
            None => false,
        }
    }

    /// What is left of it, a line of words each: entries that nothing needs.
    pub fn unused(&self) -> Vec<(String, String)> {
        let left = self.entries.iter().filter(|(_, count)| **count > 0);
        left.map(|(key, count)| {
            let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
            (
                key.path.clone(),
                format!("the baseline knows `{}` ({}){times}, which is no longer found", key.text, key.rule),
            )
        })
        .collect()
    }
}

fn key(finding: &Finding) -> Key {
    Key { path: finding.citation.path.clone(), rule: finding.rule.id().to_owned(), text: finding.text.clone() }
}
