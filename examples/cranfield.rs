//! Asks the questions of the Cranfield collection and scores the sections that come back: whether ranking is sane on
//! texts it was never tuned for.
//!
//! ```sh
//! cargo run --release --example cranfield -- CRANFIELD_DIR
//! ```
//!
//! `CRANFIELD_DIR` holds the collection in the classic SMART formats; it is neither part of the repository nor fetched:
//! - `cran.all.1400`: abstracts, each with `.I` number, `.T` title, `.A` authors, `.B` place and `.W` text;
//! - `cran.qry`: questions, which count from 1 in the order of the file: their `.I` numbers are others;
//! - `cranqrel`: judgements, `question abstract grade` a line.
//!
//! Every abstract becomes a Markdown file with one section, and every question is asked as `query` asks it. nDCG@10
//! discounts by log2(rank + 1) and is ideal where all that is judged relevant stands in the order of its gains. It is
//! printed for two gains: *binary*, 1 for the grades 1 to 4, and *graded*, 5 - grade for them, since by the
//! collection's readme 1 is a complete answer and 4 of minimum interest. (Scores that take the grade itself for the
//! gain turn the scale upside down.)
//!
//! The readme doesn't explain the grade -1, which every question has once. By its looks it marks the paper that the
//! question comes from: BM25 puts it first for 94 of the 225. *As judged* gives it no gain, which is usual; *without
//! -1* takes it out of what was found.
//!
//! For scale: BM25 (k1 1.2, b 0.75) over the words of title and text, without stems, makes .358 binary and .342 graded
//! as judged, .409 and .390 without -1.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use inkwell::config::{Environment, Overrides};
use inkwell::engine::Engine;
use inkwell::sync::Mode;
use inkwell::walk::Root;

const USAGE: &str = "usage: cranfield CRANFIELD_DIR";

/// Sections that are scored.
const TOP: usize = 10;

/// The grade that the collection's readme doesn't explain.
const UNEXPLAINED: i8 = -1;

