//! What holds for every question, every page and every link.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use inkwell::cite::decode;
use inkwell::config::{Environment, Overrides};
use inkwell::engine::{Engine, State};
use inkwell::excerpt::{Around, excerpt};
use inkwell::page::Page;
use inkwell::parse::anchor::{SiteStyle, assign};
use inkwell::render::json::Detail;
use inkwell::render::{json, markdown, text};
use inkwell::sync::Mode;
use inkwell::walk::{RepoPath, Root, docs};
use jsonschema::Validator;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

use crate::sandbox::{SENTINEL, Sandbox, corpora, files_below, repository};

/// A project opened through the library, with an index of its own.
pub struct Project {
    /// The project.
    pub engine: Engine,
    _index: tempfile::TempDir,
}

impl Project {
    fn open(root: &Path, trees: &[&str]) -> Self {
        let index = tempfile::tempdir().expect("a temporary folder");
        let overrides = Overrides {
            docs: trees.iter().map(|tree| (*tree).to_owned()).collect(),
            index_dir: Some(index.path().to_owned()),
            ..Overrides::default()
        };
        let root = Root::open(root).expect("a root");
        Self { engine: Engine::open(root, &Environment::default(), &overrides).expect("a project"), _index: index }
    }

    /// The docs as they are now.
    pub fn state(&self) -> State {
        self.engine.refresh(Mode::Update, &|_, _| {}).expect("an index")
    }
}

/// The sample project.
pub fn fixtures() -> Project {
    Project::open(&repository().join("fixtures"), &["docs"])
}

/// How often a law is tried; failures leave no files behind.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// Questions

/// Anything that people, machines and attackers type, mixed with words of the fixtures.
fn question() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,12}",
        "[a-z]{1,10}",
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "backup",
            "restore",
            "flag",
            "port",
            "token",
            "LANTERN_DB",
            "--json",
            "lantern",
            "审计",
            "バックアップ",
            "config.yaml",
            "C++",
            "AND",
            "OR",
            "NOT",
            "title:",
            "tag:",
            "in:docs",
            "\"",
            "*",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "^2",
            "~1",
            "\\",
            "/",
            "-",
            "+",
            "!",
            "?",
            ":",
            "how do I",
            "what is",
            "::",
            "->",
            "…",
            "\u{0}",
            "\u{1b}[31m",
            "\u{feff}",
            "\u{202e}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec((piece, prop::sample::select(vec!["", " ", "  ", "\n", "\t"])), 0..10)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, gap)| [piece, gap.to_owned()]).collect())
}

/// Checks the form of a response: the sentinel, or the three blocks.
fn check_response(response: &str, context: &str) {
    if response == SENTINEL {
        return;
    }
    let is_harmful = |c: char| c.is_control() && c != '\n';
    assert!(!response.contains(is_harmful), "{context}: {response}");
    let lines: Vec<&str> = response.strip_suffix('\n').expect("a last line end").split('\n').collect();
    assert!(lines[0].starts_with("**Answer.** ") && lines[0].len() > "**Answer.** ".len(), "{context}: {response}");
    assert_eq!(lines[1..3], ["", "**Sources:**"], "{context}: {response}");
    let bullets = |from: usize| lines[from..].iter().take_while(|line| line.starts_with("- ")).count();
    let sources = bullets(3);
    let next = 3 + sources;
    assert!((1..=5).contains(&sources), "{context}: {response}");
    assert_eq!(lines[next..next + 2], ["", "**Corroboration:**"], "{context}: {response}");
    let verdicts = bullets(next + 2);
    assert!(verdicts >= sources && next + 2 + verdicts == lines.len(), "{context}: {response}");
    for line in &lines[3..next] {
        let snippet = line.rsplit_once(") — ").expect("a dash").1;
        assert!(!snippet.is_empty() && snippet.chars().count() <= 121, "{context}: {line}");
    }
}

/// Checks the form of search lines: `path:line␠␠[tags]␠␠snippet`.
fn check_lines(lines: &str, context: &str) {
    for line in lines.lines() {
        let (place, rest) = line.split_once("  [").expect("two spaces");
        let (path, number) = place.rsplit_once(':').expect("a colon");
        assert!(path.starts_with("docs/") && number.parse::<usize>().is_ok_and(|line| line > 0), "{context}: {line}");
        assert!(rest.contains("]  "), "{context}: {line}");
    }
}

