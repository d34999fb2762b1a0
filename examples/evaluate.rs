//! Asks the questions of an evaluation set and scores the sections that come back.
//!
//! ```sh
//! cargo run --release --example evaluate -- [EVAL_DIR] [--top 10] [--run FILE] [--ablate NAME]...
//! ```
//!
//! `EVAL_DIR`, by default `../shared/eval/retrieval` beside the checkout, holds
//! - `questions.jsonl`: `id`, `repo`, `docs_root`, `question`, `answerable` and the labels, a question a line;
//! - `corpora/<owner>+<name>/`: the repository of `<owner>/<name>`, read only;
//! - `score.py`: the scorer, which is run if there is a `python3`.
//!
//! The run goes to `FILE`, by default `target/evaluation/run.jsonl`. `--ablate` switches something off that ranking
//! does, to see what it is worth: see [`ABLATIONS`].
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use inkwell::answer::Status;
use inkwell::config::{Environment, Overrides};
use inkwell::engine::Engine;
use inkwell::response::{Response, Source};
use inkwell::sync::Mode;
use inkwell::walk::Root;
use serde::{Deserialize, Serialize};

const USAGE: &str = "usage: evaluate [EVAL_DIR] [--top N] [--run FILE] [--ablate NAME]...";

/// What can be switched off, and the line of a user's configuration that does it.
const ABLATIONS: [(&str, &str); 1] = [("word-forms", "language = \"none\"")];

fn main() -> ExitCode {
    match Task::of(std::env::args().skip(1)).and_then(|task| evaluate(&task)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// What to do.
struct Task {
    eval_dir: PathBuf,
    top: usize,
    run: PathBuf,
    ablated: Vec<&'static str>,
}

impl Task {
    fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut task = Self {
            eval_dir: checkout.join("../shared/eval/retrieval"),
            top: 10,
            run: checkout.join("target/evaluation/run.jsonl"),
            ablated: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value\n{USAGE}"));
            match argument.as_str() {
                "--top" => task.top = count(&value()?)?,
                "--run" => task.run = value()?.into(),
                "--ablate" => task.ablated.push(ablation(&value()?)?),
                _ if argument.starts_with('-') => return Err(format!("there is no `{argument}`\n{USAGE}").into()),
                _ => task.eval_dir = argument.into(),
            }
        }
        Ok(task)
    }

    fn questions(&self) -> PathBuf {
        self.eval_dir.join("questions.jsonl")
    }
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`--top` is `{text}`: expected a number"))
}

fn ablation(name: &str) -> Result<&'static str, String> {
    let found = ABLATIONS.into_iter().find(|(known, _)| *known == name).map(|(_, line)| line);
    let names = ABLATIONS.map(|(name, _)| format!("`{name}`"));
    found.ok_or_else(|| format!("`{name}` can't be switched off: expected {}", names.join(", ")))
}

/// A line of `questions.jsonl`, without the labels, which are the scorer's.
#[derive(Deserialize)]
struct Question {
    id: String,
    repo: String,
    docs_root: String,
    question: String,
    answerable: bool,
}

/// A line of the run, as the scorer reads it.
#[derive(Serialize)]
struct Answered {
    id: String,
    refused: bool,
    status: &'static str,
    evidence: f32,
    results: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    path: String,
    anchor: String,
    line: usize,
    score: f32,
}

fn evaluate(task: &Task) -> Result<(), Box<dyn Error>> {
    let questions = read_questions(&task.questions())?;
    let scratch = tempfile::tempdir()?;
    fs::write(scratch.path().join("config.toml"), task.ablated.join("\n"))?;
    let mut tally = Tally::default();
    let mut run = String::new();
    for group in questions.chunk_by(|a, b| (&a.repo, &a.docs_root) == (&b.repo, &b.docs_root)) {
        for answered in ask(task, group, scratch.path(), &mut tally)? {
            run.push_str(&serde_json::to_string(&answered)?);
            run.push('\n');
        }
    }
    task.run.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(&task.run, run).map_err(|source| format!("failed to write `{}`: {source}", task.run.display()))?;
    score(task)?;
    print!("\n{}", tally.table());
    println!("the run is in {}", task.run.display());
    Ok(())
}

fn read_questions(path: &Path) -> Result<Vec<Question>, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|source| {
        format!("failed to read `{}`: {source}\nhint: name the folder of an evaluation set\n{USAGE}", path.display())
    })?;
    let parse = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|source| format!("`{}` line {}: {source}", path.display(), index + 1).into())
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

