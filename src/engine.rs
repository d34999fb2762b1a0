//! Opens a project and answers from it. This is the only place that knows the order of the stages:
//! walk, sync, retrieve, answer, corroborate. It renders nothing and prints nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use inkwell_index::{Language, Store, Weights};

use crate::answer::answer;
use crate::asked::Asked;
use crate::check::{self, Cited, Options, Project};
use crate::cite::{Citation, clip, plain, snippet, visible};
use crate::claim::Class;
use crate::codebase::Codebase;
use crate::config::{self, AnchorChoice, Config, Environment, Overrides};
use crate::digest::Digest;
use crate::error::Error;
use crate::finding::{Report, Verdict};
use crate::grounded::ground::{Grounds, ground};
use crate::judge::{Case, Judge, behavioural};
use crate::page::Page;
use crate::parse::anchor::SiteStyle;
use crate::response::{Corroboration, Response, SECTION_LINES, Source};
use crate::retrieve::{Library, Pages, Passage, Retrieved, look_up, retrieve};
use crate::span::Span;
use crate::sync::{Mode, Progress, Synced, Tree, sync};
use crate::walk::{self, Listing, OtherTree, Root};

/// How often a question is asked again because a file changed under it.
const STALE_RETRIES: usize = 2;

/// How long all sections of a question may be judged together.
const JUDGE_BUDGET: Duration = Duration::from_secs(60);

/// A project whose docs can be asked.
pub struct Engine {
    /// Where the project is.
    pub root: Root,
    /// The settings that hold.
    pub config: Config,
    /// What the parts of a score weigh: the default, unless somebody measures.
    pub weights: Weights,
    /// Pages that have a class by the settings.
    classes: Vec<(walk::RepoPath, Class)>,
    style: SiteStyle,
    language: Language,
    store: Option<Store>,
    /// Why there is no index on disk, if there is none.
    store_note: Option<String>,
}

/// The docs as they are now, and the index that is true for them.
pub struct State {
    /// Which files there are.
    pub listing: Listing,
    /// The index.
    pub synced: Synced,
}

impl State {
    /// How many files can be asked.
    pub fn documents(&self) -> usize {
        self.synced.snapshot.manifest().files.iter().filter(|record| record.skipped.is_none()).count()
    }

    /// The files that are left out, with the reason, sorted by path.
    pub fn skipped(&self) -> Vec<(String, String)> {
        let walked = self.listing.skipped.iter().map(|skipped| (skipped.path.clone(), skipped.reason.to_string()));
        let files = &self.synced.snapshot.manifest().files;
        let read = files.iter().filter_map(|record| Some((record.path.clone(), record.skipped.clone()?)));
        let shown = |(path, reason): (String, String)| (visible(&path), reason);
        let mut all: Vec<(String, String)> = walked.chain(read).map(shown).collect();
        all.sort();
        all
    }

    /// What is wrong with files that are indexed all the same: path and problem, sorted by path.
    pub fn problems(&self) -> Vec<(&str, &str)> {
        let files = &self.synced.snapshot.manifest().files;
        files
            .iter()
            .flat_map(|record| record.problems.iter().map(|text| (record.path.as_str(), text.as_str())))
            .collect()
    }

    /// The same for the files that were read in this run: what is worth saying once.
    pub fn new_problems(&self) -> Vec<(&str, &str)> {
        let read = &self.synced.changed.indexed;
        let is_new = |path: &str| read.binary_search_by(|known| known.as_str().cmp(path)).is_ok();
        self.problems().into_iter().filter(|(path, _)| is_new(path)).collect()
    }

    /// How many passages can be found.
    pub fn passages(&self) -> u64 {
        self.synced.snapshot.manifest().files.iter().map(|record| u64::from(record.entries)).sum()
    }
}

/// A line of a search's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The section.
    pub citation: Citation,
    /// The 1-based line of the best match.
    pub line: usize,
    /// Tags of the page.
    pub tags: Vec<String>,
    /// One line from the part that matched.
    pub snippet: String,
}

