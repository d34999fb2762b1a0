//! A report as SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>), one run.
//!
//! SARIF counts columns in characters, a finding counts bytes, and §3.30.4 forbids a region that names a line and
//! other bytes than all of that line. So a region is the claim's whole lines, its bytes stand in the region's
//! properties, and a fix, which must be exact, is a binary replacement.

use std::collections::HashMap;

use serde::Serialize;

use super::{explained, pretty, quoted};
use crate::cite::visible;
use crate::digest::Digest;
use crate::finding::{Finding, Fix, Remark, Report, Rule};
use crate::span::Span;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Renders a report as indented SARIF: a result per drift, remarks as notifications. Lines are 1-based, byte offsets
/// 0-based.
pub fn sarif(report: &Report) -> String {
    let driver = Driver { name: "inkwell", version: env!("CARGO_PKG_VERSION"), rules: Rule::DRIFT.map(descriptor) };
    let notifications = report.remarks.iter().map(notification).collect();
    let run = Run {
        tool: Tool { driver },
        invocations: [Invocation { execution_successful: true, tool_execution_notifications: notifications }],
        column_kind: "unicodeCodePoints",
        results: results(report),
    };
    pretty(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<ResultOf<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: [Descriptor; Rule::DRIFT.len()],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

/// A result, as SARIF calls a finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultOf<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Change<'a>>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "claim/v1")]
    claim: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Lines>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

/// Whole lines.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lines {
    start_line: usize,
    end_line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Bytes>,
}

/// Bytes of a file: a region, or a note on one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Bytes {
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    description: Message,
    artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: ArtifactLocation,
    replacements: [Replacement<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Bytes,
    inserted_content: Content<'a>,
}

/// What is inserted; §3.57.2 wants base64 for a region of bytes, the text is for whoever reads it.
#[derive(Serialize)]
struct Content<'a> {
    text: &'a str,
    binary: String,
}

fn descriptor(rule: Rule) -> Descriptor {
    Descriptor {
        id: rule.id(),
        short_description: Message { text: rule.summary().to_owned() },
        default_configuration: Configuration { level: "error" },
    }
}

fn notification(remark: &Remark) -> Notification {
    let location = |(path, line): &(String, usize)| Location::of(path, Some(Lines::between(*line, *line)));
    Notification {
        level: "warning",
        message: Message::of(&visible(&remark.text)),
        locations: remark.place.iter().map(location).collect(),
    }
}

fn results(report: &Report) -> Vec<ResultOf<'_>> {
    let mut seen = HashMap::new();
    let mut results = Vec::new();
    for finding in report.drifts() {
        let claim = identity(finding);
        let occurrence = seen.entry(claim.clone()).and_modify(|count| *count += 1).or_insert(1);
        results.push(result(finding, format!("{claim}:{occurrence}")));
    }
    results
}

/// What makes a claim the same wherever its lines move. No name holds a NUL, so no two run together alike.
fn identity(finding: &Finding) -> String {
    let parts = [finding.citation.path.as_str(), finding.rule.id(), &finding.text];
    Digest::of(parts.join("\0").as_bytes()).hex()
}

fn result(finding: &Finding, claim: String) -> ResultOf<'_> {
    let path = &finding.citation.path;
    let region = Lines { properties: Some(Bytes::of(finding.span)), ..Lines::between(finding.start.0, finding.end.0) };
    let section = LogicalLocation { fully_qualified_name: finding.citation.label() };
    ResultOf {
        rule_id: finding.rule.id(),
        rule_index: Rule::DRIFT.iter().position(|rule| *rule == finding.rule),
        level: "error",
        message: Message::of(&explained(finding)),
        locations: [Location { logical_locations: vec![section], ..Location::of(path, Some(region)) }],
        partial_fingerprints: Fingerprints { claim },
        related_locations: finding.evidence.defined_at.iter().map(|place| definition(place)).collect(),
        fixes: finding.fix.iter().map(|fix| change(path, fix)).collect(),
    }
}

/// The place of a definition, `path:line` or a path alone.
fn definition(place: &str) -> Location {
    let split = place.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?)));
    let location = match split.filter(|(_, line)| *line > 0) {
        Some((path, line)) => Location::of(path, Some(Lines::between(line, line))),
        None => Location::of(place, None),
    };
    Location { message: Some(Message::of("defined here")), ..location }
}

fn change<'a>(path: &str, fix: &'a Fix) -> Change<'a> {
    let inserted_content = Content { text: &fix.replacement, binary: base64(fix.replacement.as_bytes()) };
    let replacement = Replacement { deleted_region: Bytes::of(fix.span), inserted_content };
    let change = ArtifactChange { artifact_location: ArtifactLocation::of(path), replacements: [replacement] };
    let description = Message::of(&format!("replace with {}", visible(&quoted(&fix.replacement))));
    Change { description, artifact_changes: [change] }
}

