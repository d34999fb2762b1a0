//! Asks the questions of an evaluation set and scores the sections that come back.
//!
//! ```sh
//! cargo run --release --example evaluate -- [EVAL_DIR] [--top 10] [--run FILE] [--ablate NAME]... [--ablations [--write]]
//! ```
//!
//! `EVAL_DIR`, by default `../shared/eval/retrieval` beside the checkout, holds
//! - `questions.jsonl`: `id`, `repo`, `docs_root`, `question`, `answerable` and the labels, a question a line;
//! - `corpora/<owner>+<name>/`: the repository of `<owner>/<name>`, read only;
//! - `score.py`: the scorer, which is run if there is a `python3`.
//!
//! The run goes to `FILE`, by default `target/evaluation/run.jsonl`. `--ablate` switches something off that ranking
//! does, to see what it is worth: see [`ABLATIONS`]. `--ablations` does so for each of them in turn and prints a table:
//! what nDCG@10 and R@5 lose, in how many repositories nDCG@10 falls and rises, and in how many folds the feature would
//! be kept by who doesn't see the repository that is left out (leave one repository out). With `--write` the table also
//! goes into `BENCHMARKS.md`, in the place of the one there.
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
use inkwell_index::Weights;
use serde::{Deserialize, Serialize};

const USAGE: &str = "usage: evaluate [EVAL_DIR] [--top N] [--run FILE] [--ablate NAME]... [--ablations [--write]]";

/// What can be switched off, and how.
const ABLATIONS: [(&str, Switch); 12] = [
    ("word-forms", |variant| variant.language = Some("none")),
    ("thesaurus", |variant| (variant.weights.same, variant.weights.near) = (0.0, 0.0)),
    ("feedback", |variant| variant.weights.feedback = 0.0),
    ("links", |variant| variant.weights.links = 0.0),
    ("page", |variant| variant.weights.page = 0.0),
    ("heading-and-title-weights", |variant| (variant.weights.heading, variant.weights.title) = (1.0, 1.0)),
    ("heading-fit", |variant| variant.weights.heading_fit = 0.0),
    ("title-fit", |variant| variant.weights.title_fit = 0.0),
    ("topic", |variant| variant.weights.topic = 0.0),
    ("exact", |variant| variant.weights.exact = 1.0),
    ("conversation", |variant| variant.weights.conversation = 1.0),
    ("changelog", |variant| variant.weights.changelog = 1.0),
];

type Switch = fn(&mut Variant);

/// How the questions are asked.
#[derive(Clone, Copy, Default)]
struct Variant {
    language: Option<&'static str>,
    weights: Weights,
}

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
    variant: Variant,
    ablations: bool,
    write: bool,
}

