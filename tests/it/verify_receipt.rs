//! Responses with a receipt: what agrees, and every single change that makes them disagree (contracts D).

use inkwell::grounded::receipt::REFUSAL;
use inkwell::grounded::verify::{Evidence, receipt, retrieved};
use inkwell::page::Page;
use inkwell::parse::anchor::SiteStyle;
use inkwell::walk::RepoPath;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const PAGE: &str = "# Sessions\n\nSessions last 30 minutes. Idle ones end sooner.\n\n## Keys\n\nKeys live one day.\n";
const ANSWER: &str = "Sessions last 30 minutes [S1]. Keys live one day [S2].";
const SOURCES: &str = "- [S1] Sessions — [docs/s.md#sessions](docs/s.md#sessions), line 3: \"Sessions last 30 minutes.\"\n- [S2] Sessions — [docs/s.md#keys](docs/s.md#keys), line 7: \"Keys live one day.\"";

fn span(id: &str, anchor: &str, text: &str) -> Value {
    let start = PAGE.find(text).expect("it is there");
    json!({"id": id, "source_id": "docs/s.md", "title": "Sessions", "uri": format!("docs/s.md#{anchor}"),
        "offset": {"kind": "bytes", "start": start, "end": start + text.len()}})
}

fn answered() -> Value {
    json!({
        "mode": "cite_or_refuse",
        "status": "answered_with_citations",
        "retrieval_query": "how long?",
        "retrieved_span_count": 3,
        "cited_spans": [span("S1", "sessions", "Sessions last 30 minutes."), span("S2", "keys", "Keys live one day.")],
        "answer_claims": [
            {"claim": "Sessions last 30 minutes.", "supported_by": ["S1"]},
            {"claim": "Keys live one day.", "supported_by": ["S2"]}
        ],
        "refusal_reason": null
    })
}

fn refused(status: &str, count: u64) -> Value {
    json!({"mode": "cite_or_refuse", "status": status, "retrieval_query": "q", "retrieved_span_count": count,
        "cited_spans": [], "answer_claims": [], "refusal_reason": "nothing fits"})
}

fn whole(answer: &str, sources: &str, receipt: &Value) -> String {
    let receipt = serde_json::to_string_pretty(receipt).expect("JSON");
    format!("## Answer\n\n{answer}\n\n## Sources\n\n{sources}\n\n## Grounding receipt\n\n```json\n{receipt}\n```\n")
}

fn spans() -> Value {
    let with_text = |mut span: Value, text: &str, id: &str| {
        span["text"] = text.into();
        span["id"] = id.into();
        span
    };
    json!({"state": "ok", "spans": [
        with_text(span("S1", "keys", "Keys live one day."), "Keys live one day.", "r1"),
        with_text(span("S1", "sessions", "Sessions last 30 minutes."), "Sessions last 30 minutes.", "r2"),
        with_text(span("S1", "sessions", "Idle ones end sooner."), "Idle ones end sooner.", "r3"),
        with_text(span("S1", "sessions", "Idle"), "  ", "r4"),
    ]})
}

/// The page's file, and no other.
fn open(path: &RepoPath) -> Result<Page, String> {
    match path.as_str() {
        "docs/s.md" => Ok(Page::parse(path.clone(), PAGE.to_owned(), SiteStyle::Github)),
        _ => Err("it no longer exists".to_owned()),
    }
}

/// What is said with everything known.
fn all(text: &str) -> Vec<String> {
    let retrieved = retrieved(&spans()).unwrap_or_else(|problems| panic!("{problems:?}"));
    receipt(text, &Evidence { retrieved: Some(&retrieved), files: Some(&open) })
}

/// What is said of a text alone.
fn verified(text: &str) -> Vec<String> {
    receipt(text, &Evidence::default())
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(verified(text), expected, "{text}");
}

fn check_receipt(change: impl Fn(&mut Value), expected: &[&str]) {
    let mut receipt = answered();
    change(&mut receipt);
    check(&receipt.to_string(), expected);
}

#[test]
fn what_agrees_is_accepted() {
    assert_eq!(all(&whole(ANSWER, SOURCES, &answered())), Vec::<String>::new());
    assert_eq!(all(&answered().to_string()), Vec::<String>::new());
    check(&whole(REFUSAL, "No span is cited.", &refused("refused_empty_retrieval", 0)), &[]);
    check(&whole("Nothing fits.", "No span is cited.", &refused("refused_unsupported_claim", 4)), &[]);
    let bare = format!("{REFUSAL}\n\n## Grounding receipt\n\n~~~ JSON\n{}\n~~~", refused("refused_empty_retrieval", 0));
    check(&bare, &[]);
}

