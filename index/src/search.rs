//! Query → ranked hits: the first stage, over every entry that holds a word of the question.
//!
//! The score is BM25F (Robertson, Zaragoza and Taylor 2004: term frequencies of the fields are weighted, added and
//! only then saturated) plus what the page around a section says, after a study of real questions on real docs.
//! Statistics count living entries only and sums are in the order of the question, so equal trees give equal
//! scores however they came about; ties go by path, then place.

use rustc_hash::{FxHashMap, FxHashSet};
use tantivy::DocId;

use crate::error::Error;
use crate::phrase;
use crate::query::{Match, Query, Unit};
use crate::schema::Field;
use crate::snapshot::{Place, Snapshot};
use crate::terms::{forms, near};
use crate::thesaurus::Kinship;
use crate::touch::{Norms, Touched, add_stand_in, adopt, count, touch};

/// Saturation of term frequencies, the usual BM25 value.
const K1: f32 = 1.2;
/// What a section that holds a quoted passage verbatim gains.
const PHRASE: f32 = 2.0;
/// What a verb keeps of its weight when its join with a particle is found.
const ABSORBED: f32 = 0.3;
/// How many of the best entries are compared page by page and located.
const CANDIDATES: usize = 200;

/// A passage that holds words of the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The file.
    pub path: String,
    /// The section's place in the file, from 0.
    pub section: u32,
    /// The passage's place in the section, from 0.
    pub passage: u32,
    /// The sum that hits are ordered by; comparable within one question only.
    pub score: f32,
    /// What the sum was made of.
    pub parts: Parts,
    /// Which units of the query the passage holds, bit `i` for unit `i`.
    pub matched: u64,
    /// Which of them it doesn't hold but a word that may stand for it.
    pub related: u64,
    /// Which of them its heading holds.
    pub in_heading: u64,
    /// 2 where its heading says the question and nothing else, 1 where the file's name does, 0 otherwise.
    pub tier: u8,
    /// The segment and the entry in it.
    pub(crate) entry: (usize, DocId),
}

/// The parts of a score, to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// BM25F of the passage.
    pub words: f32,
    /// BM25 of its page.
    pub page: f32,
    /// The heading's fit.
    pub heading: f32,
    /// The factor for the page's title, a quoted passage and links to the section.
    pub factor: f32,
    /// What words that the best passages share add, see [`feed_back`](crate::feed_back).
    pub feedback: f32,
    /// The factor for the kind of page.
    pub kind: f32,
    /// What the passage gains because its heading or file name is the question.
    pub named: f32,
}

/// What was found for a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The best hits, best first, a section possibly several times by different passages.
    pub hits: Vec<Hit>,
    /// How many passages hold a word of the question.
    pub total: usize,
    /// What the index knows of each unit of the query.
    pub units: Vec<Rarity>,
    /// Units that no text holds and that were read as near words.
    pub slips: Vec<Slip>,
}

/// A word of the question that no text holds, and the words one slip away that stand in for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slip {
    /// Which unit of the query.
    pub unit: usize,
    /// The words, sorted.
    pub terms: Vec<String>,
}

/// How rare a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rarity {
    /// In how many passages it stands, in any form.
    pub passages: u32,
    /// Its weight in the score: rarity times its weight in the question.
    pub weight: f32,
}

/// Which entries may be hits.
pub(crate) enum Scope {
    /// Every entry that holds a unit of the query.
    All,
    /// Of these, per segment, those that hold a unit; all of these where the query has no units.
    Only(Vec<FxHashSet<DocId>>),
}

impl Scope {
    fn allows(&self, segment: usize, doc: DocId) -> bool {
        match self {
            Self::All => true,
            Self::Only(docs) => docs[segment].contains(&doc),
        }
    }
}

/// Finds the best `limit` passages for `query`.
///
/// # Errors
/// [`Error::Damaged`] or [`Error::Engine`] when the index can't be read.
pub fn search(snapshot: &Snapshot, query: &Query, limit: usize) -> Result<Found, Error> {
    ranked(snapshot, query, &Scope::All, limit)
}

