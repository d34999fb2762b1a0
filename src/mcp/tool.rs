//! The tools and their arguments: the one table that schemas, checks and messages are made from.

/// A tool of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Answers a question.
    Query,
    /// Lists sections by words.
    Search,
    /// Gives the text of a section.
    Read,
    /// Compares docs with code.
    Check,
}

/// An argument of a tool.
#[derive(Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it can be.
    pub kind: Kind,
    /// Whether a call without it makes no sense.
    pub is_required: bool,
    /// What it is for, to be shown to a model.
    pub about: &'static str,
    /// What other servers call it.
    pub aliases: &'static [&'static str],
}

/// What an argument can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text that is not blank.
    Text,
    /// A list of such texts.
    Texts,
    /// A whole number.
    Number {
        /// The least that it can be.
        least: usize,
        /// The most that it can be.
        most: usize,
        /// What it is where nothing is said; `None` where that depends.
        default: Option<usize>,
    },
}

/// The largest budget, in tokens.
pub const BUDGET_LIMIT: usize = 20_000;

const BUDGET: Argument = Argument {
    name: "budget",
    kind: Kind::Number { least: 200, most: BUDGET_LIMIT, default: Some(4000) },
    is_required: false,
    about: "Tokens that the result may take, about.",
    aliases: &["max_tokens", "tokens", "token_budget", "maxtokens"],
};

const ROOT: Argument = Argument {
    name: "root",
    kind: Kind::Text,
    is_required: false,
    about: "The project's folder; needed only where the client has several roots.",
    aliases: &["project", "repo", "repository", "cwd", "workspace", "dir"],
};

const OFFSET: Argument = Argument {
    name: "offset",
    kind: Kind::Number { least: 0, most: 100_000, default: Some(0) },
    is_required: false,
    about: "How many results to pass over, to go on where the last call ended.",
    aliases: &["skip", "start", "cursor"],
};

const LIMIT_NAMES: &[&str] = &["top", "n", "k", "top_k", "max_results", "count", "num_results", "max"];

const QUERY: &[Argument] = &[
    Argument {
        name: "question",
        kind: Kind::Text,
        is_required: true,
        about: "The question, in your own words; nothing in it is syntax.",
        aliases: &["q", "query", "text", "prompt", "input", "search"],
    },
    Argument {
        name: "limit",
        kind: Kind::Number { least: 1, most: 20, default: Some(5) },
        is_required: false,
        about: "Sections to cite, at most.",
        aliases: LIMIT_NAMES,
    },
    BUDGET,
    ROOT,
];

const SEARCH: &[Argument] = &[
    Argument {
        name: "text",
        kind: Kind::Text,
        is_required: true,
        about: "Words, or: \"a phrase\", word*, AND, OR, NOT, title:word, tag:x, in:path.",
        aliases: &["q", "query", "pattern", "keywords", "question", "words", "search"],
    },
    Argument {
        name: "limit",
        kind: Kind::Number { least: 1, most: 100, default: Some(10) },
        is_required: false,
        about: "Sections to list, at most.",
        aliases: LIMIT_NAMES,
    },
    OFFSET,
    BUDGET,
    ROOT,
];

const READ: &[Argument] = &[
    Argument {
        name: "target",
        kind: Kind::Text,
        is_required: true,
        about: "path#anchor as in any result, or a path alone for the whole page.",
        aliases: &["path", "file", "uri", "url", "section", "anchor", "citation", "name", "id", "link"],
    },
    Argument {
        name: "from_line",
        kind: Kind::Number { least: 1, most: 10_000_000, default: None },
        is_required: false,
        about: "The line of the file to begin at, counted from 1, to go on where the last call ended.",
        aliases: &["line", "start_line", "line_start", "offset", "start"],
    },
    BUDGET,
    ROOT,
];

const CHECK: &[Argument] = &[
    Argument {
        name: "paths",
        kind: Kind::Texts,
        is_required: false,
        about: "Docs files and folders to check, relative to the project; all docs without it.",
        aliases: &["path", "files", "file", "docs", "targets", "target"],
    },
    Argument {
        name: "changed",
        kind: Kind::Text,
        is_required: false,
        about: "A git revision such as HEAD: check only docs that differ from it, and what other docs say of changed code.",
        aliases: &["rev", "revision", "since", "base", "diff"],
    },
    OFFSET,
    BUDGET,
    ROOT,
];

impl Tool {
    /// All tools, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Query, Self::Search, Self::Read, Self::Check];

    /// The tool of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Its name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Search => "search",
            Self::Read => "read",
            Self::Check => "check",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Query => "Ask the docs",
            Self::Search => "Search the docs",
            Self::Read => "Read a section",
            Self::Check => "Check the docs against the code",
        }
    }

    /// What it is for, to be shown to a model.
    pub fn about(self) -> &'static str {
        match self {
            Self::Query => {
                "Answers a question from this project's documentation as it is on disk now, with the sections that say \
                 so and whether the code agrees. No sources: the docs don't say it."
            }
            Self::Search => "Lists sections of the docs that hold some words, best first, each with one line of it.",
            Self::Read => "Gives the text of a section or page of the docs, by a name from any result.",
            Self::Check => {
                "Reports what the docs say that is no longer so in the code, each with a proof. No findings: nothing is \
                 proven wrong."
            }
        }
    }

    /// Its arguments, the most important first.
    pub fn arguments(self) -> &'static [Argument] {
        match self {
            Self::Query => QUERY,
            Self::Search => SEARCH,
            Self::Read => READ,
            Self::Check => CHECK,
        }
    }

    /// The argument of this name.
    pub fn argument(self, name: &str) -> Option<&'static Argument> {
        self.arguments().iter().find(|argument| argument.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_alias_is_the_name_of_an_argument() {
        for tool in Tool::ALL {
            for alias in tool.arguments().iter().flat_map(|argument| argument.aliases) {
                assert_eq!(tool.argument(alias), None, "{} {alias}", tool.name());
            }
        }
    }

    #[test]
    fn descriptions_are_short() {
        for tool in Tool::ALL {
            assert!(tool.about().len() < 200, "{}", tool.name());
            assert!(tool.arguments().iter().all(|argument| argument.about.len() < 120), "{}", tool.name());
        }
    }
}
