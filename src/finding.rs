//! What was found out about a claim of the docs: verdict, rule, place, evidence and fix; and the report of a check.
//!
//! The one table of rule ids is here. Nothing here decides or renders.

use std::fmt;

use crate::cite::Citation;
use crate::span::Span;

/// Whether the code agrees with what the docs say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The code holds what the docs name.
    Verified,
    /// It is proven that the docs name something that is no longer so. Holds what stands in the brackets of
    /// `drift detected (…)`: `see PATH: file does not exist`, or a judge's reason.
    Drifted(String),
    /// Nothing speaks for or against it.
    Uncorroborated,
}

impl Verdict {
    /// The verdict without its proof: one of three phrases (contracts G).
    pub fn phrase(&self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Drifted(_) => "drift detected",
            Self::Uncorroborated => "could not corroborate",
        }
    }

    /// What a drift is proven by; `None` for the other verdicts.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Drifted(detail) => Some(detail),
            Self::Verified | Self::Uncorroborated => None,
        }
    }
}

/// The verdict as the response prints it (contracts A1).
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail() {
            Some(detail) => write!(f, "{} ({detail})", self.phrase()),
            None => f.write_str(self.phrase()),
        }
    }
}

/// What kind of thing a claim names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A file or folder: `src/a.rs`.
    Path,
    /// A symbol of a file: `src/a.rs:parse`.
    PathSymbol,
    /// A line of a file: `src/a.rs:42`.
    PathLine,
    /// A member of a container: `Config::load`, `module.func`.
    Member,
    /// A bare name: `parse_config`.
    Symbol,
    /// A command line option: `--dry-run`.
    Flag,
    /// An environment variable: `LOG_LEVEL`.
    Env,
    /// A configuration key: `cache.ttl`, `max-size`.
    Key,
    /// A link or image inside the repository.
    Link,
    /// A sentence about behaviour, which only a judge can decide.
    Behaviour,
}

impl Kind {
    /// The kind's name in JSON and in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::PathSymbol => "path-symbol",
            Self::PathLine => "path-line",
            Self::Member => "member",
            Self::Symbol => "symbol",
            Self::Flag => "flag",
            Self::Env => "env",
            Self::Key => "key",
            Self::Link => "link",
            Self::Behaviour => "behaviour",
        }
    }
}

/// Why a claim has its verdict. The rules of drift carry the id that suppressions, baselines and SARIF know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// The file, folder, line or heading is there.
    Exists,
    /// The code defines the name.
    Defined,
    /// The name stands in code or in a string, but no definition of it was looked for or found.
    Mentioned,
    /// A link or image leads to a file that is not there.
    BrokenLink,
    /// A link leads to a page that has no such heading.
    MissingAnchor,
    /// A line number is past the end of the file.
    MissingLine,
    /// A file or folder that was there is gone.
    MissingPath,
    /// The named file does not define the symbol.
    MissingSymbol,
    /// The container has no such member.
    MissingMember,
    /// A name that the project defined is gone.
    RemovedName,
    /// The program has no such option.
    UnknownFlag,
    /// Nothing reads such a variable or key, and its neighbours in the same list are read.
    UnknownSetting,
    /// A judge found that the code does otherwise.
    Contradicted,
    /// There is no proof either way; the finding's reason says why.
    Unproven,
}

impl Rule {
    /// Every rule that can report a drift, in the order of their ids.
    pub const DRIFT: [Self; 10] = [
        Self::BrokenLink,
        Self::Contradicted,
        Self::MissingAnchor,
        Self::MissingLine,
        Self::MissingMember,
        Self::MissingPath,
        Self::MissingSymbol,
        Self::RemovedName,
        Self::UnknownFlag,
        Self::UnknownSetting,
    ];

