//! The arguments of `verify` and `schema`.

use std::path::PathBuf;

use clap::Args as Group;

/// Check an answer with citations or a grounding receipt, whoever wrote it
///
/// `schema`: an answer with citations has its JSON form. `citations`: every `[id]` in the text is listed and used, every
/// sentence of 16 characters or more with a digit, a capitalised word or a quotation mark has one before its full stop
/// (several: `[id1][id2]`), and each snippet stands in its chunk. `receipt`: the same of `[S1]` markers, the list of
/// sources and the record. With --root, or where the project has an index, what is cited is compared with the docs as
/// they are on disk. What the words of a sentence mean is not checked.
#[derive(Group)]
#[command(after_help = VERIFY_HELP)]
pub struct Verify {
    /// The answer to check (`-`: stdin); without one, or where it doesn't exist, the checks are skipped
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// What to check: schema, citations, receipt, separated by commas; `both` is short for schema,citations
    #[arg(long, value_name = "CHECK", value_delimiter = ',', default_value = "both")]
    pub check: Vec<String>,
    /// What was retrieved for the answer: JSON as `query --format passages` or `--format spans` prints it
    #[arg(long, value_name = "FILE")]
    pub retrieved: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Also refuse sentences that share no word with what they cite, and count a check that was skipped as failed
    #[arg(long)]
    pub strict: bool,
}

const VERIFY_HELP: &str = "\
Examples:
  inkwell query --format citations \"default cache size\" | inkwell verify -C . -
  inkwell verify --check citations --retrieved passages.json answer.json
  inkwell verify --check receipt --retrieved spans.json response.md

Exit codes: 0 nothing failed, 1 a check failed, 2 usage or trouble.";

/// Print the JSON Schema of an input or output, or list them
#[derive(Group)]
#[command(after_help = SCHEMA_HELP)]
pub struct Schema {
    /// Which one; without a name all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

const SCHEMA_HELP: &str = "\
Examples:
  inkwell schema
  inkwell schema query > query.schema.json";
