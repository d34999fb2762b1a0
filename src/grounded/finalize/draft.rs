//! A draft → what of it can be sealed, or everything that is wrong with it.

use super::super::corpus::Corpus;
use super::super::json::Json;
use super::quotes::{Quote, are_present};
use super::{Answer, Citation, Decision, Refused, Rules, strict};

/// A draft after its check.
#[derive(Default)]
pub struct Draft<'a> {
    /// What can be sealed; `None` where there are findings.
    pub accepted: Option<Accepted<'a>>,
    /// What is wrong.
    pub findings: Vec<String>,
    /// The citations that are.
    pub refused: Vec<Refused<'a>>,
}

/// What can be sealed of a draft.
pub struct Accepted<'a> {
    /// What the draft decided.
    pub decision: Decision,
    /// The answer, with the corpus's titles.
    pub answer: Answer<'a>,
    /// The gaps that it names.
    pub kb_gaps: Vec<&'a str>,
    /// The conflicts that it names.
    pub conflicts: Vec<&'a str>,
}

/// The fields of a draft.
struct Fields<'a> {
    text: &'a str,
    citations: &'a [Json<'a>],
    kb_gaps: Vec<&'a str>,
    conflicts: Vec<&'a str>,
}

/// Checks a draft.
pub fn check<'a>(draft: &'a Json<'a>, corpus: &Corpus<'a>, rules: Rules) -> Draft<'a> {
    let answer = draft.field("answer").unwrap_or(&Json::Null);
    let fields = Fields {
        text: answer.field("text").and_then(Json::text).unwrap_or_default(),
        citations: answer.field("citations").map(Json::items).unwrap_or_default(),
        kb_gaps: texts(draft.field("kb_gaps")),
        conflicts: texts(draft.field("conflicts")),
    };
    let mut checked = match draft.field("decision").and_then(Json::text) {
        Some("answered") => answered(fields, corpus, rules),
        Some("unsupported") => unanswered(Decision::Unsupported, fields),
        Some("conflicted") => unanswered(Decision::Conflicted, fields),
        Some(_) | None => Draft {
            findings: vec!["decision must be answered, unsupported, or conflicted".to_owned()],
            ..Draft::default()
        },
    };
    if rules == Rules::Strict {
        checked.findings.extend(strict::unknown_in_draft(draft));
    }
    checked.accepted = checked.accepted.filter(|_| checked.findings.is_empty());
    checked
}

/// The non-blank strings of a list.
fn texts<'a>(list: Option<&'a Json<'a>>) -> Vec<&'a str> {
    list.map(Json::items).unwrap_or_default().iter().filter_map(Json::text).collect()
}

fn unanswered(decision: Decision, fields: Fields<'_>) -> Draft<'_> {
    let (name, lacks) = match decision {
        Decision::Conflicted => {
            ("conflicted", fields.conflicts.is_empty().then_some("conflicted results require at least one conflict"))
        }
        Decision::Unsupported | Decision::Answered => (
            "unsupported",
            fields.kb_gaps.is_empty().then_some("unsupported results require at least one knowledge-base gap"),
        ),
    };
    let has_answer = !fields.text.is_empty() || !fields.citations.is_empty();
    let answer = has_answer.then(|| format!("{name} results cannot include an answer or citations"));
    let findings = answer.into_iter().chain(lacks.map(str::to_owned)).collect();
    let Fields { kb_gaps, conflicts, .. } = fields;
    let accepted = Accepted { decision, answer: Answer::default(), kb_gaps, conflicts };
    Draft { accepted: Some(accepted), findings, refused: Vec::new() }
}

fn answered<'a>(fields: Fields<'a>, corpus: &Corpus<'a>, rules: Rules) -> Draft<'a> {
    let mut findings: Vec<String> = [
        (fields.text.is_empty(), "answered results require non-empty answer text"),
        (fields.citations.is_empty(), "answered results require at least one citation"),
        (!fields.kb_gaps.is_empty(), "answered results cannot include knowledge-base gaps"),
        (!fields.conflicts.is_empty(), "answered results cannot include unresolved conflicts"),
    ]
    .into_iter()
    .filter(|(is_wrong, _)| *is_wrong)
    .map(|(_, finding)| finding.to_owned())
    .collect();
    let mut citations = Vec::new();
    let mut refused = Vec::new();
    for (index, cited) in cite(fields.citations, corpus).into_iter().enumerate() {
        match cited {
            Ok(citation) => citations.push(citation),
            Err((finding, source_id, quote)) => {
                findings.push(finding);
                refused.push(Refused { number: index + 1, source_id, quote });
            }
        }
    }
    if rules == Rules::Strict {
        let quotes = fields.citations.iter().filter_map(|citation| citation.field("quote")?.text());
        findings.extend(strict::unfounded(fields.text, quotes));
    }
    let answer = Answer { text: fields.text, citations };
    let accepted = Accepted { decision: Decision::Answered, answer, kb_gaps: Vec::new(), conflicts: Vec::new() };
    Draft { accepted: Some(accepted), findings, refused }
}

/// A citation that stands, or the finding with the source and the quote that it names.
type Cited<'a> = Result<Citation<'a>, (String, Option<&'a str>, Option<&'a str>)>;

/// Looks every citation up.
fn cite<'a>(citations: &'a [Json<'a>], corpus: &Corpus<'a>) -> Vec<Cited<'a>> {
    let text = |citation: &'a Json<'a>, name| citation.field(name).and_then(Json::text);
    let named: Vec<_> = citations
        .iter()
        .map(|citation| (text(citation, "source_id"), text(citation, "quote")))
        .map(|(id, quote)| (id, id.and_then(|id| corpus.find(id)), quote))
        .collect();
    let quotes: Vec<Quote<'_>> =
        named.iter().filter_map(|(_, source, quote)| Some(Quote { source: (*source)?, text: (*quote)? })).collect();
    let mut present = are_present(&quotes, corpus).into_iter();
    let cited = |(id, source, quote): (Option<&'a str>, Option<usize>, Option<&'a str>)| {
        let Some(source) = source.map(|at| corpus.sources[at]) else {
            let finding = format!("citation names unknown source: {}", id.unwrap_or("<missing>"));
            return Err((finding, id, quote));
        };
        match quote.filter(|_| present.next().unwrap_or_default()) {
            Some(quote) => Ok(Citation { source_id: source.id, title: source.title, quote }),
            None => Err((format!("citation quote is not present in source: {}", source.id), id, quote)),
        }
    };
    named.into_iter().map(cited).collect()
}
