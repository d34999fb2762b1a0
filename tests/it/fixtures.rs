//! How well the sample project's questions are answered.
//!
//! Two gates: `expected/top.tsv` freezes what stands first for every question, and the floors say how many questions
//! must be answered well. A change of ranking moves lines of the first; whoever refreshes it reads in the diff whether
//! `right` became `wrong`. Floors only rise: better is welcome, worse is a fault.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use inkwell::excerpt::{Around, excerpt};
use serde_json::Value;

use crate::laws;
use crate::sandbox::{Sandbox, citations, files_below, repository, text};

/// Questions that the docs answer, and questions that they don't.
const ANSWERABLE: usize = 58;
const UNANSWERABLE: usize = 14;

/// Of the answerable questions, how many have a section that answers them among the first five. Measured, not aimed
/// at, like the floors below.
const FOUND_IN_FIVE: usize = 44;

/// Of the answerable questions, how many have such a section first.
const RIGHT_FIRST: usize = 29;

/// Of the answerable questions, how many aren't refused, which is the price of the next one.
const NOT_REFUSED: usize = 58;

/// Of the unanswerable questions, how many aren't said to be answered.
const FLAGGED: usize = 10;

/// A question of the set.
struct Question {
    id: String,
    question: String,
    is_answerable: bool,
    /// Sections that answer it.
    right: Vec<String>,
    /// Sections that have to do with it, those that answer it among them.
    gold: Vec<String>,
}

fn questions() -> Vec<Question> {
    let questions = fs::read_to_string(expected("questions.jsonl")).expect("questions");
    let questions: Vec<Question> = questions.lines().map(question).collect();
    let answerable = questions.iter().filter(|question| question.is_answerable).count();
    assert_eq!((answerable, questions.len()), (ANSWERABLE, ANSWERABLE + UNANSWERABLE));
    questions
}

fn question(line: &str) -> Question {
    let value: Value = serde_json::from_str(line).expect("JSON");
    let gold = value["gold"].as_array().map(Vec::as_slice).unwrap_or_default();
    let section = |gold: &Value| format!("{}#{}", text(&gold["path"]), text(&gold["anchor"]));
    Question {
        id: text(&value["id"]).to_owned(),
        question: text(&value["question"]).to_owned(),
        is_answerable: value["answerable"] == true,
        right: gold.iter().filter(|gold| gold["grade"] == 2).map(section).collect(),
        gold: gold.iter().map(section).collect(),
    }
}

fn expected(name: &str) -> PathBuf {
    repository().join("fixtures/expected").join(name)
}

/// What a question is answered with.
struct Answer {
    status: String,
    /// The cited sections, best first.
    cited: Vec<String>,
}

/// The answers to all questions, by id.
fn answers() -> &'static BTreeMap<String, Answer> {
    static ANSWERS: OnceLock<BTreeMap<String, Answer>> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let sandbox = Sandbox::at(&repository().join("fixtures"));
        let stdout = sandbox.ok(&["query", "--batch", "expected/questions.jsonl"]).stdout;
        stdout.lines().map(answer).collect()
    })
}

fn answer(line: &str) -> (String, Answer) {
    let value: Value = serde_json::from_str(line).expect("JSON");
    let answer = Answer { status: text(&value["status"]).to_owned(), cited: citations(&value) };
    (text(&value["id"]).to_owned(), answer)
}

impl Question {
    fn answer(&self) -> &'static Answer {
        &answers()[&self.id]
    }

    /// What stands first; `-` where nothing was found.
    fn top(&self) -> &'static str {
        self.answer().cited.first().map_or("-", String::as_str)
    }

    fn is_right_first(&self) -> bool {
        self.right.iter().any(|right| right == self.top())
    }

    /// Whether what stands first answers the question; `none` where no section does.
    fn verdict(&self) -> &'static str {
        match (self.is_answerable, self.is_right_first()) {
            (true, true) => "right",
            (true, false) => "wrong",
            (false, _) => "none",
        }
    }

    fn is_found(&self) -> bool {
        self.answer().cited.iter().any(|cited| self.right.contains(cited))
    }
}

/// Checks that at least `floor` questions of a kind pass, naming those that don't.
fn check_floor(floor: usize, is_asked: impl Fn(&Question) -> bool, passes: impl Fn(&Question) -> bool) {
    let questions = questions();
    let asked = questions.iter().filter(|question| is_asked(question));
    let (passed, failed): (Vec<&Question>, Vec<&Question>) = asked.partition(|question| passes(question));
    let failed: Vec<&str> = failed.iter().map(|question| question.id.as_str()).collect();
    assert!(passed.len() >= floor, "{} of at least {floor} pass; not {failed:?}", passed.len());
}