    /// The rule's id, stable across versions.
    pub fn id(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::Defined => "defined",
            Self::Mentioned => "mentioned",
            Self::BrokenLink => "broken-link",
            Self::MissingAnchor => "missing-anchor",
            Self::MissingLine => "missing-line",
            Self::MissingPath => "missing-path",
            Self::MissingSymbol => "missing-symbol",
            Self::MissingMember => "missing-member",
            Self::RemovedName => "removed-name",
            Self::UnknownFlag => "unknown-flag",
            Self::UnknownSetting => "unknown-setting",
            Self::Contradicted => "contradicted",
            Self::Unproven => "unproven",
        }
    }

    /// One sentence about what the rule reports, for reports that explain their rules.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Exists => "The file, folder, line or heading exists.",
            Self::Defined => "The code defines the name.",
            Self::Mentioned => "The name stands in the code.",
            Self::BrokenLink => "A link or image leads to a file that does not exist.",
            Self::MissingAnchor => "A link leads to a heading that does not exist.",
            Self::MissingLine => "A line number is past the end of the file.",
            Self::MissingPath => "The docs name a file or folder that is no longer there.",
            Self::MissingSymbol => "The docs name a symbol that its file does not define.",
            Self::MissingMember => "The docs name a member that its container does not have.",
            Self::RemovedName => "The docs name something that the project used to define.",
            Self::UnknownFlag => "The docs name an option that the program does not have.",
            Self::UnknownSetting => "The docs name a setting that nothing reads.",
            Self::Contradicted => "The code does otherwise than the docs say.",
            Self::Unproven => "There is no proof either way.",
        }
    }
}

/// What a verdict rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Where the code defines or mentions it, `path:line` with a 1-based line, or a path alone.
    pub defined_at: Option<String>,
    /// The commit that removed it, abbreviated.
    pub removed_in: Option<String>,
    /// What it is called now: a name, or a path.
    pub renamed_to: Option<String>,
    /// A name that is spelt nearly so; a hint, never a proof.
    pub near: Option<String>,
}

/// The exact replacement that makes a claim true again. Offered only for proven, unique renames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The bytes of the docs file that are replaced.
    pub span: Span,
    /// What stands there instead.
    pub replacement: String,
}

/// A claim of the docs with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The section that makes the claim.
    pub citation: Citation,
    /// The bytes of the claim in the docs file, code marks included.
    pub span: Span,
    /// The 1-based line and byte column of its first byte.
    pub start: (usize, usize),
    /// The 1-based line and byte column just past its last byte.
    pub end: (usize, usize),
    /// What the claim says: a code span's text without its backticks, or a link's destination.
    pub text: String,
    /// What kind of thing it names.
    pub kind: Kind,
    /// Why it has its verdict.
    pub rule: Rule,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in words: lower case, no full stop. For a drift the text in the brackets of the verdict.
    pub reason: String,
    /// What the verdict rests on.
    pub evidence: Evidence,
    /// How to make it true again, where that is proven.
    pub fix: Option<Fix>,
}

/// How many claims got which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Docs files that were checked.
    pub pages: usize,
    /// All claims.
    pub claims: usize,
    /// Claims that the code confirms.
    pub verified: usize,
    /// Claims that are proven wrong, those suppressed or in the baseline left out.
    pub drifted: usize,
    /// Claims without proof either way, those suppressed or in the baseline included.
    pub uncorroborated: usize,
    /// Drifts that a comment in the docs suppresses.
    pub suppressed: usize,
    /// Drifts that the baseline knows.
    pub baselined: usize,
}

/// Something about the check itself that its reader should know: a suppression that suppresses nothing, a history
/// that is cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The docs file and 1-based line that it is about, if it is about one.
    pub place: Option<(String, usize)>,
    /// What it says: lower case, no full stop.
    pub text: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many claims got which verdict.
    pub summary: Summary,
    /// Every claim that was checked, by path and place; the drifts that count are among them.
    pub claims: Vec<Finding>,
    /// What should be known about the check.
    pub remarks: Vec<Remark>,
}

impl Report {
    /// The claims that are proven wrong, by path and place.
    pub fn drifts(&self) -> impl Iterator<Item = &Finding> {
        self.claims.iter().filter(|finding| matches!(finding.verdict, Verdict::Drifted(_)))
    }
}