/// Finds the best `limit` passages for `query` inside `scope`.
pub(crate) fn ranked(snapshot: &Snapshot, query: &Query, scope: &Scope, limit: usize) -> Result<Found, Error> {
    let norms = Norms::of(snapshot, &query.weights);
    let mut touches = Vec::with_capacity(query.units.len());
    let mut slips = Vec::new();
    for (index, unit) in query.units.iter().enumerate() {
        let (touched, read_as) = touch_unit(snapshot, query, unit, &norms)?;
        if !read_as.is_empty() {
            slips.push(Slip { unit: index, terms: read_as });
        }
        touches.push(touched);
    }
    let units: Vec<Rarity> = query
        .units
        .iter()
        .zip(&touches)
        .map(|(unit, touch)| rarity(unit, touch, snapshot, query.weights.topic))
        .collect();
    let units = absorbed(query, units);
    let pages = page_scores(snapshot, &touches, &units);
    let content = query.units.iter().enumerate().filter(|(_, unit)| unit.is_content);
    let content = content.fold(0_u64, |mask, (bit, _)| mask | 1 << bit);
    let mut scored = Vec::new();
    for (index, segment) in snapshot.segments.iter().enumerate() {
        let quoted = phrase::holders(snapshot, segment, &query.phrases)?;
        let mut push = |doc: DocId, sums: Sums| {
            let page = segment.pages.first(doc).unwrap_or_default();
            let parts = combine(query, sums, pages.get(&page).copied().unwrap_or_default(), quoted.contains(&doc));
            scored.push(Candidate { segment: index, doc, sums, parts, score: parts.sum() });
        };
        match scope {
            Scope::Only(docs) if query.units.is_empty() => {
                docs[index].iter().for_each(|doc| push(*doc, Sums::default()));
            }
            Scope::All | Scope::Only(_) => {
                score_segment(snapshot, &touches, &units, (index, content), &mut |doc, sums| {
                    if scope.allows(index, doc) {
                        push(doc, sums);
                    }
                })
            }
        }
    }
    let total = scored.len();
    let mut hits = locate(snapshot, best(scored, CANDIDATES.max(limit)), query)?;
    hits.truncate(limit);
    Ok(Found { hits, total, units, slips })
}

/// The entries that hold a unit or a word that may stand for it, and the words that it was read as where no text
/// holds it.
fn touch_unit(
    snapshot: &Snapshot,
    query: &Query,
    unit: &Unit,
    norms: &Norms,
) -> Result<(Vec<Touched>, Vec<String>), Error> {
    let others = |kinship: Kinship| unit.stand_ins.iter().filter(move |other| other.kinship == kinship);
    let touch_other = |word: &str| touch(snapshot, &plain(forms(snapshot, query, word, Match::Forms)?), norms);
    let mut touched = touch(snapshot, &forms(snapshot, query, &unit.text, unit.matching)?, norms)?;
    // Where the docs only have another spelling, it is the word.
    let is_absent = count(&touched) == 0;
    for other in others(Kinship::Same) {
        add_stand_in(&mut touched, touch_other(other.word)?, if is_absent { 1.0 } else { query.weights.same });
    }
    if is_absent {
        adopt(&mut touched);
    }
    let own = touched.iter().flatten().filter(|touch| touch.is_direct).count();
    for other in others(Kinship::Near) {
        let found = touch_other(other.word)?;
        // A common word in the place of a rare one is as telling as the common word is.
        let rarity = idf(snapshot, count(&found)) / idf(snapshot, own.max(1));
        add_stand_in(
            &mut touched,
            found,
            if own == 0 { query.weights.near } else { query.weights.near * rarity.min(1.0) },
        );
    }
    let mut read_as = Vec::new();
    if unit.is_content && unit.matching == Match::Forms && count(&touched) == 0 {
        read_as = near(snapshot, &unit.text)?;
        let forms: Vec<(String, f32)> = read_as.iter().map(|term| (term.clone(), 1.0)).collect();
        touched = touch(snapshot, &forms, norms)?;
    }
    Ok((touched, read_as))
}

/// Forms that count alike, since none of them was asked for.
fn plain(forms: Vec<(String, f32)>) -> Vec<(String, f32)> {
    forms.into_iter().map(|(form, _)| (form, 1.0)).collect()
}

/// Inverse document frequency as BM25 has it, of a word in `count` living entries.
pub(crate) fn idf(snapshot: &Snapshot, count: usize) -> f32 {
    let (entries, count) = (snapshot.totals.entries as f32, count as f32);
    (1.0 + (entries - count + 0.5).max(0.0) / (count + 0.5)).ln()
}

/// How rare a unit is among the living entries, and what it counts therefore.
fn rarity(unit: &Unit, touched: &[Touched], snapshot: &Snapshot, topic_weight: f32) -> Rarity {
    let own = touched.iter().flatten().filter(|touch| touch.is_direct).count();
    let passages = if own == 0 { count(touched) } else { own };
    if passages == 0 {
        return Rarity::default();
    }
    let on_top = touched.iter().flatten().filter(|touch| touch.in_heading || touch.in_title).count() as f32;
    let topic = (on_top / (passages as f32 + 4.0)).min(1.0);
    let weight = idf(snapshot, passages) * unit.weight * (1.0 + topic_weight * topic);
    Rarity { passages: own as u32, weight }
}

