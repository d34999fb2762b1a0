//! Starts git so that nothing in a repository can run or redirect it.
//!
//! A repository's settings can name programs (file system monitors, hooks, filters, text converters, signature
//! checkers, pagers, transports) and change output. What could apply to the few commands used here is overridden;
//! commands that would filter file contents (`status`, `diff` against the work tree) aren't used at all, because
//! filters can't be switched off as a whole.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why git gave no answer.
#[derive(Debug)]
pub enum Error {
    /// The folder is in no git repository.
    NoRepository {
        /// The folder.
        root: PathBuf,
    },
    /// The program isn't installed, or not on the search path.
    NoGit,
    /// A word names no commit.
    UnknownRevision {
        /// The word.
        revision: String,
    },
    /// The program failed.
    Git {
        /// What was asked, the name of the subcommand.
        attempt: String,
        /// The program's own words, one line without control characters.
        said: String,
    },
    /// The program couldn't be started or talked to.
    Talk(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoRepository { root } => write!(f, "`{}` is in no git repository", root.display()),
            Error::NoGit => write!(f, "`git` isn't installed, or not on the search path"),
            Error::UnknownRevision { revision } => write!(f, "no commit is called `{}`", revision.escape_debug()),
            Error::Git { attempt, said } => write!(f, "`git {attempt}` failed: {said}"),
            Error::Talk(source) => write!(f, "failed to run `git`: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Talk(source) => Some(source),
            Error::NoRepository { .. } | Error::NoGit | Error::UnknownRevision { .. } | Error::Git { .. } => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        if error.kind() == io::ErrorKind::NotFound { Error::NoGit } else { Error::Talk(error) }
    }
}

/// Settings that hold for every command, whatever the repository says.
const SETTINGS: &[&str] = &[
    // These start programs.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=",
    "core.alternateRefsCommand=true",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "log.showSignature=false",
    "protocol.allow=never",
    "maintenance.auto=false",
    "gc.auto=0",
    // A folder that looks like a bare repository has settings of its own.
    "safe.bareRepository=explicit",
    // These read files from elsewhere.
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "diff.orderFile=/dev/null",
    // These change output or cost.
    "core.quotePath=false",
    "core.untrackedCache=false",
    "core.bigFileThreshold=64m",
    "core.deltaBaseCacheLimit=256m",
    "color.ui=false",
    "diff.relative=false",
    "diff.ignoreSubmodules=none",
];

/// A question to git, being put together.
pub(crate) struct Git {
    command: Command,
    attempt: String,
}

impl Git {
    /// Lets git look for the repository of the work tree `top`, which checks who owns it.
    pub(crate) fn found_from(top: &Path) -> Git {
        // Stated here, so that `core.worktree` can't move it.
        let mut git = Git::new(top);
        git.command.env("GIT_WORK_TREE", top);
        git
    }

    /// Asks a repository whose places are known, from a folder in its work tree.
    pub(crate) fn known_at(folder: &Path, git_dir: &Path, top: &Path) -> Git {
        let mut git = Git::new(folder);
        git.command.env("GIT_DIR", git_dir).env("GIT_WORK_TREE", top);
        git
    }

    fn new(folder: &Path) -> Git {
        let mut command = Command::new("git");
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (name, _) in std::env::vars_os() {
            // Settings by environment stay: they are the user's, and CI names safe directories this way.
            let is_redirect = name.to_str().is_some_and(|it| it.starts_with("GIT_") && !it.starts_with("GIT_CONFIG_"));
            if is_redirect {
                command.env_remove(name);
            }
        }
        command
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_GRAFT_FILE", "/dev/null")
            // A list of transports overrides `protocol.<name>.allow`; none has this name.
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("LC_ALL", "C")
            .arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        Git { command, attempt: String::new() }
    }

    /// Uses another index than the repository's own.
    pub(crate) fn index(mut self, path: &Path) -> Git {
        self.command.env("GIT_INDEX_FILE", path);
        self
    }

    /// Adds arguments; the first one ever is the subcommand.
    pub(crate) fn args<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Git {
        for arg in args {
            if self.attempt.is_empty() {
                arg.clone_into(&mut self.attempt);
            }
            self.command.arg(arg);
        }
        self
    }

    /// Runs and returns the whole output, or git's words where it failed.
    pub(crate) fn output(self) -> Result<Vec<u8>, Error> {
        self.output_for(Vec::new())
    }

    /// Runs with some input; see [`Git::output`].
    pub(crate) fn output_for(self, input: Vec<u8>) -> Result<Vec<u8>, Error> {
        let attempt = self.attempt.clone();
        let (output, end) = self.stream(input, |stdout| {
            let mut output = Vec::new();
            stdout.read_to_end(&mut output).map(|_| output)
        })?;
        match end {
            End::Whole => Ok(output?),
            End::Failed(said) => Err(Error::Git { attempt, said }),
        }
    }

    /// Runs with some input and gives the output to `read` while it comes.
    ///
    /// Where `read` stops early, the rest is not waited for.
    pub(crate) fn stream<T>(
        mut self,
        input: Vec<u8>,
        read: impl FnOnce(&mut dyn Read) -> T,
    ) -> Result<(T, End), Error> {
        if !input.is_empty() {
            self.command.stdin(Stdio::piped());
        }
        let mut child = self.command.spawn()?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let mut stdout = child.stdout.take().expect("stdout is a pipe");
        let (value, said) = std::thread::scope(|scope| {
            // git may write before it has read everything, on both streams: each needs someone at the other end. It
            // may also end early, then the rest of the input is nobody's.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(&input)));
            let said = scope.spawn(move || stderr.map_or_else(String::new, first_line));
            let value = read(&mut stdout);
            drop(stdout);
            (value, said.join().unwrap_or_default())
        });
        let status = child.wait()?;
        Ok((value, if status.success() { End::Whole } else { End::Failed(said) }))
    }
}

/// How a run of git ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// It did all it was asked.
    Whole,
    /// It failed, with its own words.
    Failed(String),
}

/// Reads everything, to keep the pipe empty, and keeps the first line without its `fatal: ` and control characters.
fn first_line(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // What can't be read isn't known: a shorter text is no other failure.
    let _ = pipe.by_ref().take(4096).read_to_end(&mut bytes);
    let _ = io::copy(&mut pipe, &mut io::sink());
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("fatal: ").trim_start_matches("error: ").chars().filter(|it| !it.is_control()).collect()
}

/// Splits output into its records, each ended by a zero byte.
pub(crate) fn records(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(|&byte| byte == 0).filter(|record| !record.is_empty())
}

/// Turns bytes that should be ASCII hexadecimal, or a path, into text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
