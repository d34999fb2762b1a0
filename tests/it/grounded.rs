//! `query --format receipt|citations|spans|passages`: what each prints, byte for byte where it is short, and what holds
//! for all of it (contracts D, E).

use std::fs;

use inkwell::config::{Environment, Overrides};
use inkwell::engine::Engine;
use inkwell::grounded::ground::Grounds;
use inkwell::grounded::{citations, receipt};
use inkwell::sync::Mode;
use inkwell::walk::Root;
use serde_json::{Value, json};

use crate::laws::{check_valid, schema};
use crate::sandbox::{Sandbox, text};

/// What the docs `files` hold for a question.
pub fn grounds(files: &[(&str, &str)], question: &str) -> Grounds {
    let temp = tempfile::tempdir().expect("a temporary folder");
    for (path, content) in files {
        let path = temp.path().join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("folders");
        fs::write(path, content).expect("a file");
    }
    fs::create_dir_all(temp.path().join("docs")).expect("a docs tree");
    let root = Root::open(temp.path()).expect("a root");
    let overrides = Overrides { index_dir: Some(temp.path().join("index")), ..Overrides::default() };
    let engine = Engine::open(root, &Environment::default(), &overrides).expect("an engine");
    let mut state = engine.refresh(Mode::Update, &|_, _| {}).expect("an index");
    engine.ground(&mut state, question, 5).expect("grounds")
}

/// The receipt's JSON in a response.
fn receipt_of(response: &str) -> Value {
    let (_, rest) = response.split_once("```json\n").expect("a fenced block");
    let (json, after) = rest.rsplit_once("```").expect("a closed block");
    assert_eq!(after, "\n");
    serde_json::from_str(json).expect("JSON")
}

/// The body of a block of a response.
fn block<'a>(response: &'a str, heading: &str) -> &'a str {
    let (_, rest) = response.split_once(&format!("{heading}\n\n")).expect("the block");
    rest.split("\n\n## ").next().expect("a body").trim_end()
}

const CACHE: &str = "# Cache\n\nEntries live for ten minutes. The `Store` drops them later.\n";

const CACHE_RECEIPT: &str = r##"## Answer

Entries live for ten minutes [S1].

## Sources

- [S1] Cache — [docs/cache.md#cache](docs/cache.md#cache), line 3: "Entries live for ten minutes."

## Grounding receipt

```json
{
  "mode": "cite_or_refuse",
  "status": "answered_with_citations",
  "retrieval_query": "how long do cache entries live?",
  "retrieved_span_count": 2,
  "cited_spans": [
    {
      "id": "S1",
      "source_id": "docs/cache.md",
      "title": "Cache",
      "uri": "docs/cache.md#cache",
      "offset": {
        "kind": "bytes",
        "start": 9,
        "end": 38
      }
    }
  ],
  "answer_claims": [
    {
      "claim": "Entries live for ten minutes.",
      "supported_by": [
        "S1"
      ]
    }
  ],
  "refusal_reason": null
}
```
"##;

const CACHE_CITATIONS: &str = r#"{
  "schema_version": 1,
  "answer": "Entries live for ten minutes [5f69ee994d7a].",
  "citations": [
    {
      "chunk_id": "5f69ee994d7a",
      "source": "docs/cache.md#cache",
      "snippet": "Entries live for ten minutes."
    }
  ],
  "status": "answered",
  "gaps": []
}
"#;

#[test]
fn a_receipt_is_answer_sources_and_record() {
    let run = Sandbox::new().file("docs/cache.md", CACHE).ok(&[
        "query",
        "--format",
        "receipt",
        "how long do cache entries live?",
    ]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (CACHE_RECEIPT, ""));
}

#[test]
fn an_answer_with_citations_is_json() {
    let run = Sandbox::new().file("docs/cache.md", CACHE).ok(&[
        "query",
        "--format",
        "citations",
        "how long do cache entries live?",
    ]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (CACHE_CITATIONS, ""));
}

