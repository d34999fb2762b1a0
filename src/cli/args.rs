//! The arguments. No logic here.

mod grounded;
mod mcp;
mod shell;
mod verify;

use std::path::PathBuf;

use clap::{Args as Group, Parser, Subcommand, ValueEnum};

pub use grounded::{Answer, Finalize, Scoring};
pub use mcp::Mcp;
pub use shell::{Completions, Init, Man};
pub use verify::{Schema, Verify};

/// Ask a repository's docs, and trust what comes back.
///
/// inkwell reads the Markdown below `docs/`, finds the sections that answer a question, and prints an answer with
/// links to them. Nothing leaves the machine and nothing in the repository is changed.
#[derive(Parser)]
#[command(name = "inkwell", version, max_term_width = 100, after_help = AFTER_HELP, propagate_version = true)]
pub struct Args {
    #[command(flatten)]
    pub place: Place,
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  inkwell query \"how do I rotate the signing key?\"
  inkwell query --docs website/docs \"what does --frozen do?\"
  inkwell search 'title:deploy \"health check\" NOT kubernetes'
  inkwell read docs/guides/deploy.md#health-checks
  inkwell check --changed=origin/main

Without --root the project is the nearest directory upwards with .git or inkwell.toml.
Exit codes: 0 done (also when nothing was found), 1 a check found something, 2 usage or trouble.";

impl Args {
    /// Reads the command line. Where it fails at an unknown flag that stands in the place of the question, as in
    /// `inkwell query --no-verify`, the flag is the question: no question can fail.
    pub fn read(words: Vec<std::ffi::OsString>) -> Result<Self, clap::Error> {
        let error = match Self::try_parse_from(&words) {
            Ok(args) => return Ok(args),
            Err(error) => error,
        };
        let Some((last, before)) = words.split_last().filter(|_| words.iter().any(|word| word == "query")) else {
            return Err(error);
        };
        let last_text = last.to_string_lossy();
        let is_unknown = error.kind() == clap::error::ErrorKind::UnknownArgument
            && error.get(clap::error::ContextKind::SuggestedArg).is_none();
        // No flag has a space in it, so such an argument is a sentence.
        if !last_text.starts_with('-') || !(is_unknown || last_text.contains(' ')) {
            return Err(error);
        }
        let asked = before.iter().cloned().chain(["--".into(), last.clone()]);
        Self::try_parse_from(asked).map_err(|_| error)
    }
}

/// Where the project and its docs are.
#[derive(Group)]
pub struct Place {
    /// The project's root
    #[arg(short = 'C', long, global = true, value_name = "DIR", help_heading = "Project")]
    pub root: Option<PathBuf>,
    /// A docs tree or file, relative to the root; may be given several times [default: docs]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Project")]
    pub docs: Vec<String>,
    /// How headings become anchors: auto, github, gitlab, mdbook, docusaurus, vitepress, mkdocs, collapsed
    #[arg(long, global = true, value_name = "STYLE", help_heading = "Project")]
    pub anchors: Option<String>,
    /// Where indexes are kept [default: the user's cache directory]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Project")]
    pub index_dir: Option<PathBuf>,
}

#[derive(Subcommand)]
pub enum Command {
    Query(Query),
    Search(Search),
    Read(Read),
    Check(Check),
    Corroborate(Corroborate),
    Finalize(Finalize),
    Answer(Answer),
    Verify(Verify),
    Schema(Schema),
    Mcp(Mcp),
    Index(Index),
    Status(Status),
    Init(Init),
    Completions(Completions),
    Man(Man),
}

/// Answer a question from the docs, with sources
#[derive(Group)]
#[command(after_help = QUERY_HELP)]
pub struct Query {
    /// The question, in your own words; any text is a question
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub question: Option<std::ffi::OsString>,
    /// Sections to cite, at most
    #[arg(short = 'n', long = "top", default_value_t = 5, value_name = "N", value_parser = count())]
    pub top: usize,
    /// What to print
    #[arg(long, value_enum, default_value_t = QueryFormat::Markdown, value_name = "FORMAT")]
    pub format: QueryFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Say what each source's score is made of (on stderr; in JSON as `explain`)
    #[arg(long)]
    pub explain: bool,
    /// Answer every line of FILE (`-`: stdin): a question, or JSON `{"id", "question"}`; prints one JSON line each
    #[arg(long, value_name = "FILE")]
    pub batch: Option<PathBuf>,
    /// Let CMD write the answer: it gets the chunks on stdin and must cite only the sources
    #[arg(long, value_name = "CMD")]
    pub synth: Option<String>,
}

const QUERY_HELP: &str = "\
Examples:
  inkwell query \"why does login fail after an upgrade?\"
  inkwell query -n 3 --json \"default cache size\"
  inkwell query --format chunks \"how do I back up?\"        the sections themselves, for a model
  inkwell query --batch questions.txt > answers.jsonl";

/// What `query` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// Answer, sources and corroboration
    Markdown,
    /// One JSON object
    Json,
    /// The cited sections, then sources and corroboration
    Chunks,
    /// The answer with a marker for each span it is taken from, and a receipt that `verify` can check
    Receipt,
    /// JSON: the answer with the id of a chunk in each sentence, for `verify`
    Citations,
    /// JSON: the sentences, items and rows that were retrieved, for `verify --check receipt --retrieved`
    Spans,
    /// JSON: the chunks that were retrieved, to draft from, for `verify --check citations --retrieved`
    Passages,
}

