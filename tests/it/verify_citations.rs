//! Answers with citations and their checks: shape, both directions, sentences, and what is real (contracts E).

use std::fs;

use inkwell::grounded::verify::{Passages, citations, schema};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, repository};

const ID: &str = "a1b2c3";

fn check_schema(answer: &str, expected: &[&str]) {
    assert_eq!(schema(answer), expected, "{answer}");
}

#[test]
fn the_shape_is_checked_field_by_field() {
    let item = r#"{"chunk_id": "a", "source": "b", "snippet": "c"}"#;
    let whole = |version: &str, answer: &str, list: &str| {
        format!(r#"{{"schema_version": {version}, "answer": {answer}, "citations": {list}}}"#)
    };
    check_schema(&whole("1", "\"x\"", "[]"), &[]);
    check_schema(&whole("1", "\"\"", &format!("[{item}]")), &[]);
    check_schema(&whole("1", "\"\"", "[], \"more\": 1"), &[]);
    check_schema(&format!("\u{feff}{}", whole("1", "\"\"", "[]")), &[]);
    for (version, found) in [
        ("1.0", "1.0"),
        ("true", "true"),
        ("2", "2"),
        ("-1", "-1"),
        ("\"1\"", "`1`"),
        ("null", "null"),
        ("[]", "an array"),
    ] {
        check_schema(&whole(version, "\"\"", "[]"), &[&format!("schema_version is {found}: expected the integer 1")]);
    }
    for (answer, found) in
        [("1", "a number"), ("null", "null"), ("{}", "an object"), ("[]", "an array"), ("true", "a boolean")]
    {
        check_schema(&whole("1", answer, "[]"), &[&format!("answer is {found}: expected a string")]);
    }
    for (list, found) in [("1", "a number"), ("null", "null"), ("{}", "an object"), ("\"\"", "a string")] {
        check_schema(&whole("1", "\"\"", list), &[&format!("citations is {found}: expected an array")]);
    }
    check_schema(
        &whole("1", "\"\"", "[1, []]"),
        &["citations[0] is a number: expected an object", "citations[1] is an array: expected an object"],
    );
    let parts = r#"[{"chunk_id": "a", "source": "b", "snippet": 1}, {"chunk_id": null, "snippet": "c"}]"#;
    check_schema(
        &whole("1", "\"\"", parts),
        &[
            "citations[0].snippet is a number: expected a string",
            "citations[1].chunk_id is null: expected a string",
            "citations[1].source is missing: expected a string",
        ],
    );
    check_schema(
        "{}",
        &[
            "schema_version is missing: expected the integer 1",
            "answer is missing: expected a string",
            "citations is missing: expected an array",
        ],
    );
    check_schema("[]", &["the answer is an array: expected an object"]);
    check_schema("{\n\"a\" 1}", &["not JSON: line 2 column 5: expected `:`"]);
    check_schema("", &["not JSON: line 1 column 0: EOF while parsing a value"]);
    check_schema("{\0}", &["not JSON: line 1 column 2: key must be a string"]);
    check_schema(&"[".repeat(1 << 20), &["not JSON: line 1 column 128: recursion limit exceeded"]);
}

fn answer(text: &str, ids: &[&str]) -> String {
    let list: Vec<Value> = ids.iter().map(|id| json!({"chunk_id": id, "source": "d.md#x", "snippet": "It"})).collect();
    json!({"schema_version": 1, "answer": text, "citations": list}).to_string()
}

fn check(text: &str, ids: &[&str], expected: &[&str]) {
    assert_eq!(citations(&answer(text, ids), &[]), expected, "{text}");
}

#[test]
fn citations_go_both_ways() {
    let unlisted = |id: &str| format!("`{id}` is cited in the answer but not listed in `citations`");
    let unused = |id: &str| format!("`{id}` is listed in `citations` but not cited in the answer");
    check("Revenue grew 12% in Q3 [a1b2c3].", &[ID], &[]);
    check("", &[], &[]);
    check("Revenue grew 12% in Q3 [a1b2c3].", &[], &[&unlisted(ID)]);
    check("", &[ID], &[&unused(ID)]);
    check(
        "a [zzzz] b [aaaa] c [mmmm]",
        &["mmmm", "yyyy", "bbbb"],
        &[&unlisted("aaaa"), &unlisted("zzzz"), &unused("bbbb"), &unused("yyyy")],
    );
    check("a [aaaa][bbbb].", &["aaaa", "bbbb"], &[]);
    check("a [aaaa].", &["aaaa", "aaaa"], &["`aaaa` is listed 2 times in `citations`"]);
    check("a [abc].", &["abc"], &[&unused("abc")]);
    check("a `[abcd]` b.", &["abcd"], &[&unused("abcd")]);
    check("a [abcd](x.md) b.", &["abcd"], &[&unused("abcd")]);
    check("a \\[abcd\\] b.", &[], &[]);
    check("a [a.cd] [éabc] [ab cd].", &[], &[]);
    check("a [ABCD] b", &["abcd"], &[&unlisted("ABCD"), &unused("abcd")]);
    let long = "x".repeat(64);
    check(&format!("a [{long}]."), &[&long], &[]);
    check(&format!("a [{long}x]."), &[], &[]);
}

#[test]
fn sentences_that_state_something_cite_something() {
    let bare = |sentence: &str| format!("no citation in: `{sentence}`");
    check("Margins held flat this year.", &[], &[&bare("Margins held flat this year.")]);
    check(
        "it lasted 3 days long. It is so. The Cache Was Cleared.",
        &[],
        &[&bare("it lasted 3 days long."), &bare("The Cache Was Cleared.")],
    );
    check("it says \"no\" to all", &[], &[&bare("it says \"no\" to all")]);
    check("it lasts a long while indeed.", &[], &[]);
    check("Now 3 of it.", &[], &[]);
    check("Use tools, e.g. Docker and J. Doe [abcd].", &["abcd"], &[]);
    check("Run `a. B` for Docker [abcd].", &["abcd"], &[]);
    check("Revenue grew [abcd]. margins held at 3%.", &["abcd"], &[&bare("margins held at 3%.")]);
    check("Revenue grew. [abcd]", &["abcd"], &[]);
    check("Revenue grew twelve. [abcd]", &["abcd"], &[&bare("Revenue grew twelve.")]);
    check("Revenue `grew [abcd]` twelve.", &[], &[&bare("Revenue `grew [abcd]` twelve.")]);
    check("Настройки лежат в доме. Да.", &[], &[&bare("Настройки лежат в доме.")]);
    check(
        "服务器的默认端口号码是8080这个数字吧。好[abcd]。",
        &["abcd"],
        &[&bare("服务器的默认端口号码是8080这个数字吧。")],
    );
    let long = format!("Word {}", "x".repeat(200));
    check(&long, &[], &[&format!("no citation in: `{}…`", &long[..80])]);
}

#[test]
fn what_is_malformed_is_no_answer() {
    assert_eq!(
        citations("{}", &[]),
        ["answer is missing: expected a string", "citations is missing: expected an array"]
    );
    assert_eq!(citations("7", &[]), ["the answer is a number: expected an object"]);
    assert_eq!(citations("nope", &[]), ["not JSON: line 1 column 2: expected ident"]);
}

fn passages() -> Passages {
    let passage = json!([{"chunk_id": ID, "source": "d.md#x", "text": "It  lasts\n30 minutes, \"x\"."}]);
    Passages::read(&passage).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn check_real(id: &str, source: &str, snippet: &str, expected: &[&str]) {
    let citation = json!({"chunk_id": id, "source": source, "snippet": snippet});
    let answer = json!({"answer": format!("It is [{id}]."), "citations": [citation]}).to_string();
    assert_eq!(citations(&answer, &[&passages()]), expected);
}

#[test]
fn what_is_cited_must_have_been_retrieved() {
    check_real(ID, "d.md#x", "lasts 30 minutes", &[]);
    check_real(ID, "d.md#x", "It lasts 30 min…", &[]);
    check_real("fake0", "d.md#x", "lasts", &["`fake0` is not among what was retrieved"]);
    check_real(ID, "e.md#x", "lasts", &["`a1b2c3` is from `d.md#x`, not from `e.md#x`"]);
    check_real(ID, "d.md#x", "lasts 31", &["the snippet of `a1b2c3` does not stand in it: `lasts 31`"]);
    check_real(ID, "d.md#x", " ", &["the snippet of `a1b2c3` does not stand in it: ``"]);
    check_real(ID, "d.md#x", "…", &["the snippet of `a1b2c3` does not stand in it: `…`"]);
}

#[test]
fn what_was_retrieved_has_a_shape() {
    let problems = |value: Value| Passages::read(&value).err().unwrap_or_default();
    assert_eq!(problems(json!({})), ["what was retrieved is an object: expected an array"]);
    assert_eq!(
        problems(json!([{"chunk_id": 1, "text": ""}])),
        ["[0].chunk_id is a number: expected a string", "[0].source is missing: expected a string",]
    );
}

#[test]
fn long_answers_take_linear_time() {
    let count = 100_000;
    let ids: Vec<String> = (0..count).map(|id| format!("id{id:06}")).collect();
    let text: String = ids
        .iter()
        .map(|id| format!("Entry {id} has its long `code` of a hundred bytes, that is padded {:>30} [{id}]. ", 1))
        .collect();
    assert!(text.len() > 10_000_000, "{}", text.len());
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    assert_eq!(citations(&answer(&text, &ids), &[]), Vec::<String>::new());
}

// The command

fn validator() -> Validator {
    let text = fs::read_to_string(repository().join("schemas/verify.v1.schema.json")).expect("a schema");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a JSON Schema")
}

#[test]
fn the_command_says_what_passed_and_what_failed() {
    let sandbox = Sandbox::new()
        .file("good.json", answer("Revenue grew 12% [a1b2c3].", &[ID]))
        .file("bad.json", answer("", &[ID]));
    assert_eq!(sandbox.ok(&["verify", "good.json"]).stdout, "schema: passed\ncitations: passed\n");
    let run = sandbox.run(&["verify", "bad.json"]);
    let expected =
        "schema: passed\ncitations: failed\n  `a1b2c3` is listed in `citations` but not cited in the answer\n";
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), expected));
    let run = sandbox.run_with_input(&["verify", "--check", "schema", "-"], "{");
    let expected = "schema: failed\n  not JSON: line 1 column 1: EOF while parsing an object\n";
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), expected));
}