/// Takes weight from verbs whose join with a particle is found: "back up" is about backups, not about going back.
fn absorbed(query: &Query, mut units: Vec<Rarity>) -> Vec<Rarity> {
    for (index, unit) in query.units.iter().enumerate() {
        if let Some(verb) = unit.absorbs.filter(|_| units[index].passages > 0) {
            units[verb].weight *= ABSORBED;
        }
    }
    units
}

/// What a frequency is worth: ever less for each further time (BM25).
pub(crate) fn saturate(frequency: f32) -> f32 {
    frequency * (K1 + 1.0) / (K1 + frequency)
}

/// BM25 of whole pages, by the number that stands for the page.
fn page_scores(snapshot: &Snapshot, touches: &[Vec<Touched>], units: &[Rarity]) -> FxHashMap<u64, f32> {
    let length: u64 = snapshot.totals.tokens.iter().sum();
    let average = (length as f32 / snapshot.totals.pages.max(1) as f32).max(1.0);
    let mut scores: FxHashMap<u64, f32> = FxHashMap::default();
    for (touched, unit) in touches.iter().zip(units) {
        // Whole numbers, since a page's sections come in any order and floats would remember it.
        let mut frequencies: FxHashMap<u64, u64> = FxHashMap::default();
        for (segment, touched) in snapshot.segments.iter().zip(touched) {
            for touch in touched {
                let page = segment.pages.first(touch.doc).unwrap_or_default();
                *frequencies.entry(page).or_default() += (touch.raw * 64.0) as u64;
            }
        }
        for (page, frequency) in frequencies {
            let length = snapshot.page_lengths.get(&page).copied().unwrap_or_default() as f32;
            let frequency = frequency as f32 / 64.0 / (0.25 + 0.75 * length / average);
            *scores.entry(page).or_default() += unit.weight * saturate(frequency);
        }
    }
    scores
}

/// What an entry's units add up to.
#[derive(Clone, Copy, Default)]
struct Sums {
    words: f32,
    heading: f32,
    heading_share: f32,
    title_share: f32,
    /// Whether the heading says the question and nothing else.
    is_heading: bool,
    matched: u64,
    related: u64,
    in_heading: u64,
    is_touched: bool,
}

/// Adds up the units of every entry of a segment that holds one, and hands each to `sink`.
fn score_segment(
    snapshot: &Snapshot,
    touches: &[Vec<Touched>],
    units: &[Rarity],
    (index, content): (usize, u64),
    sink: &mut dyn FnMut(DocId, Sums),
) {
    let segment = &snapshot.segments[index];
    let mut sums: Vec<Sums> = vec![Sums::default(); segment.reader.max_doc() as usize];
    let whole: f32 = units.iter().map(|unit| unit.weight).sum();
    for (bit, (touched, unit)) in touches.iter().zip(units).enumerate() {
        for touch in &touched[index] {
            let sum = &mut sums[touch.doc as usize];
            sum.words += unit.weight * saturate(touch.frequency);
            sum.is_touched = true;
            if touch.is_direct {
                sum.matched |= 1 << bit;
            } else {
                sum.related |= 1 << bit;
            }
            if touch.in_heading {
                sum.in_heading |= 1 << bit;
                sum.heading += unit.weight;
                sum.heading_share += 1.0;
            }
            if touch.in_title {
                sum.title_share += 1.0;
            }
        }
    }
    let lengths = |field| segment.reader.get_fieldnorms_reader(snapshot.columns.text(field)).ok();
    let (headings, titles) = (lengths(Field::Heading), lengths(Field::Title));
    for (doc, mut sum) in sums.into_iter().enumerate().filter(|(_, sum)| sum.is_touched) {
        let doc = doc as DocId;
        let share = |count: f32, lengths: &Option<tantivy::fieldnorm::FieldNormReader>| {
            let length = lengths.as_ref().map_or(0, |lengths| lengths.fieldnorm(doc));
            (count / length.max(1) as f32).min(1.0)
        };
        sum.heading_share = share(sum.heading_share, &headings);
        sum.title_share = share(sum.title_share, &titles);
        sum.is_heading = content != 0 && sum.in_heading & content == content && sum.heading_share >= 1.0;
        sum.heading *= sum.heading / whole.max(f32::MIN_POSITIVE) + sum.heading_share;
        sink(doc, sum);
    }
}