#[test]
fn any_question_has_a_response() {
    let project = fixtures();
    let state = std::cell::RefCell::new(project.state());
    let schema = schema("query");
    proptest!(config(300), |(question in question())| {
        let mut state = state.borrow_mut();
        let response = project.engine.query(&mut state, &question, 5).expect("an index");
        check_response(&markdown::response(&response), &question);
        let chunks = markdown::chunks(&response);
        prop_assert!(chunks == SENTINEL || chunks.starts_with("## Retrieved chunks\n\n### docs/"), "{}", chunks);
        check_valid(&schema, &json::response(&response, Detail::Explained));
        check_valid(&schema, &json::response_line(&response, Some("id"), Detail::Plain));
    });
}

#[test]
fn any_search_has_lines() {
    let project = fixtures();
    let state = std::cell::RefCell::new(project.state());
    proptest!(config(300), |(question in question())| {
        let lines = project.engine.search(&mut state.borrow_mut(), &question, 25).expect("an index");
        prop_assert!(lines.len() <= 25);
        check_lines(&text::lines(&lines), &question);
    });
}

#[test]
fn any_argument_is_a_question() {
    let sandbox = Sandbox::at(&repository().join("fixtures"));
    proptest!(config(16), |(question in question().prop_map(|text| text.replace('\0', "")))| {
        let run = sandbox.run(&["query", "--", &question]);
        // A word that no text holds is said to be read as a near one.
        let is_note = |line: &str| line.starts_with("note: no text holds `");
        prop_assert!(run.code == Some(0) && run.stderr.lines().all(is_note), "{:?}", run.stderr);
        check_response(&run.stdout, &question);
    });
}

// Pages

/// Markdown that makes trouble: headings of every kind, ids, fences, front matter, broken pieces of all.
fn page_text() -> impl Strategy<Value = String> {
    let heading = prop::sample::select(vec![
        "# A",
        "## A",
        "## a",
        "## A-1",
        "### A 1",
        "# ",
        "## ???",
        "## 🛠️ Setup",
        "## Setup",
        "## A {#a}",
        "## B {#a-1}",
        "## C {#x y}",
        "<h2 id=\"a\">A</h2>",
        "## D <a id=\"a\"></a>",
        "## <a name=\"b\"></a>",
        "A\n===",
        "B\n---",
        "> ## A",
        "- ## A",
        "## `A`",
        "## [A](x)",
        "## A #",
        "## a b",
        "## a  b",
        "## Ä",
        "## a_1",
        "## a-",
        "## -a",
        "##### deep",
    ]);
    let block = prop::sample::select(vec![
        "text",
        "```\n# no\n```",
        "~~~",
        "```",
        "<!--",
        "-->",
        "---",
        "---\ntitle: x\n---",
        "| a | b |\n|---|---|\n| c | d |",
        "- item\n  - sub",
        "    code",
        "<div>",
        "</div>",
        "[l](#a)",
        "<a id=\"a\"></a>",
        "\u{feff}",
        "\r\n",
        "::: tip",
        "$$",
        "<script>",
        "{% x %}",
        "import X from 'x'",
        "<X>",
        "{/* # no */}",
        "\\# no",
        "[^1]: note",
    ]);
    let line = prop_oneof![heading, block].prop_map(str::to_owned);
    let noise = prop_oneof![4 => line, 1 => "\\PC{0,20}"];
    prop::collection::vec(noise, 0..14).prop_map(|blocks| blocks.join("\n\n"))
}

/// Checks that sections tile the file and that every printed anchor leads back to its section, in every style.
fn check_page(mut page: Page) {
    let mut at = 0;
    for section in &page.sections {
        assert_eq!(section.own.start, at, "sections tile {}", page.path);
        assert!(section.whole.start == at && section.whole.end >= section.own.end, "{}", page.path);
        at = section.own.end;
    }
    assert_eq!(at, page.text.len(), "sections tile {}", page.path);
    for style in SiteStyle::ALL {
        page.anchors = assign(style, &page.document.headings);
        for index in 0..page.sections.len() {
            check_anchor(&page, index, style);
        }
    }
}

fn check_anchor(page: &Page, index: usize, style: SiteStyle) {
    let Some(anchor) = page.anchor(index) else { return };
    let section = &page.sections[index];
    let heading = section.heading.expect("what has an anchor has a heading");
    // A heading without a fragment of its own is reached by the nearest one above.
    let is_own = !page.anchors[heading].printed.is_empty();
    let found = page.find(anchor).unwrap_or_else(|| panic!("{}#{anchor} leads nowhere, {}", page.path, style.name()));
    if is_own {
        assert_eq!(found, index, "{}#{anchor}, {}", page.path, style.name());
    } else {
        let above = page.sections[found].heading.expect("a heading");
        assert!(section.trail.contains(&above), "{}#{anchor}, {}", page.path, style.name());
    }
}

#[test]
fn any_text_is_a_page_whose_anchors_lead_back() {
    for name in ["docs/a.md", "docs/a.mdx"] {
        proptest!(config(400), |(text in page_text())| {
            let path = RepoPath::new(name).expect("a path");
            check_page(Page::parse(path, text, SiteStyle::Github));
        });
    }
}