#[test]
fn json_output_follows_its_schema() {
    let sandbox = Sandbox::new().file("bad.json", answer("", &[ID]));
    for (args, counts) in
        [(["--check", "both", "bad.json"], [2, 1, 1, 0]), (["--check", "receipt,both", "gone.json"], [3, 0, 0, 3])]
    {
        let run = sandbox.run(&[&["verify", "--json"], &args[..]].concat());
        let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let errors: Vec<String> = validator().iter_errors(&value).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        let [total, passed, failed, skipped] = counts;
        assert_eq!(value["summary"], json!({"total": total, "passed": passed, "failed": failed, "skipped": skipped}));
    }
}

#[test]
fn without_an_answer_checks_are_skipped() {
    let sandbox = Sandbox::new();
    let run = sandbox.ok(&["verify", "gone.json"]);
    assert_eq!(run.stdout, "schema: skipped\ncitations: skipped\n");
    assert_eq!(run.stderr, "note: `gone.json` does not exist: there is no answer to check\n");
    assert_eq!(sandbox.ok(&["verify"]).stderr, "note: there is no answer to check: name a FILE, or `-` for stdin\n");
    assert_eq!(sandbox.run(&["verify", "--strict", "gone.json"]).code, Some(1));
}

#[test]
fn trouble_is_no_failed_check() {
    let sandbox = Sandbox::new().folder("folder").file("latin.json", b"{\"a\": \"\xe9\"}").file("a.json", "{}");
    let check = |args: &[&str], expected: &str| {
        let run = sandbox.run(&[&["verify"], args].concat());
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(2), "", expected));
    };
    check(&["folder"], "error: failed to read `folder`: is a directory\n");
    check(&["latin.json"], "error: failed to read `latin.json`: it is not UTF-8: the byte at offset 7 is wrong\n");
    check(&["--check", "citation", "a.json"], "error: there is no check `citation`\nhint: did you mean `citations`?\n");
    let names = "the checks are `schema`, `citations`, `receipt`, and `both` for the first two";
    check(&["--check", "colour", "a.json"], &format!("error: there is no check `colour`\nhint: {names}\n"));
}