#[test]
fn what_was_retrieved_is_every_narrow_span() {
    let spans = receipt::retrieved(&grounds(&[("docs/cache.md", CACHE)], "how long do cache entries live?"));
    let expected = json!({
        "state": "ok",
        "spans": [
            {
                "id": "S1", "source_id": "docs/cache.md", "title": "Cache", "uri": "docs/cache.md#cache",
                "offset": {"kind": "bytes", "start": 9, "end": 38}, "line_start": 3, "line_end": 3, "text": "Entries live for ten minutes."
            },
            {
                "id": "S2", "source_id": "docs/cache.md", "title": "Cache", "uri": "docs/cache.md#cache",
                "offset": {"kind": "bytes", "start": 39, "end": 69}, "line_start": 3, "line_end": 3, "text": "The `Store` drops them later."
            }
        ]
    });
    let mut expected = expected;
    expected["spans"][1]["offset"]["end"] = json!(CACHE.trim_end().len());
    assert_eq!(serde_json::from_str::<Value>(&spans).expect("JSON"), expected);
}

#[test]
fn passages_are_what_a_model_drafts_from() {
    let passages = citations::retrieved(&grounds(&[("docs/cache.md", CACHE)], "how long do cache entries live?"));
    let expected = json!([{
        "id": "5f69ee994d7a", "chunk_id": "5f69ee994d7a", "source": "docs/cache.md#cache", "title": "Cache",
        "text": "Entries live for ten minutes. The `Store` drops them later."
    }]);
    assert_eq!(serde_json::from_str::<Value>(&passages).expect("JSON"), expected);
}

/// The answers of both formats, the chunk's id written as `id` and those of further chunks as `id2`, …
fn check(files: &[(&str, &str)], question: &str, receipt: &str, citations: &str) {
    let grounds = grounds(files, question);
    let found = receipt::response(&grounds);
    assert_eq!(block(&found, "## Answer"), receipt, "{question}");
    let found: Value = serde_json::from_str(&citations::response(&grounds)).expect("JSON");
    let mut answer = text(&found["answer"]).to_owned();
    for (index, citation) in found["citations"].as_array().expect("citations").iter().enumerate() {
        let name = if index == 0 { "id".to_owned() } else { format!("id{}", index + 1) };
        answer = answer.replace(text(&citation["chunk_id"]), &name);
    }
    assert_eq!(answer, citations, "{question}");
}

#[test]
fn items_are_cited_with_their_lead_in() {
    let docs = "# Ports\n\nOpen these ports:\n\n- 8080 for the web server\n- 9090 for metrics\n";
    check(
        &[("docs/a.md", docs)],
        "which ports are to be opened?",
        "Open these ports: 8080 for the web server; 9090 for metrics [S1][S2][S3].",
        "Open these ports: 8080 for the web server; 9090 for metrics [id].",
    );
    let docs = "# Ports\n\nOpen these:\n\n- 1 one\n- 2 two\n- 3 three\n- 4 four\n- 5 five\n- 9090 for metrics\n";
    check(
        &[("docs/a.md", docs)],
        "what is for metrics?",
        "Open these: 9090 for metrics [S1][S7].",
        "Open these: 9090 for metrics [id].",
    );
}

#[test]
fn a_row_is_cited_with_its_header() {
    let docs = "# Keys\n\n| Key | Default |\n|---|---|\n| `cache.size` | 64 MB |\n| `cache.ttl` | 10 min |\n";
    check(&[("docs/a.md", docs)], "default of cache.ttl", "`cache.ttl`: 10 min [S1][S3].", "`cache.ttl`: 10 min [id].");
}