#[test]
fn other_writers_have_other_bullets() {
    let others = "* S1: Sessions (docs/s.md), bytes 12-37: “Sessions last 30 minutes.”\n- **[S2]** Sessions\n  > \"live one day\"";
    assert_eq!(all(&whole(ANSWER, others, &answered())), Vec::<String>::new());
    let after = "Sessions last 30 minutes. [S1] Keys live one day. [S2]";
    assert_eq!(all(&whole(after, others, &answered())), Vec::<String>::new());
}

#[test]
fn every_field_has_a_shape() {
    check_receipt(|r| r["mode"] = "free".into(), &["mode is `free`: expected `cite_or_refuse`"]);
    let statuses = "`answered_with_citations`, `refused_empty_retrieval` or `refused_unsupported_claim`";
    check_receipt(|r| r["status"] = "answered".into(), &[&format!("status is `answered`: expected {statuses}")]);
    check_receipt(|r| r["retrieval_query"] = Value::Null, &["retrieval_query is null: expected a string"]);
    for (value, found) in [(json!(-1), "-1"), (json!(1.5), "1.5"), (json!("3"), "`3`"), (Value::Null, "null")] {
        let message = format!("retrieved_span_count is {found}: expected a whole number, 0 or more");
        check_receipt(|r| r["retrieved_span_count"] = value.clone(), &[&message]);
    }
    check_receipt(|r| r["cited_spans"] = json!({}), &["cited_spans is an object: expected an array"]);
    check_receipt(|r| r["cited_spans"][0] = json!(1), &["cited_spans[0] is a number: expected an object"]);
    check_receipt(
        |r| r["cited_spans"][0]["id"] = "T1".into(),
        &["cited_spans[0].id is `T1`: expected `S` and a number"],
    );
    check_receipt(|r| r["cited_spans"][0]["id"] = 1.into(), &["cited_spans[0].id is a number: expected a string"]);
    for key in ["source_id", "title", "uri"] {
        let message = format!("cited_spans[1].{key} is a number: expected a string or null");
        check_receipt(|r| r["cited_spans"][1][key] = 1.into(), &[&message]);
    }
    check_receipt(
        |r| r["cited_spans"][0]["offset"] = 1.into(),
        &["cited_spans[0].offset is a number: expected an object"],
    );
    let kinds = "cited_spans[0].offset.kind is `pages`: expected `bytes`, `lines`, `seconds` or `unknown`";
    check_receipt(|r| r["cited_spans"][0]["offset"]["kind"] = "pages".into(), &[kinds]);
    let start = "cited_spans[0].offset.start is -1: expected a whole number, 0 or more, or null";
    check_receipt(|r| r["cited_spans"][0]["offset"]["start"] = (-1).into(), &[start]);
    let ends = "cited_spans[0].offset ends before it starts: 9 to 8";
    check_receipt(|r| r["cited_spans"][0]["offset"] = json!({"kind": "lines", "start": 9, "end": 8}), &[ends]);
    check_receipt(|r| r["cited_spans"][0]["offset"] = json!({"kind": "seconds", "start": 0.5, "end": null}), &[]);
    check_receipt(|r| r["cited_spans"][0]["offset"] = Value::Null, &[]);
    check_receipt(|r| r["answer_claims"][0] = json!([]), &["answer_claims[0] is an array: expected an object"]);
    check_receipt(
        |r| r["answer_claims"][0]["claim"] = json!([]),
        &["answer_claims[0].claim is an array: expected a string"],
    );
    let blank = "answer_claims[0].claim is blank: expected what is claimed";
    check_receipt(|r| r["answer_claims"][0]["claim"] = " ".into(), &[blank]);
    let supported = "answer_claims[1].supported_by[0] is a number: expected a string";
    check_receipt(|r| r["answer_claims"][1]["supported_by"] = json!([2]), &[supported]);
    check_receipt(|r| r["refusal_reason"] = json!(1), &["refusal_reason is a number: expected a string or null"]);
    check_receipt(|r| r["more"] = 1.into(), &[]);
    check("{", &["not JSON: line 1 column 1: EOF while parsing an object"]);
    check("[]", &["there is no `## Grounding receipt`: expected the whole response, or the receipt's JSON alone"]);
    let broken = "## Answer\n\nx\n\n## Grounding receipt\n\n```json\n{\n  nope\n}\n```\n";
    check(broken, &["not JSON: line 9 column 3: key must be a string"]);
    check("## Grounding receipt\n```json\n[]\n```\n", &["the receipt is an array: expected an object"]);
}