fn combine(query: &Query, sums: Sums, page: f32, is_quoted: bool) -> Parts {
    let quoted = if is_quoted { PHRASE } else { 1.0 };
    Parts {
        words: sums.words,
        page: query.weights.page * page,
        heading: query.weights.heading_fit * sums.heading,
        factor: quoted * (1.0 + query.weights.title_fit * sums.title_share),
        feedback: 0.0,
        kind: 1.0,
        named: 0.0,
    }
}

impl Parts {
    fn sum(&self) -> f32 {
        ((self.words + self.page + self.heading) * self.factor + self.feedback) * self.kind + self.named
    }
}

struct Candidate {
    segment: usize,
    doc: DocId,
    sums: Sums,
    parts: Parts,
    score: f32,
}

/// The best `limit` candidates and every other that is as good as the last of them.
fn best(mut scored: Vec<Candidate>, limit: usize) -> Vec<Candidate> {
    if scored.len() <= limit {
        return scored;
    }
    let (_, last, _) = scored.select_nth_unstable_by(limit - 1, |a, b| b.score.total_cmp(&a.score));
    let floor = last.score;
    scored.retain(|candidate| candidate.score >= floor);
    scored
}

/// Finds out where the candidates stand, adds what their kind and the links to them say, and orders them.
fn locate(snapshot: &Snapshot, candidates: Vec<Candidate>, query: &Query) -> Result<Vec<Hit>, Error> {
    let mut hits = Vec::with_capacity(candidates.len());
    for Candidate { segment, doc, sums, mut parts, .. } in candidates {
        let place = snapshot.segments[segment].locate(&snapshot.columns, doc)?;
        let is_news = is_changelog(&place.path);
        parts.kind = if is_news && !query.is_historical { query.weights.changelog } else { 1.0 };
        parts.factor *= 1.0 + query.weights.links * (snapshot.links_to(&place.names)? as f32).ln_1p();
        let is_plain = parts.kind == 1.0 && !is_translation(&place.path);
        let tier = match () {
            () if is_plain && sums.is_heading => 2,
            () if is_plain && query.is_name_of(&place.path) => 1,
            () => 0,
        };
        let Sums { matched, related, in_heading, .. } = sums;
        let Place { path, section, passage, .. } = place;
        let entry = (segment, doc);
        hits.push(Hit { path, section, passage, score: 0.0, parts, matched, related, in_heading, tier, entry });
    }
    order(&mut hits);
    Ok(hits)
}

/// Sums up the parts of each hit and puts the best first. What is named after the question stands above everything
/// that only speaks of it, and a heading above a file, of which every section has the name.
pub(crate) fn order(hits: &mut [Hit]) {
    hits.iter_mut().for_each(|hit| hit.parts.named = 0.0);
    let best = hits.iter().map(|hit| hit.parts.sum()).fold(0.0, f32::max);
    for hit in hits.iter_mut() {
        hit.parts.named = best * f32::from(hit.tier);
        hit.score = hit.parts.sum();
    }
    hits.sort_unstable_by(|a, b| {
        let place = |hit: &Hit| (hit.section, hit.passage);
        b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)).then_with(|| place(a).cmp(&place(b)))
    });
}

/// Whether a page tells what changed rather than how things are, by its name.
fn is_changelog(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let named = ["changelog", "changes", "history", "news", "releases", "release-notes", "release_notes"];
    let inside = ["/changelog/", "/changelogs/", "/release-notes/", "/releases/", "/release_notes/", "/changes/"];
    named.contains(&stem) || inside.iter().any(|part| path.contains(part))
}

/// Whether a page is a translation, by a folder for translations above it. It has the names of its original, which
/// says what it says to more readers.
fn is_translation(path: &str) -> bool {
    path.split('/').any(|folder| ["i18n", "l10n", "translations", "_translated"].contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changelogs_are_known_by_their_name() {
        for path in ["CHANGELOG.md", "docs/changelog.md", "docs/changelog/2024.md", "docs/release-notes.md"] {
            assert!(is_changelog(path), "{path}");
        }
        for path in ["docs/changing-things.md", "docs/guide/release.md"] {
            assert!(!is_changelog(path), "{path}");
        }
    }

    #[test]
    fn translations_are_known_by_their_folder() {
        assert!(is_translation("docs/i18n/ja/backup.md"));
        assert!(!is_translation("docs/guides/i18n.md"));
    }

    #[test]
    fn frequencies_saturate() {
        assert_eq!(saturate(0.0), 0.0);
        assert_eq!(saturate(1.2), 1.1);
        assert!(saturate(1e6) < 2.2);
    }
}
