//! The arguments of `finalize` and `answer`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

/// Seal a drafted answer whose quotes all stand in the corpus, or refuse it
///
/// Reads one JSON object with `question`, `corpus`, `answer_draft` and perhaps `corpus_digest`. Whatever wrote the
/// draft, only an answer whose every quote stands word for word in the source that it names is sealed: markup, case and
/// line breaks count. A seal says that the quotes are real, not that the text follows from them.
///
/// The draft is {"decision": "answered" | "unsupported" | "conflicted", "answer": {"text", "citations": [{"source_id",
/// "quote"}]}, "kb_gaps": [], "conflicts": []}; without an answer, text and citations are empty and a gap or a conflict is
/// named.
#[derive(Group)]
#[command(after_help = FINALIZE_HELP)]
pub struct Finalize {
    /// The JSON to read [default: stdin, unless --draft is given]
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The corpus: a JSON array of `{"id", "title", "text"}`, or a folder of Markdown whose sections, those below them
    /// included, are the sources, named `path#anchor`
    #[arg(long, value_name = "FILE|DIR")]
    pub corpus: Option<PathBuf>,
    /// The draft alone, as JSON (`-`: stdin)
    #[arg(long, value_name = "FILE")]
    pub draft: Option<PathBuf>,
    /// The question
    #[arg(long, value_name = "TEXT")]
    pub question: Option<String>,
    /// Also refuse unknown fields, and sentences that share no word with any cited quote
    #[arg(long)]
    pub strict: bool,
}

const FINALIZE_HELP: &str = "\
Examples:
  inkwell finalize < request.json
  inkwell finalize --corpus docs --draft draft.json --question \"how long do sessions last?\"

A sealed refusal is a completed run: the exit code is 0, and `validation` in the output says which.";

/// Answer a question from a supplied corpus, by the words that they share
///
/// Reads one JSON object with `question` and `corpus`, and prints one line of JSON: the sentences that answer, each with
/// its source, or what is missing.
#[derive(Group)]
#[command(after_help = ANSWER_HELP)]
pub struct Answer {
    /// The JSON to read [default: the file in RUNX_INPUTS_PATH, else RUNX_INPUTS_JSON itself, else stdin]
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The corpus: a JSON array of sources, or a folder of Markdown whose sections are the sources (better with
    /// --scoring bm25)
    #[arg(long, value_name = "FILE|DIR")]
    pub corpus: Option<PathBuf>,
    /// The question
    #[arg(long, value_name = "TEXT")]
    pub question: Option<String>,
    /// How sentences are chosen
    #[arg(long, value_enum, default_value_t = Scoring::Seed, value_name = "HOW")]
    pub scoring: Scoring,
}

/// How `answer` chooses sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scoring {
    /// By the number of words shared with the question; English
    Seed,
    /// As `query` does it, with its test of evidence; reports sources that contradict each other
    Bm25,
}

const ANSWER_HELP: &str = "\
Examples:
  inkwell answer < request.json
  inkwell answer --corpus docs --question \"how long are backups kept?\" --scoring bm25";