#[test]
fn a_receipt_agrees_with_itself() {
    check_receipt(
        |r| r["cited_spans"][1] = r["cited_spans"][0].clone(),
        &[
            "`S1` stands 2 times in `cited_spans`",
            "answer_claims[1].supported_by names `S2`: it is not in `cited_spans`",
        ],
    );
    check_receipt(
        |r| r["answer_claims"][0]["supported_by"] = json!([]),
        &[
            "answer_claims[0].supported_by is empty: a claim needs a span",
            "`S1` is in `cited_spans` but supports no claim",
        ],
    );
    let status = |rest: &str| format!("the status is `answered_with_citations`, but {rest}");
    check_receipt(
        |r| r["answer_claims"] = json!([]),
        &[
            "`S1` is in `cited_spans` but supports no claim",
            "`S2` is in `cited_spans` but supports no claim",
            &status("`answer_claims` is empty"),
        ],
    );
    check_receipt(|r| r["refusal_reason"] = "x".into(), &[&status("`refusal_reason` is not null")]);
    check_receipt(|r| r["retrieved_span_count"] = 1.into(), &["retrieved_span_count is 1: 2 spans are cited"]);
    let mut empty = refused("refused_empty_retrieval", 1);
    empty["refusal_reason"] = " ".into();
    check(
        &empty.to_string(),
        &[
            "the status is `refused_empty_retrieval`, but retrieved_span_count is 1",
            "the status is `refused_empty_retrieval`, but `refusal_reason` says nothing",
        ],
    );
    let zero = "the status is `refused_unsupported_claim`, but retrieved_span_count is 0";
    check(&refused("refused_unsupported_claim", 0).to_string(), &[zero]);
}

#[test]
fn a_refusal_says_so_and_nothing_else() {
    let receipt = refused("refused_empty_retrieval", 0);
    check(&whole("Sorry.", "", &receipt), &["the answer lacks the paragraph that refuses for want of usable spans"]);
    let more = format!("{} But Sessions last 30 minutes.", REFUSAL.replace(' ', "\n").replace('\'', "’"));
    check(
        &whole(&more, "", &receipt),
        &["the answer refuses and states all the same: `But Sessions last 30 minutes.`"],
    );
    let marked = whole("It is so [S1].", "", &refused("refused_unsupported_claim", 2));
    check(
        &marked,
        &[
            "`S1` is cited in the answer but not in `cited_spans`",
            "`S1` is cited in the answer but has no bullet in `## Sources`",
        ],
    );
}

#[test]
fn statements_without_a_span_are_named() {
    let with = |sentence: &str| whole(&format!("{ANSWER} {sentence}"), SOURCES, &answered());
    check(&with("Tokens last for 2 weeks."), &["no span is cited in: `Tokens last for 2 weeks.`"]);
    check(&with("The documentation found does not mention `Tokens`."), &[]);
    check(&with("The documentation found covers the question only in part."), &[]);
    check(&with("so it is."), &[]);
}

/// One change to a text or to a receipt.
fn check_rejected(name: &str, answer: &str, sources: &str, change: impl Fn(&mut Value), expected: &str) {
    let mut receipt = answered();
    change(&mut receipt);
    let messages = all(&whole(answer, sources, &receipt));
    assert!(messages.iter().any(|message| message == expected), "{name}: {messages:#?}");
}