impl Message {
    /// Plain text in which nothing is a placeholder (§3.11.5) or an embedded link (§3.11.6; there is no escape for
    /// one, so its two halves are parted).
    fn of(text: &str) -> Self {
        Self { text: text.replace('{', "{{").replace('}', "}}").replace("](", "] (") }
    }
}

impl Location {
    fn of(path: &str, region: Option<Lines>) -> Self {
        let physical_location = PhysicalLocation { artifact_location: ArtifactLocation::of(path), region };
        Self { physical_location, logical_locations: Vec::new(), message: None }
    }
}

impl ArtifactLocation {
    fn of(path: &str) -> Self {
        Self { uri: uri(path), uri_base_id: "%SRCROOT%" }
    }
}

impl Lines {
    fn between(start_line: usize, end_line: usize) -> Self {
        Self { start_line, end_line, properties: None }
    }
}

impl Bytes {
    fn of(span: Span) -> Self {
        Self { byte_offset: span.start, byte_length: span.len() }
    }
}

/// A relative path as a URI reference. All but RFC 3986's unreserved characters is encoded, the colon too, which
/// would make a scheme of what stands before it.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Base64 of RFC 4648 with padding; fixes are short and rare, so it is not worth a crate.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(chunk.get(at).copied().unwrap_or_default()));
        for digit in 0..4 {
            let is_padding = digit > chunk.len();
            out.push(if is_padding { '=' } else { char::from(DIGITS[bits >> (18 - 6 * digit) & 63]) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::example::{ODD_PATH, report};
    use super::*;

    fn rendered(report: &Report) -> Value {
        serde_json::from_str(&sarif(report)).expect("JSON")
    }

    /// What is used of the official schema: the same names, types and bounds, closed.
    fn schema() -> Value {
        let closed = |required: Value, properties: Value| {
            json!({
                "type": "object",
                "additionalProperties": false,
                "required": required,
                "properties": properties,
            })
        };
        let list = |items: Value| json!({"type": "array", "items": items});
        let level = json!({"enum": ["none", "note", "warning", "error"]});
        let message = closed(json!(["text"]), json!({"text": {"type": "string", "minLength": 1}}));
        let file = closed(
            json!(["uri", "uriBaseId"]),
            json!({
                "uri": {"type": "string", "pattern": "^([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"},
                "uriBaseId": {"const": "%SRCROOT%"},
            }),
        );
        let bytes =
            json!({"byteOffset": {"type": "integer", "minimum": 0}, "byteLength": {"type": "integer", "minimum": 0}});
        let bytes = closed(json!(["byteOffset", "byteLength"]), bytes);
        let line = json!({"type": "integer", "minimum": 1});
        let region = closed(json!(["startLine"]), json!({"startLine": line, "endLine": line, "properties": bytes}));
        let physical = closed(json!(["artifactLocation"]), json!({"artifactLocation": file, "region": region}));
        let logical = closed(json!(["fullyQualifiedName"]), json!({"fullyQualifiedName": {"type": "string"}}));
        let location = closed(
            json!(["physicalLocation"]),
            json!({"physicalLocation": physical, "logicalLocations": list(logical), "message": message}),
        );
        let content = closed(
            json!(["binary"]),
            json!({
                "text": {"type": "string"},
                "binary": {"type": "string", "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==|[A-Za-z0-9+/]=))?$"},
            }),
        );
        let replacement = closed(json!(["deletedRegion"]), json!({"deletedRegion": bytes, "insertedContent": content}));
        let artifact = closed(
            json!(["artifactLocation", "replacements"]),
            json!({"artifactLocation": file, "replacements": list(replacement)}),
        );
        let fix =
            closed(json!(["artifactChanges"]), json!({"description": message, "artifactChanges": list(artifact)}));
        let result = closed(
            json!(["message", "ruleId", "locations"]),
            json!({
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0, "maximum": Rule::DRIFT.len() - 1},
                "level": level,
                "message": message,
                "locations": list(location.clone()),
                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                "relatedLocations": list(location.clone()),
                "fixes": list(fix),
            }),
        );
        let rule = closed(
            json!(["id"]),
            json!({
                "id": {"type": "string"},
                "shortDescription": message,
                "defaultConfiguration": closed(json!([]), json!({"level": level})),
            }),
        );
        let driver = closed(
            json!(["name"]),
            json!({"name": {"const": "inkwell"}, "version": {"type": "string"}, "rules": list(rule)}),
        );
        let notification =
            closed(json!(["message"]), json!({"level": level, "message": message, "locations": list(location)}));
        let invocation = closed(
            json!(["executionSuccessful"]),
            json!({"executionSuccessful": {"type": "boolean"}, "toolExecutionNotifications": list(notification)}),
        );
        let run = closed(
            json!(["tool"]),
            json!({
                "tool": closed(json!(["driver"]), json!({"driver": driver})),
                "invocations": list(invocation),
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": list(result),
            }),
        );
        closed(
            json!(["version", "runs"]),
            json!({"$schema": {"type": "string"}, "version": {"const": "2.1.0"}, "runs": list(run)}),
        )
    }

    #[test]
    fn reports_follow_the_format() {
        let schema = jsonschema::validator_for(&schema()).expect("a JSON Schema");
        for report in [report(), Report::default()] {
            let value = rendered(&report);
            let errors: Vec<String> =
                schema.iter_errors(&value).map(|error| format!("{error} at {}", error.instance_path())).collect();
            assert_eq!(errors, Vec::<String>::new());
        }
    }

    #[test]
    fn a_drift_is_this_result() {
        let claim = Digest::of(b"docs/a.md\0missing-path\0src/a.rs");
        let message = "`src/a.rs` drift detected (see src/a.rs: file does not exist)\n\
                       removed in: 1a2b3c4\nrenamed: `src/b.rs`\nfix: replace with `src/b.rs`";
        let file = json!({"uri": "docs/a.md", "uriBaseId": "%SRCROOT%"});
        let expected = json!({
            "ruleId": "missing-path",
            "ruleIndex": 5,
            "level": "error",
            "message": {"text": message},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": file,
                    "region": {"startLine": 12, "endLine": 12, "properties": {"byteOffset": 120, "byteLength": 8}},
                },
                "logicalLocations": [{"fullyQualifiedName": "docs/a.md#setup"}],
            }],
            "partialFingerprints": {"claim/v1": format!("{}:1", claim.hex())},
            "fixes": [{
                "description": {"text": "replace with `src/b.rs`"},
                "artifactChanges": [{
                    "artifactLocation": file,
                    "replacements": [{
                        "deletedRegion": {"byteOffset": 120, "byteLength": 8},
                        "insertedContent": {"text": "src/b.rs", "binary": "c3JjL2IucnM="},
                    }],
                }],
            }],
        });
        assert_eq!(rendered(&report())["runs"][0]["results"][0], expected);
    }

    #[test]
    fn names_can_not_break_uris_or_messages() {
        let result = &rendered(&report())["runs"][0]["results"][2];
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "docs/%C3%BC%20%231%2C%20a%3Ab%20%26%20%22c%22.md");
        assert_eq!(crate::cite::decode(&uri(ODD_PATH)), ODD_PATH);
        let expected = "`é\\u{{a}}\\u{{1b}}[31m\"]]>&<b>{{0}}::` drift detected \
                        (see src/x.rs: symbol 'é\\u{{a}}\\u{{1b}}[31m\"]]>&<b>{{0}}::' not found)\n\
                        defined: src/y z.rs:7\nhint: did you mean `parse`?";
        assert_eq!(result["message"]["text"], expected);
        assert_eq!(Message::of("see [x](1)").text, "see [x] (1)");
    }

    #[test]
    fn a_definition_is_a_related_location() {
        let expected = json!([{
            "physicalLocation": {
                "artifactLocation": {"uri": "src/y%20z.rs", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 7, "endLine": 7},
            },
            "message": {"text": "defined here"},
        }]);
        assert_eq!(rendered(&report())["runs"][0]["results"][2]["relatedLocations"], expected);
        let whole = serde_json::to_value(definition("src/a.rs")).expect("JSON");
        assert_eq!(
            whole["physicalLocation"],
            json!({"artifactLocation": {"uri": "src/a.rs", "uriBaseId": "%SRCROOT%"}})
        );
    }

    #[test]
    fn fingerprints_outlive_moved_lines_and_tell_repetitions_apart() {
        let prints = |report: &Report| -> Vec<Value> {
            let value = rendered(report);
            let results = value["runs"][0]["results"].as_array().expect("an array");
            results.iter().map(|result| result["partialFingerprints"]["claim/v1"].clone()).collect()
        };
        let before = prints(&report());
        assert_ne!(before[0], before[1]);
        let mut moved = report();
        moved.claims.iter_mut().for_each(|claim| claim.start.0 += 7);
        assert_eq!(prints(&moved), before);
    }

    #[test]
    fn remarks_are_notifications() {
        let expected = json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": [
                {
                    "level": "warning",
                    "message": {"text": "this suppresses nothing"},
                    "locations": [{"physicalLocation": {
                        "artifactLocation": {"uri": "docs/a.md", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 3, "endLine": 3},
                    }}],
                },
                {"level": "warning", "message": {"text": "the history is cut short,\\u{{1b}} 100%"}},
            ],
        }]);
        assert_eq!(rendered(&report())["runs"][0]["invocations"], expected);
    }

    #[test]
    fn every_rule_of_drift_is_in_the_table() {
        let value = rendered(&Report::default());
        let rules = value["runs"][0]["tool"]["driver"]["rules"].as_array().expect("an array");
        assert_eq!(rules.len(), Rule::DRIFT.len());
        let expected = json!({
            "id": "broken-link",
            "shortDescription": {"text": "A link or image leads to a file that does not exist."},
            "defaultConfiguration": {"level": "error"},
        });
        assert_eq!(rules[0], expected);
    }

    #[test]
    fn base64_is_padded() {
        let encoded = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