impl Engine {
    /// Opens the project that `start` is in: `root` itself where it is given.
    ///
    /// # Errors
    /// When the root can't be opened or a setting makes no sense.
    pub fn open(root: Root, environment: &Environment, overrides: &Overrides) -> Result<Self, Error> {
        let config = config::load(&root, environment, overrides)?;
        let root = root.with_size_limit(config.max_file_size);
        let style = match config.anchors {
            AnchorChoice::Auto => config::detect_style(&root, &config.docs),
            AnchorChoice::Style(style) => style,
        };
        let language = Language::named(&config.language)
            .ok_or_else(|| Error::UnknownLanguage { name: config.language.clone() })?;
        let (store, store_note) = match open_store(&root, &config) {
            Ok(store) => (Some(store), None),
            Err(reason) => (None, Some(format!("{reason}; this run keeps its index in memory"))),
        };
        let historical = config.historical.iter().map(|tree| (tree.clone(), Class::Historical));
        let planned = config.planned.iter().map(|tree| (tree.clone(), Class::Planned));
        let classes = historical.chain(planned).collect();
        Ok(Self { root, config, weights: Weights::default(), classes, style, language, store, store_note })
    }

    /// Whether an index of a project is on disk already. Unlike [`Engine::open`] it makes nothing.
    ///
    /// # Errors
    /// When a setting makes no sense.
    pub fn is_indexed(root: &Root, environment: &Environment, overrides: &Overrides) -> Result<bool, Error> {
        let config = config::load(root, environment, overrides)?;
        Ok(index_dir(root, &config).is_ok_and(|dir| dir.exists()))
    }

    /// Lists the docs as they are now, without reading any.
    ///
    /// # Errors
    /// When the root is gone.
    pub fn docs(&self) -> Result<Listing, Error> {
        walk::docs(&self.root, &self.config.docs)
    }

    /// The anchor rule that links follow.
    pub fn style(&self) -> SiteStyle {
        self.style
    }

    /// The directory of the project's index; `None` where there is none on disk.
    pub fn index_dir(&self) -> Option<PathBuf> {
        self.store.as_ref().and_then(|_| index_dir(&self.root, &self.config).ok())
    }

    /// Brings the index up to date with the files.
    ///
    /// # Errors
    /// When the root is gone or the engine fails even in memory.
    pub fn refresh(&self, mode: Mode, progress: Progress<'_>) -> Result<State, Error> {
        let listing = walk::docs(&self.root, &self.config.docs)?;
        let tree = Tree { root: &self.root, listing: &listing };
        let mut synced = match guarded(|| sync(tree, self.store.as_ref(), mode, progress)) {
            Err(inkwell_index::Error::Damaged(_)) => sync(tree, self.store.as_ref(), Mode::Rebuild, progress)?,
            outcome => outcome?,
        };
        synced.notes.extend(self.store_note.clone());
        Ok(State { listing, synced })
    }