/// Parses every docs file of a tree.
fn pages(root: &Path, tree: &str) -> Vec<Page> {
    let root = Root::open(root).expect("a root");
    let listing = docs(&root, &[RepoPath::new(tree).expect("a path")]).expect("a tree");
    let read = |path: &RepoPath| root.read(path).map(|(text, _)| Page::parse(path.clone(), text, SiteStyle::Github));
    listing.files.iter().filter_map(|file| read(&file.path).ok()).collect()
}

#[test]
fn every_anchor_of_the_fixtures_leads_back() {
    let pages = pages(&repository().join("fixtures"), ".");
    assert!(pages.len() >= 30, "{} pages", pages.len());
    pages.into_iter().for_each(check_page);
}

#[test]
fn every_anchor_of_the_corpora_leads_back() {
    for corpus in corpora() {
        pages(&corpus, ".").into_iter().for_each(check_page);
    }
}

// Links

/// The targets of the links in the Sources block.
fn targets(response: &str) -> Vec<String> {
    let block = response.split_once("**Sources:**\n").map_or("", |(_, rest)| rest);
    let block = block.split_once("\n\n").map_or(block, |(block, _)| block);
    // A snippet may hold links of its own; a bullet's first link is the source.
    block.lines().map(|line| first_target(line).expect("a bullet has a link")).collect()
}

fn first_target(markdown: &str) -> Option<String> {
    Parser::new_ext(markdown, Options::empty()).find_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    })
}

/// Checks that everything printed for a question can be read: the link's target and its label.
fn check_links(project: &Project, state: &mut State, question: &str) {
    let response = project.engine.query(state, question, 5).expect("an index");
    let printed = if response.sources.is_empty() { Vec::new() } else { targets(&markdown::response(&response)) };
    assert_eq!(printed.len(), response.sources.len(), "{question}");
    for (target, source) in printed.iter().zip(&response.sources) {
        assert_eq!(decode(target), source.citation.label(), "{question}");
        for link in [target, &source.citation.label()] {
            let found = excerpt(&project.engine, state, link, Around { children: true, ..Around::default() });
            let found = found.unwrap_or_else(|reason| panic!("{question}: {link}: {}", reason.message));
            assert_eq!(found.citation, source.citation, "{question}");
            assert!(source.heading == found.heading || source.text.is_empty(), "{question}: {link}");
        }
    }
}

#[test]
fn every_printed_link_of_the_fixtures_can_be_read() {
    let project = fixtures();
    let mut state = project.state();
    for question in questions(&repository().join("fixtures/expected/questions.jsonl")) {
        check_links(&project, &mut state, &question);
    }
}

#[test]
fn every_printed_link_of_the_corpora_can_be_read() {
    let all = questions_of_corpora();
    // The smallest trees and a part of their questions; the others differ in size only.
    for corpus in corpora().iter().filter(|corpus| files_below(corpus).len() < 60) {
        let name = corpus.file_name().and_then(|name| name.to_str()).expect("UTF-8").replacen('+', "/", 1);
        let project = Project::open(corpus, &["."]);
        let mut state = project.state();
        for question in all.get(&name).into_iter().flatten().step_by(4) {
            check_links(&project, &mut state, question);
        }
    }
}

#[test]
fn citations_of_every_output_can_be_read_by_the_program() {
    let sandbox = Sandbox::at(&repository().join("fixtures"));
    for question in ["restore a backup", "バックアップ 復元", "rotate signing keys", "single sign-on"] {
        let chunks = sandbox.ok(&["query", question, "--format", "chunks"]).stdout;
        let cited: Vec<&str> = chunks.lines().filter_map(|line| line.strip_prefix("### docs/")).collect();
        assert!(!cited.is_empty(), "{question}");
        // Chunks hold headings too; a citation has a fragment and an extension.
        for citation in cited.iter().filter(|citation| citation.contains(".md")) {
            sandbox.ok(&["read", &format!("docs/{citation}")]);
        }
        for line in sandbox.search(question).iter().take(3) {
            let place = line.split("  [").next().expect("a place");
            sandbox.ok(&["read", place.rsplit_once(':').expect("a line").0]);
        }
    }
}

/// The questions of a JSON lines file.
fn questions(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("questions");
    let question =
        |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["question"].as_str().map(str::to_owned);
    text.lines().filter_map(question).collect()
}

/// The questions of the evaluation set, by repository.
fn questions_of_corpora() -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let file = repository().join("../shared/eval/retrieval/questions.jsonl");
    for line in fs::read_to_string(file).unwrap_or_default().lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| value[key].as_str().expect("text").to_owned();
        found.entry(text("repo")).or_default().push(text("question"));
    }
    found
}

