//! Plain lines for people and pipes: search results, status, explanations.

use crate::cite::visible;
use crate::engine::{Engine, Line, State};
use crate::response::{Corroboration, Response};

/// Renders search results, `path:line␠␠[tag, tag]␠␠snippet` each (contracts A3).
pub fn lines(lines: &[Line]) -> String {
    let line = |line: &Line| {
        let path = crate::cite::Citation { anchor: String::new(), ..line.citation.clone() }.label();
        format!("{path}:{}  [{}]  {}\n", line.line, line.tags.join(", "), line.snippet)
    };
    lines.iter().map(line).collect()
}

/// Renders verdicts on chunks, `citation<TAB>verdict` each (contracts A3).
pub fn verdicts(lines: &[Corroboration]) -> String {
    let line = |line: &Corroboration| format!("{}\t{}\n", line.citation.label(), visible(&line.verdict.to_string()));
    lines.iter().map(line).collect()
}

/// Renders what an index run did and what there is now.
pub fn indexed(state: &State) -> String {
    let changed = &state.synced.changed;
    let what = match (changed.indexed.len(), changed.removed) {
        (0, 0) => "up to date".to_owned(),
        (indexed, 0) => format!("read {}", files(indexed)),
        (indexed, removed) => format!("read {}, dropped {}", files(indexed), files(removed)),
    };
    let skipped = state.skipped().len();
    let left_out = if skipped == 0 { String::new() } else { format!(", {skipped} skipped") };
    format!("{what}: {} with {} passages{left_out}\n", files(state.documents()), state.passages())
}

/// Renders what is indexed, what is left out and why.
pub fn status(engine: &Engine, state: &State) -> String {
    let trees: Vec<&str> = engine.config.docs.iter().map(shown).collect();
    let index = engine.index_dir().map_or("in memory".to_owned(), |dir| dir.display().to_string());
    let mut out = format!(
        "root      {}\ndocs      {}\nanchors   {}\nindex     {index}\nfiles     {}\npassages  {}\nskipped   {}\n",
        engine.root.as_path().display(),
        trees.join(", "),
        engine.style().name(),
        state.documents(),
        state.passages(),
        state.skipped().len(),
    );
    for (reason, paths) in by_reason(state) {
        out.push_str(&format!("\n{reason}:\n"));
        paths.iter().for_each(|path| out.push_str(&format!("  {path}\n")));
    }
    let problems = state.problems();
    if !problems.is_empty() {
        out.push_str("\nindexed in spite of problems:\n");
        problems.iter().for_each(|(path, problem)| out.push_str(&format!("  {path} {problem}\n")));
    }
    if !state.listing.incomplete.is_empty() {
        out.push_str("\nfailed to look into, so what was known of it is kept:\n");
        state.listing.incomplete.iter().for_each(|path| out.push_str(&format!("  {}\n", shown(path))));
    }
    out
}

/// Renders what each source's score is made of, a line each, best first.
pub fn explanation(response: &Response) -> String {
    let mut out = format!("evidence {:.2}", response.evidence);
    if !response.missing.is_empty() {
        out.push_str(&format!(", nothing found holds: {}", response.missing.join(", ")));
    }
    out.push('\n');
    for source in &response.sources {
        let parts = &source.parts;
        out.push_str(&format!(
            "{:8.3} = (({:.3} words + {:.3} page + {:.3} heading) * {:.2} + {:.3} feedback) * {:.2} kind + {:.3} named  {}\n",
            source.score,
            parts.words,
            parts.page,
            parts.heading,
            parts.factor,
            parts.feedback,
            parts.kind,
            parts.named,
            source.citation.label(),
        ));
    }
    out
}

/// The skipped files, grouped by reason, in order of the reasons.
pub fn by_reason(state: &State) -> std::collections::BTreeMap<String, Vec<String>> {
    let mut groups = std::collections::BTreeMap::new();
    for (path, reason) in state.skipped() {
        groups.entry(reason).or_insert_with(Vec::new).push(path);
    }
    groups
}

/// A path to be shown: the root is `.`.
fn shown(path: &crate::walk::RepoPath) -> &str {
    if path.as_str().is_empty() { "." } else { path.as_str() }
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