    /// Answers a question with at most `limit` sections.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn query(&self, state: &mut State, question: &str, limit: usize) -> Result<Response, Error> {
        let retrieved = self.fresh(state, |library| retrieve(library, question, limit))?;
        Ok(self.respond(question, &retrieved))
    }

    /// Answers a question with at most `limit` sections, and says what each sentence stands on. Nothing is corroborated.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn ground(&self, state: &mut State, question: &str, limit: usize) -> Result<Grounds, Error> {
        let retrieved = self.fresh(state, |library| retrieve(library, question, limit))?;
        let answer = answer(question, &retrieved, &Asked::of(&retrieved, self.language));
        Ok(ground(question, &retrieved.passages, &answer))
    }

    /// Finds at most `limit` sections by the syntax of the search command.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn search(&self, state: &mut State, text: &str, limit: usize) -> Result<Vec<Line>, Error> {
        let found = self.fresh(state, |library| look_up(library, text, limit))?;
        let asked = Asked::of(&found, self.language);
        Ok(found.passages.iter().map(|passage| line(passage, &asked)).collect())
    }

    /// Where else the repository keeps docs, for a hint where the configured trees don't exist.
    pub fn other_trees(&self) -> Vec<OtherTree> {
        walk::other_trees(&self.root)
    }

    /// Reads and parses one docs file.
    ///
    /// # Errors
    /// Why the file can't be read, in words.
    pub fn page(&self, path: &walk::RepoPath) -> Result<Page, String> {
        let (text, _) = self.root.read(path).map_err(|reason| reason.to_string())?;
        Ok(Page::parse(path.clone(), text, self.style))
    }

    /// Asks until no file changes under the question, or enough.
    fn fresh(
        &self,
        state: &mut State,
        ask: impl Fn(&Library<'_>) -> Result<Retrieved, inkwell_index::Error>,
    ) -> Result<Retrieved, Error> {
        let mut tries = 0;
        loop {
            let mode = match guarded(|| ask(&self.library(state))) {
                Ok(retrieved) if !retrieved.is_stale || tries == STALE_RETRIES => return Ok(retrieved),
                Ok(_) => Mode::Update,
                Err(error) if tries == STALE_RETRIES => return Err(error.into()),
                // Some damage is met only where a question reads; the files are still there to build from.
                Err(_) => Mode::Rebuild,
            };
            tries += 1;
            *state = self.refresh(mode, &|_, _| {})?;
        }
    }

    fn library<'a>(&'a self, state: &'a State) -> Library<'a> {
        Library {
            pages: Pages::Files(&self.root, self.style),
            snapshot: &state.synced.snapshot,
            language: self.language,
            weights: self.weights,
        }
    }

    /// Checks docs against the code.
    ///
    /// # Errors
    /// When the root is gone, or what was asked for can't be found.
    pub fn check(&self, options: &Options) -> Result<Report, Error> {
        check::check(&self.project(self.index_dir().as_deref()), options)
    }

    /// Whether a page has changes that are not committed.
    pub fn is_edited(&self, path: &walk::RepoPath) -> bool {
        check::is_edited(&self.root, path)
    }

    /// Verdicts on the chunks of a text, one line or more each, in their order (contracts A3).
    pub fn corroborate(&self, chunks: &str) -> Vec<Corroboration> {
        self.corroborated(&check::chunks(&self.project(None), chunks))
    }

    fn project<'a>(&'a self, cache: Option<&'a Path>) -> Project<'a> {
        Project { root: &self.root, docs: &self.config.docs, classes: &self.classes, style: self.style, cache }
    }

    /// The verdicts on some sections: of each those on its names, then the judge's; where there are none, one that says
    /// so. Nothing here can fail the response (contracts A1, A4).
    fn corroborated(&self, cited: &[Cited]) -> Vec<Corroboration> {
        let dir = self.index_dir();
        let looked_up = unfailing(|| check::cited(&self.project(dir.as_deref()), cited));
        let judged = unfailing(|| self.judged(cited, dir.as_deref()));
        let mut lines = Vec::new();
        for (at, section) in cited.iter().enumerate() {
            let mut verdicts = looked_up.get(at).cloned().unwrap_or_default();
            verdicts.extend(judged.get(at).cloned().flatten());
            if verdicts.is_empty() {
                verdicts.push(Verdict::Uncorroborated);
            }
            let line = |verdict| Corroboration { citation: section.citation.clone(), verdict };
            lines.extend(verdicts.into_iter().map(line));
        }
        lines
    }

    /// What the user's judge says of each section; nothing where there is no judge, `None` for a section that says
    /// nothing about behaviour.
    fn judged(&self, cited: &[Cited], folder: Option<&Path>) -> Vec<Option<Verdict>> {
        let Some(command) = &self.config.judge else { return Vec::new() };
        let cases: Vec<Case> = cited.iter().map(|section| self.case(section)).collect();
        if cases.iter().all(|case| case.claims.is_empty()) {
            return Vec::new();
        }
        let timeout = self.config.judge_timeout;
        let judge = Judge { command, timeout, budget: JUDGE_BUDGET, root: self.root.as_path() };
        judge.judge_new(&cases, folder, &Codebase::open(&self.root))
    }

    /// A section as a judge gets it; without claims where it can't be read any more.
    fn case(&self, cited: &Cited) -> Case {
        let citation = cited.citation.label();
        let page = self.page(&cited.path).ok();
        let shown = page.as_ref().and_then(|page| Some((page, page.text.get(cited.span.range())?)));
        match shown {
            Some((page, text)) => Case { citation, section: text.to_owned(), claims: behavioural(page, cited.span) },
            None => Case { citation, section: String::new(), claims: Vec::new() },
        }
    }

    fn respond(&self, question: &str, retrieved: &Retrieved) -> Response {
        let asked = Asked::of(retrieved, self.language);
        let answer = answer(question, retrieved, &asked);
        let sources: Vec<Source> = retrieved.passages.iter().map(|passage| source(passage, &asked)).collect();
        Response {
            question: question.to_owned(),
            status: answer.status,
            answer: if sources.is_empty() { String::new() } else { plain(&answer.text) },
            evidence: answer.evidence,
            missing: answer.missing,
            slips: slips(retrieved),
            corroboration: self.corroborated(&cited(retrieved)),
            sources,
        }
    }
}