#[test]
fn most_questions_find_a_section_that_answers_them() {
    check_floor(FOUND_IN_FIVE, |question| question.is_answerable, Question::is_found);
}

#[test]
fn many_questions_have_a_section_that_answers_them_first() {
    check_floor(RIGHT_FIRST, |question| question.is_answerable, Question::is_right_first);
}

#[test]
fn questions_that_the_docs_answer_are_not_refused() {
    check_floor(NOT_REFUSED, |question| question.is_answerable, |question| question.answer().status != "not_found");
}

#[test]
fn questions_that_the_docs_do_not_answer_are_flagged() {
    check_floor(FLAGGED, |question| !question.is_answerable, |question| question.answer().status != "answered");
}

/// The drifts that the sample docs have on purpose, as path, anchor and code span or link.
fn planted() -> BTreeSet<[String; 3]> {
    let lines = fs::read_to_string(expected("drift.jsonl")).expect("drifts");
    lines.lines().map(|line| place(&serde_json::from_str(line).expect("JSON"))).collect()
}

fn place(finding: &Value) -> [String; 3] {
    ["path", "anchor", "span"].map(|key| text(&finding[key]).to_owned())
}

#[test]
fn fixtures_drift_where_they_say() {
    let sandbox = Sandbox::new();
    let project = repository().join("fixtures");
    for path in files_below(&project) {
        sandbox.write(path.to_str().expect("UTF-8"), fs::read(project.join(&path)).expect("a file"));
    }
    let run = sandbox.run(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("findings");
    assert_eq!(findings.iter().map(place).collect::<BTreeSet<_>>(), planted());
    assert_eq!((run.code, findings.len()), (Some(1), planted().len()));
}

#[test]
fn the_gold_sections_exist() {
    let project = laws::fixtures();
    let state = project.state();
    let targets: BTreeSet<String> = questions().into_iter().flat_map(|question| question.gold).collect();
    for target in targets {
        let section = excerpt(&project.engine, &state, &target, Around::default());
        let section = section.unwrap_or_else(|reason| panic!("{target}: {}", reason.message));
        assert_eq!(section.citation.label(), target);
    }
}

#[test]
fn what_stands_first_is_what_stood_first() {
    let found = snapshot();
    if std::env::var("SNAPSHOTS").is_ok_and(|mode| mode == "overwrite") {
        fs::write(expected("top.tsv"), found).expect("written");
        return;
    }
    let frozen = fs::read_to_string(expected("top.tsv")).unwrap_or_default();
    assert!(
        frozen == found,
        "fixtures/expected/top.tsv is not what inkwell answers:\n{}\
        SNAPSHOTS=overwrite cargo test --test it fixtures::, and read the diff",
        difference(&frozen, &found)
    );
}

/// What stands first for every question, a line each.
fn snapshot() -> String {
    let line = |question: &Question| {
        let cells = [&question.id, &question.answer().status, question.top(), question.verdict(), &question.question];
        cells.join("\t") + "\n"
    };
    let header = "id\tstatus\tfirst source\tverdict\tquestion\n".to_owned();
    header + &questions().iter().map(line).collect::<String>()
}

/// The lines that differ, by id: `-` as frozen, `+` as found; an id that only one side has stands alone.
fn difference(frozen: &str, found: &str) -> String {
    let (frozen, found) = (by_id(frozen), by_id(found));
    let ids: BTreeSet<&str> = frozen.keys().chain(found.keys()).copied().collect();
    let mut text = String::new();
    let mut count = 0;
    for id in ids.into_iter().filter(|id| frozen.get(id) != found.get(id)) {
        count += 1;
        for (sign, line) in [('-', frozen.get(id)), ('+', found.get(id))] {
            text.extend(line.map(|line| format!("{sign} {}\n", line.replace('\t', "  "))));
        }
    }
    match count {
        0 => "the same lines in another order\n".to_owned(),
        _ => format!("{count} of {} lines differ\n{text}", found.len()),
    }
}

fn by_id(snapshot: &str) -> BTreeMap<&str, &str> {
    snapshot.lines().map(|line| (line.split('\t').next().unwrap_or_default(), line)).collect()
}

#[test]
fn a_difference_shows_both_lines() {
    let (frozen, found) = ("q1\tanswered\ta\nq2\tpartial\tb\n", "q1\tanswered\ta\nq2\tpartial\tc\nq3\tnot_found\t-\n");
    let expected = "2 of 3 lines differ\n- q2  partial  b\n+ q2  partial  c\n+ q3  not_found  -\n";
    assert_eq!(difference(frozen, found), expected);
}
