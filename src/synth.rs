//! Lets a command of the user's write the answer paragraph from the chunks, and checks what comes back.
//!
//! The command is the user's choice (flag, environment or the user's own configuration), never the repository's. It
//! is started directly, not by a shell. What it writes is accepted only as one paragraph that cites nothing but the
//! sources; anything else is a reason to keep the extractive answer.

use std::time::Duration;

use crate::cite::{Citation, decode, is_unsafe};
use crate::command;
use crate::statement::fold;

/// How long the command may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs `command` with the chunks block on its standard input and returns the paragraph it wrote.
///
/// # Errors
/// In words: why there is no paragraph, or what is wrong with it.
pub fn paragraph(command: &[String], chunks: &str, sources: &[Citation]) -> Result<String, String> {
    let text = run(command, chunks, TIMEOUT)?;
    checked(&text, sources)
}

/// The text as one safe line, if it is a paragraph that cites only `sources`.
fn checked(text: &str, sources: &[Citation]) -> Result<String, String> {
    let text = text.trim();
    let text = text.strip_prefix("**Answer.**").unwrap_or(text).trim();
    if text.is_empty() {
        return Err("it wrote nothing".to_owned());
    }
    if text.lines().any(|line| line.trim().is_empty()) {
        return Err("it wrote more than one paragraph".to_owned());
    }
    let line: String = fold(text).chars().map(|c| if is_unsafe(c) { ' ' } else { c }).collect();
    if line.contains("**Sources:**") || line.contains("**Corroboration:**") {
        return Err("it wrote more than the paragraph".to_owned());
    }
    match cited(&line).into_iter().find(|cited| !sources.iter().any(|source| names(source, cited))) {
        Some(stranger) => Err(format!("it cited `{stranger}`, which is not a source")),
        None => Ok(line),
    }
}

/// Everything in a text that looks like a citation: a Markdown file's path, with or without a fragment.
fn cited(text: &str) -> Vec<String> {
    let is_edge = |c: char| c.is_whitespace() || "()[]<>`\"'“”,;".contains(c);
    let words = text.split(is_edge).map(|word| word.trim_end_matches(['.', ':', '!', '?', '*']));
    let is_doc = |word: &&str| {
        let path = word.split('#').next().unwrap_or_default().to_ascii_lowercase();
        [".md", ".markdown", ".mdx"].iter().any(|extension| path.len() > extension.len() && path.ends_with(extension))
    };
    words.filter(is_doc).map(str::to_owned).collect()
}

/// Whether a citation names a source: the section, or its page.
fn names(source: &Citation, cited: &str) -> bool {
    let is_same = |text: &str| text == source.label() || text == source.path;
    is_same(cited) || is_same(&decode(cited))
}

fn run(command: &[String], input: &str, timeout: Duration) -> Result<String, String> {
    let finished = command::run(command, input, timeout).map_err(|failure| failure.to_string())?;
    let program = command.first().map_or("", String::as_str);
    if !finished.status.success() {
        return Err(format!("`{program}` failed: {}", finished.status));
    }
    if finished.is_cut {
        return Err(format!("`{program}` wrote more than {} bytes", command::OUTPUT_LIMIT));
    }
    String::from_utf8(finished.output).map_err(|_| format!("`{program}` did not write UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<String, String> {
        let source = Citation { path: "docs/a.md".into(), anchor: "cache".into() };
        checked(text, &[source])
    }

    fn sh(script: &str, timeout_ms: u64) -> Result<String, String> {
        let command = ["sh", "-c", script].map(str::to_owned);
        run(&command, "input", Duration::from_millis(timeout_ms))
    }

    #[test]
    fn a_paragraph_that_cites_sources_is_taken() {
        assert_eq!(check("Ten minutes\n(docs/a.md#cache).\n"), Ok("Ten minutes (docs/a.md#cache).".into()));
        assert_eq!(check("**Answer.** See [docs/a.md](docs/a.md)."), Ok("See [docs/a.md](docs/a.md).".into()));
    }

    #[test]
    fn invented_citations_are_refused() {
        assert_eq!(check("See docs/b.md#x."), Err("it cited `docs/b.md#x`, which is not a source".into()));
        assert_eq!(check("See docs/a.md#other."), Err("it cited `docs/a.md#other`, which is not a source".into()));
    }

    #[test]
    fn only_one_paragraph_is_taken() {
        assert_eq!(check(" \n"), Err("it wrote nothing".into()));
        assert_eq!(check("One.\n\nTwo."), Err("it wrote more than one paragraph".into()));
        assert_eq!(check("One. **Sources:** x"), Err("it wrote more than the paragraph".into()));
    }

    #[test]
    fn commands_that_misbehave_are_reasons() {
        assert_eq!(sh("cat", 5000), Ok("input".into()));
        assert_eq!(sh("exit 3", 5000), Err("`sh` failed: exit status: 3".into()));
        assert_eq!(sh("exec sleep 30", 50), Err("`sh` took longer than 0 seconds".into()));
        assert_eq!(sh("printf '\\377'", 5000), Err("`sh` did not write UTF-8".into()));
        assert_eq!(sh("yes | head -c 65537", 5000), Err("`sh` wrote more than 65536 bytes".into()));
        let missing = run(&["inkwell-no-such-program".into()], "", Duration::from_secs(1));
        assert!(missing.is_err_and(|reason| reason.starts_with("`inkwell-no-such-program` could not be started")));
    }
}