impl Task {
    fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut task = Self {
            eval_dir: checkout.join("../shared/eval/retrieval"),
            top: 10,
            run: checkout.join("target/evaluation/run.jsonl"),
            variant: Variant::default(),
            ablations: false,
            write: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value\n{USAGE}"));
            match argument.as_str() {
                "--top" => task.top = count(&value()?)?,
                "--run" => task.run = value()?.into(),
                "--ablate" => ablation(&value()?)?(&mut task.variant),
                "--ablations" => task.ablations = true,
                "--write" => task.write = true,
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

fn ablation(name: &str) -> Result<Switch, String> {
    let found = ABLATIONS.into_iter().find(|(known, _)| *known == name).map(|(_, switch)| switch);
    let names = ABLATIONS.map(|(name, _)| format!("`{name}`"));
    found.ok_or_else(|| format!("`{name}` can't be switched off: expected {}", names.join(", ")))
}

/// A line of `questions.jsonl`.
#[derive(Deserialize)]
struct Question {
    id: String,
    repo: String,
    docs_root: String,
    question: String,
    answerable: bool,
    gold: Vec<Gold>,
}

/// A section that answers (grade 2) or helps (grade 1).
#[derive(Deserialize)]
struct Gold {
    path: String,
    anchor: String,
    #[serde(default)]
    alt_anchors: Vec<String>,
    grade: u32,
    line_start: usize,
    line_end: usize,
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
    if task.ablations {
        return ablations(task, &questions, scratch.path());
    }
    let mut tally = Tally::default();
    let mut run = String::new();
    for answered in ask_all(task, &task.variant, &questions, scratch.path(), &mut tally)? {
        run.push_str(&serde_json::to_string(&answered)?);
        run.push('\n');
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

/// Asks every question in its repository.
fn ask_all(
    task: &Task,
    variant: &Variant,
    questions: &[Question],
    scratch: &Path,
    tally: &mut Tally,
) -> Result<Vec<Answered>, Box<dyn Error>> {
    let language = variant.language.map(|name| format!("language = \"{name}\"\n"));
    fs::write(scratch.join("config.toml"), language.unwrap_or_default())?;
    let mut run = Vec::with_capacity(questions.len());
    for group in questions.chunk_by(|a, b| (&a.repo, &a.docs_root) == (&b.repo, &b.docs_root)) {
        run.extend(ask(task, variant, group, scratch, tally)?);
    }
    Ok(run)
}

/// What a run scores on one question.
struct Score {
    repo: String,
    ndcg: f64,
    in_five: f64,
}

/// Scores the answerable questions of a run as the scorer does.
fn scores(questions: &[Question], run: &[Answered]) -> Vec<Score> {
    let score = |(question, answered): (&Question, &Answered)| {
        let grades = grades(question, answered);
        let mut ideal: Vec<u32> = question.gold.iter().map(|gold| gold.grade).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        ideal.truncate(10);
        let in_five = f64::from(u8::from(grades.iter().take(5).any(|grade| *grade >= 2)));
        Score { repo: question.repo.clone(), ndcg: gain(&grades) / gain(&ideal), in_five }
    };
    questions.iter().zip(run).filter(|(question, _)| question.answerable).map(score).collect()
}

/// The grades of the first ten results, each section counted once.
fn grades(question: &Question, answered: &Answered) -> Vec<u32> {
    let mut seen = Vec::new();
    let mut grade = |found: &Found| {
        let same = |anchor: &str| anchor.eq_ignore_ascii_case(&found.anchor);
        let by_anchor = |gold: &Gold| {
            gold.path == found.path && (same(&gold.anchor) || gold.alt_anchors.iter().any(|alt| same(alt)))
        };
        let by_line = |gold: &Gold| gold.path == found.path && (gold.line_start..=gold.line_end).contains(&found.line);
        let place = question.gold.iter().position(by_anchor).or_else(|| question.gold.iter().position(by_line))?;
        let is_new = !seen.contains(&place);
        seen.push(place);
        is_new.then(|| question.gold[place].grade)
    };
    answered.results.iter().take(10).map(|found| grade(found).unwrap_or(0)).collect()
}

/// Discounted cumulative gain, `2^grade - 1` each.
fn gain(grades: &[u32]) -> f64 {
    let gain = |(place, grade): (usize, &u32)| (f64::from(*grade).exp2() - 1.0) / (place as f64 + 2.0).log2();
    grades.iter().enumerate().map(gain).sum()
}

/// Switches off one feature after the other and prints what each is worth.
fn ablations(task: &Task, questions: &[Question], scratch: &Path) -> Result<(), Box<dyn Error>> {
    let measure = |variant: &Variant| -> Result<Vec<Score>, Box<dyn Error>> {
        Ok(scores(questions, &ask_all(task, variant, questions, scratch, &mut Tally::default())?))
    };
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
        sum / f64::max(count, 1.0)
    };
    let whole = measure(&task.variant)?;
    let mut table = format!(
        "| without | nDCG@10 | R@5 | repositories worse | better | folds that keep it |\n|---|---|---|---|---|---|\n\
         | (nothing: the figures themselves) | {:.3} | {:.3} | | | |\n",
        mean(&mut whole.iter().map(|score| score.ndcg)),
        mean(&mut whole.iter().map(|score| score.in_five))
    );
    let mut repos: Vec<&str> = whole.iter().map(|score| score.repo.as_str()).collect();
    repos.dedup();
    for (name, switch) in ABLATIONS {
        let mut variant = task.variant;
        switch(&mut variant);
        let without = measure(&variant)?;
        let pairs = || whole.iter().zip(&without);
        let change = |keep: &dyn Fn(&str) -> bool| {
            mean(&mut pairs().filter(|(with, _)| keep(&with.repo)).map(|(with, without)| without.ndcg - with.ndcg))
        };
        let changes: Vec<f64> = repos.iter().map(|repo| change(&|other| other == *repo)).collect();
        table.push_str(&format!(
            "| {name} | {:+.3} | {:+.3} | {} | {} | {} of {} |\n",
            change(&|_| true),
            mean(&mut pairs().map(|(with, without)| without.in_five - with.in_five)),
            changes.iter().filter(|change| **change < -0.0005).count(),
            changes.iter().filter(|change| **change > 0.0005).count(),
            repos.iter().filter(|repo| change(&|other| other != **repo) < 0.0).count(),
            repos.len(),
        ));
    }
    print!("{table}");
    if task.write { write_table(&table) } else { Ok(()) }
}

/// Puts a table into `BENCHMARKS.md` in the place of the one with the same first line.
fn write_table(table: &str) -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("BENCHMARKS.md");
    let text = fs::read_to_string(&path)?;
    let head = table.lines().next().unwrap_or_default();
    let start = text.find(head).ok_or_else(|| format!("`{}` has no line `{head}`", path.display()))?;
    let end = text[start..].find("\n\n").map_or(text.len(), |end| start + end + 1);
    fs::write(&path, format!("{}{table}{}", &text[..start], &text[end..]))?;
    Ok(())
}

/// Asks some questions about one repository.
fn ask(
    task: &Task,
    variant: &Variant,
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
    let mut engine = Engine::open(root, &environment, &overrides)?;
    engine.weights = variant.weights;
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