#[test]
fn docs_as_they_are_decide_what_can_be_cited() {
    let sandbox = Sandbox::new().file("docs/a.md", "# One\n\nSome text.\n");
    let answer = |id: &str| {
        let citation = json!({"chunk_id": id, "source": "docs/a.md#one", "snippet": "Some text."});
        json!({"schema_version": 1, "answer": format!("Some text [{id}]."), "citations": [citation]}).to_string()
    };
    // The id is the one that the chunks' own test computes with sha256sum.
    let args = ["verify", "-C", ".", "--check", "citations", "-"];
    assert_eq!(sandbox.run_with_input(&args, &answer("44a93403ff74")).stdout, "citations: passed\n");
    let run = sandbox.run_with_input(&args, &answer("44a93403ff75"));
    let expected = "citations: failed\n  `44a93403ff75` is no chunk of the docs as they are now\n";
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), expected));
    sandbox.write("docs/a.md", "# One\n\nOther text.\n");
    assert_eq!(sandbox.run_with_input(&args, &answer("44a93403ff74")).code, Some(1));
}

#[test]
fn schemas_are_listed_and_printed() {
    let sandbox = Sandbox::new();
    let listed = sandbox.ok(&["schema"]).stdout;
    for line in listed.lines() {
        let name = line.split("  ").next().expect("a name");
        let file = fs::read_to_string(repository().join(format!("schemas/{name}.v1.schema.json"))).expect("a schema");
        assert_eq!(sandbox.ok(&["schema", name]).stdout, file);
    }
    let run = sandbox.run(&["schema", "reciept"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (Some(2), "error: there is no schema `reciept`\nhint: did you mean `receipt`?\n")
    );
}