#[test]
fn steps_are_cited_one_by_one() {
    let docs = "# Rotate the key\n\nTo rotate it:\n\n1. Run `key new`.\n2. Restart the server.\n3. Tell your users.\n";
    check(
        &[("docs/a.md", docs)],
        "how do I rotate the key?",
        "To rotate it: (1) Run `key new`; (2) Restart the server; (3) Tell your users [S1][S2][S3][S4].",
        "To rotate it: (1) Run `key new`; (2) Restart the server; (3) Tell your users [id].",
    );
}

#[test]
fn each_sentence_has_its_own_spans() {
    let docs = "# Tokens\n\nA token ends after an hour. It can be renewed for a day.\n";
    check(
        &[("docs/a.md", docs)],
        "can a token be renewed?",
        "A token ends after an hour [S1]. It can be renewed for a day [S2].",
        "A token ends after an hour [id]. It can be renewed for a day [id].",
    );
}

#[test]
fn what_reads_as_a_mark_is_none() {
    let docs = "# Storage\n\nUploads go to the `[storage]` bucket [S3] by default.\n";
    check(
        &[("docs/a.md", docs)],
        "where do uploads go?",
        "Uploads go to the `[storage]` bucket \\[S3\\] by default [S1].",
        "Uploads go to the \\[storage\\] bucket [S3] by default [id].",
    );
}

#[test]
fn a_contradiction_is_told_with_both_sides() {
    let files = [
        ("docs/a.md", "# Backups\n\nBackups are kept for 30 days.\n"),
        ("docs/b.md", "# Policy\n\nBackups are kept for 14 days.\n"),
    ];
    check(
        &files,
        "how long are backups kept?",
        "Backups are kept for 30 days [S1]. The docs disagree: `30 days` [S1], `14 days` [S2].",
        "Backups are kept for 30 days [id]. The docs disagree: `30 days` [id], `14 days` [id2].",
    );
}

#[test]
fn what_no_span_holds_is_said_without_a_mark() {
    let docs = "# Tokens\n\nA token ends after an hour.\n";
    let grounds = grounds(&[("docs/a.md", docs)], "does a Keycloak token end?");
    let response = receipt::response(&grounds);
    let expected = "A token ends after an hour [S1]. The documentation found does not mention `Keycloak`.";
    assert_eq!(block(&response, "## Answer"), expected);
    let found: Value = serde_json::from_str(&citations::response(&grounds)).expect("JSON");
    assert_eq!(found["gaps"], json!(["The documentation found does not mention `Keycloak`."]));
}

#[test]
fn without_docs_everything_refuses() {
    let grounds = grounds(&[], "how long do sessions last?");
    let response = receipt::response(&grounds);
    let refusal = "I can't answer that from the user corpus because retrieval returned no usable spans. I can try a \
                   different query, use a source you provide, or answer without corpus grounding if you explicitly \
                   allow an ungrounded answer.";
    assert_eq!(block(&response, "## Answer"), refusal);
    assert_eq!(block(&response, "## Sources"), "No span is cited.");
    let expected = json!({
        "mode": "cite_or_refuse", "status": "refused_empty_retrieval",
        "retrieval_query": "how long do sessions last?", "retrieved_span_count": 0, "cited_spans": [],
        "answer_claims": [], "refusal_reason": "retrieval returned no usable spans"
    });
    assert_eq!(receipt_of(&response), expected);
    let found: Value = serde_json::from_str(&citations::response(&grounds)).expect("JSON");
    let expected =
        json!({"schema_version": 1, "answer": "", "citations": [], "status": "not_found", "gaps": [found["gaps"][0]]});
    assert_eq!(found, expected);
    assert_eq!(receipt::retrieved(&grounds), "{\n  \"state\": \"empty\",\n  \"spans\": []\n}\n");
    assert_eq!(citations::retrieved(&grounds), "[]\n");
}

