//! The locked response of a question and the chunks block that a model writes an answer from (contracts A1, A3).

use crate::cite::visible;
use crate::response::{Corroboration, Response, Source};

/// What is printed when the docs hold nothing (contracts A1).
pub const NOTHING_FOUND: &str = "*No matching documentation found.*";
/// The line between the chunks and what follows them (contracts A3).
pub const END_OF_CHUNKS: &str = "---END-OF-CHUNKS---";

/// Renders a response: answer, sources, corroboration; or the one sentence that says there are none.
pub fn response(response: &Response) -> String {
    if response.sources.is_empty() {
        return format!("{NOTHING_FOUND}\n");
    }
    format!("**Answer.** {}\n\n{}\n{}", response.answer, sources(response), corroboration(response))
}

/// Renders the chunks of a response, then its sources and corroboration.
pub fn chunks(response: &Response) -> String {
    if response.sources.is_empty() {
        return format!("{NOTHING_FOUND}\n");
    }
    let chunks: String = response.sources.iter().map(chunk).collect();
    format!("## Retrieved chunks\n\n{chunks}{END_OF_CHUNKS}\n\n{}\n{}", sources(response), corroboration(response))
}

fn chunk(source: &Source) -> String {
    format!("### {}\n\n{}\n\n", source.citation.label(), quoted(&source.text))
}

/// The text of a section, unable to pass for the end of the chunks.
fn quoted(text: &str) -> String {
    let line = |line: &str| match line.trim() == END_OF_CHUNKS {
        true => format!("\\{}", line.trim_start()),
        false => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn sources(response: &Response) -> String {
    let bullet = |source: &Source| {
        let citation = &source.citation;
        format!("- [{}]({}) — {}\n", citation.link_text(), citation.target(), source.snippet)
    };
    format!("**Sources:**\n{}", response.sources.iter().map(bullet).collect::<String>())
}

fn corroboration(response: &Response) -> String {
    let bullet =
        |line: &Corroboration| format!("- {} — {}\n", line.citation.label(), visible(&line.verdict.to_string()));
    let bullets = response.corroboration.iter().map(bullet);
    format!("**Corroboration:**\n{}", bullets.collect::<String>())
}