/// Find sections by words, phrases and fields, best first
#[derive(Group)]
#[command(after_help = SEARCH_HELP)]
pub struct Search {
    /// What to look for; several arguments are joined by spaces
    #[arg(required = true, num_args = 1.., allow_hyphen_values = false)]
    pub words: Vec<std::ffi::OsString>,
    /// Lines to print, at most
    #[arg(short = 'n', long = "top", default_value_t = 25, value_name = "N", value_parser = count())]
    pub top: usize,
}

const SEARCH_HELP: &str = "\
Syntax:
  word word          sections with these words, more is better; other forms of a word count too
  \"a phrase\"         exactly these words in a row
  word*              words that start so
  a AND b, a OR b    both, either; AND binds before OR
  NOT a              without
  title:word         in the page's title
  tag:x              pages with the tag in their front matter
  in:path            below a path, or in files whose name starts so
Whatever makes no sense is taken as plain words.

Prints `path:line  [tags]  snippet`, best first.

Examples:
  inkwell search deploy
  inkwell search '\"health check\" NOT kubernetes'
  inkwell search 'tag:cli in:docs/reference timeout'";

/// Print a section of a docs file
#[derive(Group)]
#[command(after_help = READ_HELP)]
pub struct Read {
    /// `path#anchor` as printed by the other commands, or a path alone for the whole page
    #[arg(value_name = "PATH#ANCHOR")]
    pub target: String,
    /// What to print around the section's own text; may be given several times [default: children]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub context: Vec<Context>,
    /// Lines to print, at most
    #[arg(long, value_name = "N", value_parser = count())]
    pub max_lines: Option<usize>,
    /// What to print
    #[arg(long, value_enum, default_value_t = ReadFormat::Text, value_name = "FORMAT")]
    pub format: ReadFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

const READ_HELP: &str = "\
Examples:
  inkwell read docs/guides/deploy.md#health-checks
  inkwell read docs/guides/deploy.md#health-checks --context parents --max-lines 40
  inkwell read docs/guides/deploy.md";

/// What `read` prints around a section's own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Context {
    /// Nothing
    None,
    /// The sections above: their headings and own text
    Parents,
    /// The sections below
    Children,
}

/// What `read` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadFormat {
    /// The text as it stands in the file
    Text,
    /// One JSON object
    Json,
}

