//! A project in a temporary folder, and the program run on it.
//!
//! Every sandbox has its own root, index directory and home, and the program sees no variable of ours but `PATH`, so
//! tests can't disturb each other or depend on the machine.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const INKWELL: &str = env!("CARGO_BIN_EXE_inkwell");

/// What `query` prints where the docs hold nothing (contracts A1).
pub const SENTINEL: &str = "*No matching documentation found.*\n";

/// A project's root with an index directory and a home of its own.
pub struct Sandbox {
    temp: TempDir,
    root: PathBuf,
    /// Arguments before all others.
    place: &'static [&'static str],
}

impl Sandbox {
    /// An empty project.
    pub fn new() -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let root = temp.path().join("root");
        fs::create_dir(&root).expect("a root");
        Self::with_root(temp, root, &[])
    }

    /// A project that exists already, perhaps inside a repository; only the index and the home are temporary.
    pub fn at(root: &Path) -> Self {
        Self::with_root(tempfile::tempdir().expect("a temporary folder"), root.to_owned(), &["--root", "."])
    }

    fn with_root(temp: TempDir, root: PathBuf, place: &'static [&'static str]) -> Self {
        fs::create_dir(temp.path().join("home")).expect("a home");
        Self { temp, root, place }
    }

    /// Adds a file, to chain after [`Sandbox::new`].
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(path, content);
        self
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("folders");
        fs::write(&path, content).expect("a file");
    }

    /// Deletes a file or a folder with all that is in it.
    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.expect("something to delete");
    }

    /// Makes a folder.
    pub fn folder(self, path: &str) -> Self {
        fs::create_dir_all(self.path(path)).expect("a folder");
        self
    }

    /// Makes a symbolic link that says `target`.
    pub fn link(self, path: &str, target: impl AsRef<Path>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("folders");
        std::os::unix::fs::symlink(target, path).expect("a link");
        self
    }

    /// Makes the root a git repository without commits.
    pub fn repository(self) -> Self {
        self.git(&["init", "-q", "."]);
        self
    }

    /// Commits all that is on disk, ignored files excepted.
    pub fn commit(&self) {
        self.git(&["add", "--all", "."]);
        self.git(&["commit", "-q", "--allow-empty", "--message", "a change"]);
    }

    /// A project in a git repository with one commit that holds all of it, to chain after [`Sandbox::new`].
    pub fn committed(self) -> Self {
        let sandbox = self.repository();
        sandbox.commit();
        sandbox
    }

    /// Runs git in the root and returns what it prints, without the machine's settings and with a fixed clock.
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.root, args)
    }

    /// Runs git in another folder.
    pub fn git_in(&self, folder: &Path, args: &[&str]) -> String {
        let mut command = self.command_of("git");
        command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "A").env(format!("GIT_{who}_EMAIL"), "a@example.com");
            command.env(format!("GIT_{who}_DATE"), "2024-05-06T07:08:09Z");
        }
        command.args(["-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"]);
        let run = Run::of(command.args(args).output().expect("git starts"));
        assert_eq!(run.code, Some(0), "git {args:?}: {}", run.stderr);
        run.stdout
    }

    /// Where a path of the project is on disk.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the program keeps its indexes.
    pub fn index_dir(&self) -> PathBuf {
        self.temp.path().join("index")
    }

    /// The home folder that the program sees.
    pub fn home(&self) -> PathBuf {
        self.temp.path().join("home")
    }

    /// Every file of the index, relative to [`Sandbox::index_dir`], sorted.
    pub fn index_files(&self) -> Vec<PathBuf> {
        files_below(&self.index_dir())
    }

    /// The folder of the one index, with its format's files in it.
    pub fn store_dir(&self) -> PathBuf {
        let mut current = self.index_files().into_iter().filter(|path| path.ends_with("current"));
        let current = current.next().expect("an index");
        self.index_dir().join(current.parent().expect("it is in a folder"))
    }

    /// A command that runs `program` in the root with a clean environment.
    pub fn command_of(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.home()).env("INKWELL_INDEX_DIR", self.index_dir());
        command
    }

    /// A command that runs the program.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.command_of(INKWELL);
        command.args(self.place).args(args);
        command
    }

    /// Runs the program.
    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().expect("the program starts"))
    }

    /// Runs the program and expects that it ends well.
    pub fn ok(&self, args: &[&str]) -> Run {
        self.run(args).ok()
    }

    /// Runs the program with something on its standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        feed(&mut child, input);
        Run::of(child.wait_with_output().expect("the program ends"))
    }

    /// What `query` prints for a question, which stands behind `--` as in the launchers.
    pub fn query(&self, question: &str) -> String {
        self.ok(&["query", "--", question]).stdout
    }

    /// The response to a question as JSON.
    pub fn response(&self, question: &str) -> Value {
        self.json(&["query", "--json", "--", question])
    }

    /// What a command prints as one JSON value.
    pub fn json(&self, args: &[&str]) -> Value {
        let run = self.ok(args);
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error} in {:?}", run.stdout))
    }

    /// The report of `check` as JSON with every claim, whatever it found.
    pub fn report(&self, args: &[&str]) -> Value {
        let fixed = ["check", "--format", "json", "--claims", "--fail-on", "none"];
        self.json(&[&fixed[..], args].concat())
    }

    /// The claims of a page in document order, each with its verdict; what a drift is proven by stands in brackets.
    pub fn verdicts(&self, page: &str) -> Vec<(String, String)> {
        verdicts(&self.report(&[]), page)
    }

    /// The cited sections as `path#anchor`, best first.
    pub fn citations(&self, question: &str) -> Vec<String> {
        citations(&self.response(question))
    }

    /// The first cited section.
    pub fn first(&self, question: &str) -> String {
        self.citations(question).into_iter().next().unwrap_or_else(|| "nothing".to_owned())
    }

    /// The lines of a search.
    pub fn search(&self, text: &str) -> Vec<String> {
        self.ok(&["search", "--", text]).stdout.lines().map(str::to_owned).collect()
    }

    /// The paths that a search finds, each once, best first.
    pub fn found(&self, text: &str) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        for line in self.search(text) {
            let place = line.split("  [").next().unwrap_or_default();
            let path = place.rsplit_once(':').map_or(place, |(path, _)| path).to_owned();
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }
}