#[test]
fn docs_that_do_not_answer_are_a_refusal_with_a_reason() {
    let docs = "# Cache\n\nEntries live for ten minutes.\n\n# Colours\n\nThe logo is blue.\n";
    let grounds = grounds(
        &[("docs/a.md", docs)],
        "Kubernetes Terraform Ansible Helm Vagrant Packer Consul Nomad Vault Puppet Chef Salt Docker Podman Buildah Skopeo Kaniko Istio Linkerd Envoy blue",
    );
    let receipt = receipt_of(&receipt::response(&grounds));
    assert_eq!(receipt["status"], "refused_unsupported_claim");
    assert_eq!((&receipt["cited_spans"], &receipt["answer_claims"]), (&json!([]), &json!([])));
    assert!(text(&receipt["refusal_reason"]).starts_with("The documentation does not answer this"));
    let found: Value = serde_json::from_str(&citations::response(&grounds)).expect("JSON");
    assert_eq!((&found["answer"], &found["status"]), (&json!(""), &json!("not_found")));
}

#[test]
fn offsets_count_bytes_of_the_file_as_it_is() {
    for (text, start, end) in [
        ("\u{feff}# Ä\r\n\r\nSéssions end\r\nafter an hour.\r\n", 11, 40),
        ("---\ntitle: Ä\n---\n\n# Ä\n\nSéssions end after an hour.\n", 25, 53),
    ] {
        let grounds = grounds(&[("docs/a.md", text)], "when do séssions end?");
        let receipt = receipt_of(&receipt::response(&grounds));
        let offset = &receipt["cited_spans"][0]["offset"];
        assert_eq!(offset, &json!({"kind": "bytes", "start": start, "end": end}), "{text:?}");
    }
}

#[test]
fn a_passage_has_the_markup_at_its_ends() {
    for (source, passage) in [
        ("# A\n\n- **Use** with care.\n- `x`\n", "**Use** with care.\n- `x`"),
        ("# A\n\n[Care](b.md) **here**\n\n## B\n", "[Care](b.md) **here**"),
    ] {
        let found = citations::retrieved(&grounds(&[("docs/a.md", source)], "care"));
        let found: Value = serde_json::from_str(&found).expect("JSON");
        assert_eq!(found[0]["text"], passage);
    }
}

#[test]
fn what_is_printed_fits_its_schema() {
    let files = [("docs/a.md", CACHE), ("docs/b.md", "# Ports\n\n| Port | For |\n|---|---|\n| 80 | the cache |\n")];
    for question in ["how long do cache entries live?", "which port is for the cache?", "Keycloak"] {
        let grounds = grounds(&files, question);
        check_valid(&schema("citations"), &citations::response(&grounds));
        check_valid(&schema("retrieved-passages"), &citations::retrieved(&grounds));
        check_valid(&schema("receipt"), &receipt_of(&receipt::response(&grounds)).to_string());
        check_valid(&schema("retrieved-spans"), &receipt::retrieved(&grounds));
    }
}

#[test]
fn passages_are_a_corpus_for_drafts() {
    let sandbox = Sandbox::new().file("docs/cache.md", CACHE);
    let passages = sandbox.ok(&["query", "--format", "passages", "how long do cache entries live?"]).stdout;
    sandbox.write("passages.json", passages);
    let draft = json!({
        "decision": "answered",
        "answer": {"text": "Ten minutes.", "citations": [{"source_id": "5f69ee994d7a", "quote": "for ten minutes"}]}
    });
    let args = ["finalize", "--corpus", "passages.json", "--draft", "-", "--question", "How long?"];
    let run = sandbox.run_with_input(&args, &draft.to_string()).ok();
    let sealed: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&sealed["grounded_answer"]["grounded"], run.stderr.as_str()), (&json!(true), ""));
}

#[test]
fn a_batch_prints_no_grounded_format() {
    let run = Sandbox::new().file("docs/a.md", CACHE).run(&["query", "--format", "receipt", "--batch", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    let expected = "error: `--batch` prints JSON: `--format receipt` takes one question at a time\n\
                    hint: ask each question on its own, or leave `--format` out\n";
    assert_eq!(run.stderr, expected);
}