fn main() -> ExitCode {
    match folder(std::env::args().skip(1)).and_then(|folder| evaluate(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn folder(mut arguments: impl Iterator<Item = String>) -> Result<PathBuf, Box<dyn Error>> {
    match (arguments.next(), arguments.next()) {
        (Some(folder), None) if !folder.starts_with('-') => Ok(folder.into()),
        _ => Err(format!("expected the folder of the collection and nothing else\n{USAGE}").into()),
    }
}

fn evaluate(folder: &Path) -> Result<(), Box<dyn Error>> {
    let abstracts = records(&read(folder, "cran.all.1400")?)?;
    let questions = records(&read(folder, "cran.qry")?)?;
    let judgements = judgements(&read(folder, "cranqrel")?)?;
    let scratch = tempfile::tempdir()?;
    write_docs(&abstracts, &scratch.path().join("docs"))?;
    let run = ask(&questions, scratch.path())?;
    print!("{}", table(&run, &judgements)?);
    let asking = run.asking.as_secs_f64();
    println!("\n{} questions in {asking:.2} s: {:.0} a second", run.found.len(), run.found.len() as f64 / asking);
    println!("{} files indexed in {:.2} s", run.files, run.indexing.as_secs_f64());
    Ok(())
}

// The collection

/// A record of a SMART file.
struct Record {
    number: u32,
    /// The lines of each field, by the letter that names it.
    fields: BTreeMap<char, Vec<String>>,
}

impl Record {
    /// A field's lines, joined by `separator`; empty where the record has no such field.
    fn text(&self, field: char, separator: &str) -> String {
        self.fields.get(&field).map(|lines| lines.join(separator)).unwrap_or_default()
    }
}

fn read(folder: &Path, name: &str) -> Result<String, Box<dyn Error>> {
    let path = folder.join(name);
    fs::read_to_string(&path).map_err(|source| {
        format!("failed to read `{}`: {source}\nhint: name the folder of the collection\n{USAGE}", path.display())
            .into()
    })
}

/// Reads the records of a SMART file, in its order.
fn records(text: &str) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records: Vec<Record> = Vec::new();
    let mut field = None;
    for (index, line) in text.lines().map(str::trim).enumerate() {
        let other_than = |expected: &str| format!("line {} is `{line}`: expected {expected}", index + 1);
        match (line.strip_prefix(".I "), letter(line), records.last_mut(), field) {
            (Some(number), ..) => {
                let number = number.parse().map_err(|_| other_than("a number behind `.I`"))?;
                records.push(Record { number, fields: BTreeMap::new() });
                field = None;
            }
            (None, Some(letter), ..) => field = Some(letter),
            (None, None, Some(record), Some(field)) => record.fields.entry(field).or_default().push(line.to_owned()),
            (None, None, ..) => return Err(other_than("`.I` or a field first").into()),
        }
    }
    Ok(records)
}

/// The field that begins with a line.
fn letter(line: &str) -> Option<char> {
    let mut letters = line.strip_prefix('.')?.chars();
    let letter = letters.next().filter(|letter| "TABW".contains(*letter));
    letter.filter(|_| letters.next().is_none())
}

/// The grade of every judged abstract, by question.
type Judgements = BTreeMap<u32, BTreeMap<u32, i8>>;

fn judgements(text: &str) -> Result<Judgements, Box<dyn Error>> {
    let mut judgements = Judgements::new();
    for line in text.lines() {
        let (question, of, grade) =
            judgement(line).ok_or_else(|| format!("`{line}` is no judgement: expected `question abstract grade`"))?;
        judgements.entry(question).or_default().insert(of, grade);
    }
    Ok(judgements)
}

fn judgement(line: &str) -> Option<(u32, u32, i8)> {
    let mut columns = line.split_whitespace();
    Some((columns.next()?.parse().ok()?, columns.next()?.parse().ok()?, columns.next()?.parse().ok()?))
}

// The run

/// What came back.
struct Run {
    /// The numbers of the abstracts found for each question, best first.
    found: Vec<Vec<u32>>,
    files: usize,
    indexing: Duration,
    asking: Duration,
}

/// Writes every abstract that has a text as a Markdown file with one section.
fn write_docs(abstracts: &[Record], folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir(folder)?;
    for record in abstracts {
        let (title, text) = (record.text('T', " "), record.text('W', "\n"));
        if !title.is_empty() {
            fs::write(folder.join(format!("{}.md", record.number)), format!("# {title}\n\n{text}\n"))?;
        }
    }
    Ok(())
}

fn ask(questions: &[Record], scratch: &Path) -> Result<Run, Box<dyn Error>> {
    let overrides =
        Overrides { docs: vec!["docs".to_owned()], index_dir: Some(scratch.join("index")), ..Overrides::default() };
    let root = Root::open(scratch)?;
    let start = Instant::now();
    let engine = Engine::open(root, &Environment::default(), &overrides)?;
    let mut state = engine.refresh(Mode::Update, &|_, _| {})?;
    let indexing = start.elapsed();
    let start = Instant::now();
    let mut found = Vec::with_capacity(questions.len());
    for question in questions {
        // One more than is scored, to have enough when the one with the unexplained grade is taken out.
        let response = engine.query(&mut state, &question.text('W', " "), TOP + 1)?;
        found.push(response.sources.iter().map(|source| number(&source.citation.path)).collect::<Result<_, _>>()?);
    }
    Ok(Run { found, files: state.documents(), indexing, asking: start.elapsed() })
}

/// The number of an abstract by the path of its file.
fn number(path: &str) -> Result<u32, Box<dyn Error>> {
    let name = path.strip_prefix("docs/").and_then(|name| name.strip_suffix(".md"));
    Ok(name.ok_or_else(|| format!("`{path}` is none of the files that were written"))?.parse()?)
}

// The score

/// The gain of a grade.
type Gain = fn(i8) -> f64;

const GAINS: [(&str, Gain); 2] = [("binary", binary), ("graded", graded)];

fn binary(grade: i8) -> f64 {
    f64::from(u8::from(is_relevant(grade)))
}

fn graded(grade: i8) -> f64 {
    if is_relevant(grade) { f64::from(5 - grade) } else { 0.0 }
}

fn is_relevant(grade: i8) -> bool {
    (1..=4).contains(&grade)
}

/// The mean nDCG of the run: a row for each way to see the unexplained grade, a column for each gain.
fn table(run: &Run, judgements: &Judgements) -> Result<String, Box<dyn Error>> {
    let mut table = format!("{:<14}", format!("nDCG@{TOP}"));
    table.extend(GAINS.map(|(name, _)| format!("{name:>10}")));
    for (name, is_counted) in VIEWS {
        table.push_str(&format!("\n{name:<14}"));
        for (_, gain) in GAINS {
            table.push_str(&format!("{:>10.4}", mean(run, judgements, is_counted, gain)?));
        }
    }
    table.push('\n');
    Ok(table)
}

/// Which grades stay among what was found.
type Keep = fn(i8) -> bool;

const VIEWS: [(&str, Keep); 2] = [("as judged", is_any), ("without -1", is_explained)];

fn is_any(_: i8) -> bool {
    true
}

fn is_explained(grade: i8) -> bool {
    grade != UNEXPLAINED
}

/// The mean over all questions, of what was found with a grade that `is_counted`.
fn mean(run: &Run, judgements: &Judgements, is_counted: fn(i8) -> bool, gain: Gain) -> Result<f64, Box<dyn Error>> {
    let mut sum = 0.0;
    for (question, found) in (1..).zip(&run.found) {
        let grades = judgements.get(&question).ok_or_else(|| format!("question {question} has no judgements"))?;
        // What nobody judged is irrelevant, which no grade says.
        let grades_found = found.iter().map(|number| grades.get(number).copied().unwrap_or(0));
        let gains: Vec<f64> = grades_found.filter(|grade| is_counted(*grade)).map(gain).collect();
        let mut ideal: Vec<f64> = grades.values().copied().map(gain).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        sum += discounted(&gains) / discounted(&ideal);
    }
    Ok(sum / run.found.len() as f64)
}

/// The discounted gain of the first [`TOP`].
fn discounted(gains: &[f64]) -> f64 {
    gains.iter().take(TOP).zip(2_u32..).map(|(gain, place)| gain / f64::from(place).log2()).sum()
}