/// Asks some questions about one repository.
fn ask(
    task: &Task,
    questions: &[Question],
    scratch: &Path,
    tally: &mut Tally,
) -> Result<Vec<Answered>, Box<dyn Error>> {
    let Some(Question { repo, docs_root, .. }) = questions.first() else {
        return Ok(Vec::new());
    };
    let environment = Environment { user_file: Some(scratch.join("config.toml")), ..Environment::default() };
    let overrides = Overrides {
        docs: vec![docs_root.clone()],
        // The labels are GitHub's anchors.
        anchors: Some("github".to_owned()),
        index_dir: Some(scratch.join("index")),
        ..Overrides::default()
    };
    let root = Root::open(&task.eval_dir.join("corpora").join(repo.replace('/', "+")))?;
    let start = Instant::now();
    let engine = Engine::open(root, &environment, &overrides)?;
    let mut state = engine.refresh(Mode::Update, &|_, _| {})?;
    tally.indexed(state.documents(), start.elapsed());
    let mut run = Vec::with_capacity(questions.len());
    for question in questions {
        let start = Instant::now();
        let response = engine.query(&mut state, &question.question, task.top)?;
        tally.asked(question.answerable, response.status, start.elapsed());
        run.push(answered(question, &response));
    }
    Ok(run)
}

fn answered(question: &Question, response: &Response) -> Answered {
    let found = |source: &Source| Found {
        path: below(&question.docs_root, &source.citation.path),
        anchor: source.citation.anchor.clone(),
        line: source.lines.0,
        score: source.score,
    };
    Answered {
        id: question.id.clone(),
        refused: response.status == Status::NotFound,
        status: STATUSES[place(response.status)],
        evidence: response.evidence,
        results: response.sources.iter().map(found).collect(),
    }
}

/// A path relative to the docs tree.
fn below(docs_root: &str, path: &str) -> String {
    let inside = path.strip_prefix(docs_root).and_then(|rest| rest.strip_prefix('/'));
    inside.unwrap_or(path).to_owned()
}

/// Prints the scorer's table.
fn score(task: &Task) -> Result<(), Box<dyn Error>> {
    let mut scorer = Command::new("python3");
    scorer.arg(task.eval_dir.join("score.py")).arg(task.questions()).arg(&task.run).arg("--per-repo");
    match scorer.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the scorer failed: {status}").into()),
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => {
            println!("there is no `python3` to run `{}`", task.eval_dir.join("score.py").display());
            Ok(())
        }
        Err(source) => Err(source.into()),
    }
}

const STATUSES: [&str; 3] = ["answered", "partial", "not_found"];

fn place(status: Status) -> usize {
    match status {
        Status::Answered => 0,
        Status::Partial => 1,
        Status::NotFound => 2,
    }
}

/// What is counted beside the scores.
#[derive(Default)]
struct Tally {
    corpora: usize,
    files: usize,
    indexing: Duration,
    asking: Duration,
    /// How often each status was given, by [`place`].
    answerable: [usize; 3],
    unanswerable: [usize; 3],
}

impl Tally {
    fn indexed(&mut self, files: usize, took: Duration) {
        self.corpora += 1;
        self.files += files;
        self.indexing += took;
    }

    fn asked(&mut self, is_answerable: bool, status: Status, took: Duration) {
        let counts = if is_answerable { &mut self.answerable } else { &mut self.unanswerable };
        counts[place(status)] += 1;
        self.asking += took;
    }

    fn table(&self) -> String {
        let row = |name: &str, cells: [String; 3]| {
            let [answered, partial, not_found] = cells;
            format!("{name:<14}{answered:>10}{partial:>10}{not_found:>10}\n")
        };
        let counts = |counts: [usize; 3]| counts.map(|count| count.to_string());
        let questions = self.answerable.iter().chain(&self.unanswerable).sum::<usize>();
        let asking = self.asking.as_secs_f64();
        row("", STATUSES.map(str::to_owned))
            + &row("answerable", counts(self.answerable))
            + &row("unanswerable", counts(self.unanswerable))
            + &format!("\n{questions} questions in {asking:.2} s: {:.0} a second\n", questions as f64 / asking)
            + &format!(
                "{} files of {} corpora indexed in {:.2} s\n",
                self.files,
                self.corpora,
                self.indexing.as_secs_f64()
            )
    }
}