/// What a run of a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
}

impl Run {
    /// Reads an output; panics of the program never pass.
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        let run = Self { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() };
        assert!(!run.stderr.contains("panicked at"), "the program panicked: {}", run.stderr);
        run
    }

    /// Expects the exit code 0.
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

/// Writes to a child and closes its input; a child that does not read is no failure.
fn feed(child: &mut Child, input: &str) {
    let mut stdin = child.stdin.take().expect("it is piped");
    let _ = stdin.write_all(input.as_bytes());
}

/// The cited sections of a JSON response as `path#anchor`, best first.
pub fn citations(response: &Value) -> Vec<String> {
    let sources = response["sources"].as_array().expect("there are sources");
    sources.iter().map(|source| format!("{}#{}", text(&source["path"]), text(&source["anchor"]))).collect()
}

/// The claims of a page in a report of `check`, each with its verdict; what a drift is proven by stands in brackets.
pub fn verdicts(report: &Value, page: &str) -> Vec<(String, String)> {
    let claims = report["claims"].as_array().expect("there are claims");
    let own = claims.iter().filter(|claim| claim["path"] == page);
    own.map(|claim| {
        let verdict = if claim["verdict"] == "drift detected" { &claim["message"] } else { &claim["verdict"] };
        (text(&claim["span"]).to_owned(), text(verdict).to_owned())
    })
    .collect()
}

/// A JSON string.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no string"))
}

/// Every file below a folder, relative to it, sorted; empty where there is no folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for item in fs::read_dir(&at).into_iter().flatten().flatten() {
            // A file that vanishes meanwhile is no file.
            match item.file_type() {
                Ok(kind) if kind.is_dir() => open.push(item.path()),
                Ok(_) => found.extend(item.path().strip_prefix(folder).map(Path::to_owned)),
                Err(_) => {}
            }
        }
    }
    found.sort();
    found
}

/// The repository that is tested.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The corpora of the shared evaluation set, where it stands beside the checkout.
pub fn corpora() -> Vec<PathBuf> {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let find = || {
        let folder = repository().join("../shared/eval/retrieval/corpora");
        let mut found: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        found.sort();
        found
    };
    FOUND.get_or_init(find).clone()
}