// JSON

/// The published schema of an output.
pub fn schema(name: &str) -> Validator {
    let file = repository().join(format!("schemas/{name}.v1.schema.json"));
    let text = fs::read_to_string(&file).expect("a schema");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a JSON Schema")
}

pub fn check_valid(schema: &Validator, output: &str) {
    let value: Value = serde_json::from_str(output).expect("JSON");
    if let Some(error) = schema.iter_errors(&value).next() {
        panic!("{error} at {} in {output}", error.instance_path());
    }
}

#[test]
fn json_outputs_follow_their_schemas() {
    let sandbox = Sandbox::at(&repository().join("fixtures"));
    let check = |name: &str, args: &[&str]| check_valid(&schema(name), &sandbox.ok(args).stdout);
    check("query", &["query", "--json", "how do I restore a backup?"]);
    check("query", &["query", "--json", "--explain", "how do I restore a backup?"]);
    check("query", &["query", "--json", "zeppelin"]);
    check("query", &["query", "--json", ""]);
    check("read", &["read", "--json", "docs/index.md"]);
    check("read", &["read", "--json", "docs/guides/backup-and-restore.md#restore-a-snapshot", "--context", "parents"]);
    check("read", &["read", "--json", "docs/index.md", "--max-lines", "1"]);
    check("status", &["status", "--json"]);
    check("status", &["status", "--json", "--docs", ".", "--docs", "missing"]);
    let broken = Sandbox::new().file("docs/a.md", b"\xff").link("docs/b.md", "nowhere");
    check_valid(&schema("status"), &broken.ok(&["status", "--json"]).stdout);
    for line in sandbox
        .run_with_input(&["query", "--batch", "-"], "backup\n{\"id\": 7, \"question\": \"x\"}\n")
        .ok()
        .stdout
        .lines()
    {
        check_valid(&schema("query"), line);
    }
}

#[test]
fn schemas_of_what_is_printed_are_closed_and_all_say_what_everything_is() {
    for path in files_below(&repository().join("schemas")) {
        let text = fs::read_to_string(repository().join("schemas").join(&path)).expect("a schema");
        check_schema(&serde_json::from_str(&text).expect("JSON"), &path.display().to_string());
    }
}

/// Checks that objects are closed, unless they are read and not printed, and that everything has a description.
fn check_schema(schema: &Value, place: &str) {
    let is_input = place.contains("-input.");
    assert!(schema["description"].as_str().is_some_and(|text| text.ends_with('.')), "{place} has no description");
    if schema["type"] == "object" && !is_input {
        assert_eq!(schema["additionalProperties"], Value::Bool(false), "{place} is open");
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        check_schema(property, &format!("{place} {name}"));
    }
    if schema["items"].is_object() {
        check_schema(&schema["items"], &format!("{place} items"));
    }
}

// Updates

/// A change to a small tree: what is written where, or nothing for a deletion.
fn edits() -> impl Strategy<Value = Vec<(usize, Option<usize>)>> {
    prop::collection::vec((0..5_usize, prop::option::weighted(0.75, 0..CONTENTS.len())), 1..12)
}

const CONTENTS: [&str; 6] = [
    "# Turbine\n\nThe turbine spins.\n",
    "# Rotor\n\nThe rotor of the turbine has blades.\n\n## Blades\n\nThree blades, long blades.\n",
    "no heading, just a turbine\n",
    "# Turbine\n\nThe turbine spins. The turbine hums.\n",
    "---\ntitle: Blades\ntags: [rotor]\n---\n\n# Gear\n\nSee the turbine.\n",
    "",
];

#[test]
fn an_updated_index_answers_like_a_new_one() {
    proptest!(config(10), |(edits in edits())| {
        let tree = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(tree.path().join("docs")).expect("a folder");
        let updated = Project::open(tree.path(), &["docs"]);
        for (file, content) in &edits {
            let path = tree.path().join(format!("docs/{file}.md"));
            match content {
                Some(content) => fs::write(&path, CONTENTS[*content]).expect("written"),
                None => drop(fs::remove_file(&path)),
            }
            updated.state();
        }
        let new = Project::open(tree.path(), &["docs"]);
        for question in ["turbine", "rotor blades", "how does the gear hum?"] {
            let answers = [&updated, &new].map(|project| {
                let mut state = project.state();
                let response = project.engine.query(&mut state, question, 5).expect("an index");
                let lines = project.engine.search(&mut state, question, 25).expect("an index");
                (json::response(&response, Detail::Explained), text::lines(&lines))
            });
            prop_assert_eq!(&answers[0], &answers[1], "{}", question);
        }
    });
}