/// What the cited sections show of their pages.
fn cited(retrieved: &Retrieved) -> Vec<Cited> {
    let of = |passage: &Passage| {
        let page = &passage.page;
        let shown = page.shown(passage.section, &passage.blocks);
        Cited {
            citation: Citation::of(passage),
            path: page.path.clone(),
            span: first_span(&page.text, shown, SECTION_LINES),
        }
    };
    retrieved.passages.iter().map(of).collect()
}

/// The bytes of the first `limit` lines of a span.
fn first_span(text: &str, span: Span, limit: usize) -> Span {
    let mut ends = text[span.range()].match_indices('\n').map(|(at, _)| span.start + at);
    Span::new(span.start, ends.nth(limit - 1).unwrap_or(span.end))
}

fn source(passage: &Passage, asked: &Asked) -> Source {
    let page = &passage.page;
    let shown = page.shown(passage.section, &passage.blocks);
    Source {
        citation: Citation::of(passage),
        heading: plain(page.heading(passage.section)),
        trail: page.trail(passage.section).into_iter().map(plain).collect(),
        lines: page.lines.range(shown),
        snippet: snippet(passage, asked).text,
        text: first_lines(&page.text, shown, SECTION_LINES),
        score: passage.score,
        parts: passage.parts,
    }
}

fn line(passage: &Passage, asked: &Asked) -> Line {
    let snippet = snippet(passage, asked);
    let tags = passage.page.document.front_matter.tags.iter().map(|tag| clip(tag)).collect();
    Line { citation: Citation::of(passage), line: snippet.line, tags, snippet: snippet.text }
}

/// The words that were read as others, as pairs of what was asked and what the docs hold.
fn slips(retrieved: &Retrieved) -> Vec<(String, Vec<String>)> {
    retrieved.slips.iter().map(|slip| (retrieved.query.units[slip.unit].text.clone(), slip.terms.clone())).collect()
}

/// Runs a read of the index; the full-text engine panics on some damaged files, which is damage and not a bug here.
fn guarded<T>(read: impl FnOnce() -> Result<T, inkwell_index::Error>) -> Result<T, inkwell_index::Error> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(inkwell_index::Error::Damaged("a file of it can't be read".to_owned())))
}

/// What `find` finds, or nothing where a bug of ours ends it: an answer must not fail for want of verdicts.
fn unfailing<T: Default>(find: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(find)).unwrap_or_default()
}

/// The first `limit` lines of a span, without the line end of the last.
pub fn first_lines(text: &str, span: Span, limit: usize) -> String {
    let lines: Vec<&str> = text[span.range()].lines().take(limit).collect();
    lines.join("\n").trim_end().to_owned()
}

fn open_store(root: &Root, config: &Config) -> Result<Store, String> {
    let dir = index_dir(root, config)?;
    Store::open(&dir).map_err(|error| error.to_string())
}

/// Where the index of a project is: in the user's cache directory, named after the root and its docs trees, since
/// an index is of these files and no others.
fn index_dir(root: &Root, config: &Config) -> Result<PathBuf, String> {
    let base = match &config.index_dir {
        Some(dir) => dir.clone(),
        None => cache_dir().ok_or("there is no home directory to keep an index in")?.join("inkwell"),
    };
    let trees: Vec<&str> = config.docs.iter().map(walk::RepoPath::as_str).collect();
    let key = format!("{}\0{}", root.as_path().to_string_lossy(), trees.join("\0"));
    let name = root.as_path().file_name().map_or("root".into(), |name| name.to_string_lossy());
    let readable: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(40).collect();
    Ok(base.join(format!("{readable}-{}", &Digest::of(key.as_bytes()).hex()[..16])))
}

/// The user's cache directory, as the platform has it.
fn cache_dir() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    if let Some(dir) = variable("XDG_CACHE_HOME").filter(|dir| dir.is_absolute()) {
        return Some(dir);
    }
    if cfg!(windows) {
        return variable("LOCALAPPDATA");
    }
    let below = if cfg!(target_os = "macos") { Path::new("Library/Caches") } else { Path::new(".cache") };
    home().map(|home| home.join(below))
}