#[test]
fn every_single_change_is_rejected() {
    let text = |name: &str, answer: &str, sources: &str, expected: &str| {
        check_rejected(name, answer, sources, |_| {}, expected);
    };
    let value = |name: &str, change: &dyn Fn(&mut Value), expected: &str| {
        check_rejected(name, ANSWER, SOURCES, change, expected);
    };
    let lines: Vec<&str> = SOURCES.lines().collect();
    text(
        "dropped marker",
        &ANSWER.replace(" [S2]", ""),
        SOURCES,
        "`S2` is in `cited_spans` but not cited in the answer",
    );
    text(
        "other marker",
        &ANSWER.replace("[S2]", "[S1]"),
        SOURCES,
        "answer_claims[1] is supported by S2: the answer cites S1 for it",
    );
    text(
        "invented marker",
        &ANSWER.replace("[S2]", "[S2][S9]"),
        SOURCES,
        "`S9` is cited in the answer but not in `cited_spans`",
    );
    text("dropped bullet", ANSWER, lines[0], "`S2` is in `cited_spans` but has no bullet in `## Sources`");
    let invented = format!("{SOURCES}\n- [S3] x \"y\"");
    text("invented bullet", ANSWER, &invented, "`S3` has a bullet in `## Sources` but is not in `cited_spans`");
    text("repeated bullet", ANSWER, &format!("{SOURCES}\n{}", lines[0]), "`S1` has 2 bullets in `## Sources`");
    text(
        "nameless bullet",
        ANSWER,
        &format!("{SOURCES}\n- x \"y\""),
        "a bullet in `## Sources` names no span: `- x \"y\"`",
    );
    text(
        "bullet without excerpt",
        ANSWER,
        &SOURCES.replace("\"Keys live one day.\"", ""),
        "the bullet of `S2` quotes nothing",
    );
    let differs = format!("the bullet of `S1` differs from the file: expected `{}`", lines[0]);
    for (name, from, to) in [
        ("altered excerpt", "30 minutes.\"", "31 minutes.\""),
        ("shortened excerpt", " minutes.\"", "\""),
        ("altered lines", "line 3", "line 4"),
        ("altered title", "[S1] Sessions", "[S1] Tokens"),
        ("altered target", "(docs/s.md#sessions)", "(docs/s.md#keys)"),
        ("altered label", "[docs/s.md#sessions]", "[docs/t.md#sessions]"),
    ] {
        text(name, ANSWER, &SOURCES.replace(from, to), &differs);
    }
    text(
        "altered excerpt",
        ANSWER,
        &SOURCES.replace("30 minutes.\"", "31 minutes.\""),
        "the bullet of `S1` differs from the retrieved span",
    );
    value(
        "dropped span",
        &|r| drop(r["cited_spans"].as_array_mut().expect("spans").pop()),
        "`S2` is cited in the answer but not in `cited_spans`",
    );
    value(
        "dropped claim",
        &|r| drop(r["answer_claims"].as_array_mut().expect("claims").pop()),
        "no claim says: `Keys live one day.`",
    );
    value(
        "other support",
        &|r| r["answer_claims"][1]["supported_by"] = json!(["S1", "S2"]),
        "answer_claims[1] is supported by S1, S2: the answer cites S2 for it",
    );
    value(
        "invented support",
        &|r| r["answer_claims"][1]["supported_by"] = json!(["S9"]),
        "answer_claims[1].supported_by names `S9`: it is not in `cited_spans`",
    );
    value(
        "wrong count",
        &|r| r["retrieved_span_count"] = 4.into(),
        "retrieved_span_count is 4: 3 usable spans were retrieved",
    );
    value(
        "swapped status",
        &|r| r["status"] = "refused_empty_retrieval".into(),
        "the status is `refused_empty_retrieval`, but 3 usable spans were retrieved",
    );
    value(
        "swapped status",
        &|r| r["status"] = "refused_unsupported_claim".into(),
        "the status is `refused_unsupported_claim`, but `answer_claims` is not empty",
    );
    value("altered title", &|r| r["cited_spans"][0]["title"] = "X".into(), "`S1` is titled `Sessions`, not `X`");
    value(
        "altered file",
        &|r| r["cited_spans"][0]["source_id"] = "docs/t.md".into(),
        "`S1`: failed to read `docs/t.md`: it no longer exists",
    );
    value(
        "file outside",
        &|r| r["cited_spans"][0]["source_id"] = "../s.md".into(),
        "`S1`: source_id is `../s.md`: expected a path relative to the root",
    );
    value(
        "altered uri",
        &|r| r["cited_spans"][0]["uri"] = "docs/s.md#gone".into(),
        "`S1`: there is no section `docs/s.md#gone`",
    );
    value(
        "other section",
        &|r| r["cited_spans"][0]["uri"] = "docs/s.md#keys".into(),
        "`S1`: bytes 12 to 37 are not in `docs/s.md#keys`",
    );
    value(
        "other uri",
        &|r| r["cited_spans"][0]["uri"] = "x".into(),
        "`S1`: uri is `x`: expected `docs/s.md` and an anchor",
    );
    for (start, end, expected) in [
        (13, 37, "`S1`: bytes 13 to 37 cut a word"),
        (12, 35, "`S1`: bytes 12 to 35 cut a word"),
        (11, 37, "`S1`: bytes 11 to 37 begin or end with white space"),
        (12, 38, "`S1`: bytes 12 to 38 begin or end with white space"),
        (12, 12, "`S1`: bytes 12 to 12 are empty"),
        (12, 9999, "`S1`: bytes 12 to 9999 are no text: the file has 89"),
        (12, 36, "`S1` is not among the retrieved spans"),
    ] {
        let change =
            |r: &mut Value| r["cited_spans"][0]["offset"] = json!({"kind": "bytes", "start": start, "end": end});
        value("shifted offset", &change, expected);
    }
    value(
        "other kind",
        &|r| r["cited_spans"][0]["offset"]["kind"] = "lines".into(),
        "`S1`: there are no byte offsets to compare",
    );
}