/// Check the docs against the code and report what is no longer so
///
/// Every code span and link that names a file, symbol, option, variable or key is looked up in the code and in git's
/// history. A drift is reported only with a proof; what can't be told is counted, not reported.
#[derive(Group)]
#[command(after_help = CHECK_HELP)]
pub struct Check {
    /// Docs files and folders to check [default: the docs trees, README, CONTRIBUTING, AGENTS.md, …]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, value_name = "FORMAT")]
    pub format: CheckFormat,
    /// Check only docs that differ from REV (default HEAD), and what other docs say of the code that does
    #[arg(long, value_name = "REV", num_args = 0..=1, require_equals = true)]
    pub changed: Option<Option<String>>,
    /// Check what the next commit changes, as it will be committed (for a pre-commit hook)
    #[arg(long, conflicts_with_all = ["changed", "fix", "dry_run"])]
    pub staged: bool,
    /// Report and count only drifts of this rule; may be given several times
    #[arg(long, value_name = "RULE", value_parser = shell::rule())]
    pub only: Vec<inkwell::finding::Rule>,
    /// What makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Drift, value_name = "WHAT")]
    pub fail_on: FailOn,
    /// Say of every claim which verdict it got, and why
    #[arg(long)]
    pub explain: bool,
    /// List every claim in JSON, not only the drifts
    #[arg(long)]
    pub claims: bool,
    /// Known drifts, which don't count [default: .inkwell-baseline.json, if it exists]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is found to a baseline file instead of reporting it
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "baseline")]
    pub write_baseline: Option<Option<PathBuf>>,
    /// Rewrite names and paths whose new name is proven and unique
    #[arg(long)]
    pub fix: bool,
    /// Show what --fix would rewrite, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Let --fix rewrite files with changes that are not committed
    #[arg(long, requires = "fix")]
    pub force: bool,
}

const CHECK_HELP: &str = "\
Examples:
  inkwell check                               all docs
  inkwell check docs/guides --explain         why each claim got its verdict
  inkwell check --staged                      in a pre-commit hook
  inkwell check --changed=origin/main --format github     in CI
  inkwell check --only broken-link --only missing-anchor     links alone
  inkwell check --write-baseline              accept what is there, fail on what is new
  inkwell check --fix --dry-run               proven renames, as a diff

In the docs, `<!-- inkwell-ignore: reason -->` speaks for the next block, `<!-- inkwell-ignore-section: reason -->` for
a section, and `inkwell: historical` (or `planned`) in the front matter for a page.
Exit codes: 0 no drift, 1 drift, 2 usage or trouble.";

/// What `check` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// A line for each drift, with what helps
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines
    Github,
    /// JUnit XML
    Junit,
}

/// What makes `check` fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Any drift
    Drift,
    /// Nothing
    None,
}

/// Give verdicts on retrieved chunks, read from stdin: `citation<TAB>verdict` lines
///
/// A chunk starts at a line `### path#anchor`, as `query --format chunks` prints it.
#[derive(Group)]
#[command(after_help = CORROBORATE_HELP)]
pub struct Corroborate {}

const CORROBORATE_HELP: &str = "\
Example:
  inkwell query --format chunks \"how do I back up?\" | inkwell corroborate

The verdicts are `verified`, `drift detected (see …)` and `could not corroborate`. Sentences about behaviour are judged
by the command in INKWELL_CORROBORATE_SUBAGENT or in your own configuration, if there is one.";

/// Build or refresh the index (questions do this by themselves)
#[derive(Group)]
#[command(after_help = INDEX_HELP)]
pub struct Index {
    /// Read every file again
    #[arg(long)]
    pub rebuild: bool,
}

const INDEX_HELP: &str = "\
Examples:
  inkwell index
  inkwell -C ../handbook --docs content index --rebuild";

/// Show what is indexed, what is left out and why
#[derive(Group)]
#[command(after_help = STATUS_HELP)]
pub struct Status {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

const STATUS_HELP: &str = "\
Examples:
  inkwell status
  inkwell status --json";

/// A number of things to print, 1 to 1000.
fn count() -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser;
    clap::value_parser!(u64).range(1..=1000).map(|number| number as usize)
}