#[test]
fn what_was_retrieved_decides_whether_to_answer() {
    let check = |state: &str, text: &Value, expected: &[&str]| {
        let retrieved =
            retrieved(&json!({"state": state, "spans": []})).unwrap_or_else(|problems| panic!("{problems:?}"));
        let found = receipt(&text.to_string(), &Evidence { retrieved: Some(&retrieved), files: None });
        assert_eq!(found, expected);
    };
    check("empty", &refused("refused_empty_retrieval", 0), &[]);
    check(
        "error",
        &refused("refused_unsupported_claim", 1),
        &[
            "retrieved_span_count is 1: 0 usable spans were retrieved",
            "the status is `refused_unsupported_claim`, but the retrieval failed",
        ],
    );
    check(
        "ok",
        &refused("refused_unsupported_claim", 1),
        &[
            "retrieved_span_count is 1: 0 usable spans were retrieved",
            "the status is `refused_unsupported_claim`, but no usable span was retrieved",
        ],
    );
    let problems = retrieved(&json!({"state": "fine"})).err();
    assert_eq!(
        problems,
        Some(vec![
            "state is `fine`: expected `ok`, `empty` or `error`".into(),
            "spans is missing: expected an array".into()
        ])
    );
}

#[test]
fn hostile_responses_are_read_in_linear_time() {
    let ids: Vec<String> = (1..=20_000).map(|id| format!("S{id}")).collect();
    let answer: String = ids.iter().map(|id| format!("Sessions {id} last 30 minutes [{id}]. ")).collect();
    let sources: String = ids.iter().map(|id| format!("- [{id}] x \"y\"\n")).collect();
    let mut receipt = answered();
    receipt["retrieved_span_count"] = ids.len().into();
    let spans: Vec<Value> = ids.iter().map(|id| span(id, "sessions", "Sessions last 30 minutes.")).collect();
    receipt["cited_spans"] = spans.into();
    let claims: Vec<Value> =
        ids.iter().map(|id| json!({"claim": format!("Sessions {id} last 30 minutes"), "supported_by": [id]})).collect();
    receipt["answer_claims"] = claims.into();
    check(&whole(&answer, &sources, &receipt), &[]);
    for text in [
        "`".repeat(1 << 20),
        "## Sources\n".repeat(1 << 16),
        "- [S1] \"".repeat(1 << 16),
        "\0".into(),
        "{".repeat(1 << 20),
    ] {
        assert!(!verified(&text).is_empty());
    }
    let quotes = whole(ANSWER, &"- [S1] \"\n".repeat(1 << 15), &answered());
    assert!(!verified(&quotes).is_empty());
}

#[test]
fn the_command_compares_with_files_and_says_which_check_fits() {
    let sandbox = Sandbox::new()
        .file("docs/s.md", PAGE)
        .file("r.md", whole(ANSWER, SOURCES, &answered()))
        .file("spans.json", spans().to_string());
    let args = ["verify", "-C", ".", "--check", "receipt", "--retrieved", "spans.json", "r.md"];
    assert_eq!(sandbox.ok(&args).stdout, "receipt: passed\n");
    sandbox.write("docs/s.md", PAGE.replace("30", "45"));
    let run = sandbox.run(&args);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let run = sandbox.run(&["verify", "r.md"]);
    assert!(run.stderr.ends_with("hint: this is a grounding receipt: try `--check receipt`\n"), "{}", run.stderr);
    let run = sandbox.run_with_input(&["verify", "--check", "receipt", "-"], "{\"citations\": []}");
    assert!(run.stderr.ends_with("hint: this is an answer with citations: try `--check both`\n"), "{}", run.stderr);
}
