//! The settings: what the project's `inkwell.toml`, the user's configuration, the environment and flags say.
//!
//! The later of these wins, key by key. Nothing needs to be set. The repository is not trusted: it may say where
//! its docs are and how its site makes anchors, not what is run or written on its reader's machine. This module
//! does not look for docs; it only tells which anchors a site has by the files beside them.

mod key;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Setting, nearest};
use crate::parse::anchor::SiteStyle;
use crate::span::Lines;
use crate::walk::{self, RepoPath, Root, SkipReason};
use key::Key;

/// The project's file, at the root.
const PROJECT_FILE: &str = "inkwell.toml";

/// The longest configuration file that is read, in bytes.
const FILE_SIZE_LIMIT: u64 = 1 << 20;

/// How long a judge may take unless told otherwise.
const JUDGE_TIMEOUT: Duration = Duration::from_secs(20);

/// The settings that hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The trees of docs, `docs` if none are set. They need not exist.
    pub docs: Vec<RepoPath>,
    /// Folders and files whose pages record the past, in addition to those known by their names.
    pub historical: Vec<RepoPath>,
    /// The same of pages that record plans.
    pub planned: Vec<RepoPath>,
    /// How headings become anchors.
    pub anchors: AnchorChoice,
    /// The language whose word forms are folded, `english` if none is set.
    pub language: String,
    /// The longest file that is read, in bytes.
    pub max_file_size: u64,
    /// Where the index is kept instead of the cache folder.
    pub index_dir: Option<PathBuf>,
    /// The command that writes the answer paragraph, as program and arguments.
    pub synth: Option<Vec<String>>,
    /// The command that judges behavioural claims, as program and arguments.
    pub judge: Option<Vec<String>>,
    /// How long one run of the judge may take.
    pub judge_timeout: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            docs: RepoPath::new("docs").into_iter().collect(),
            historical: Vec::new(),
            planned: Vec::new(),
            anchors: AnchorChoice::Auto,
            language: "english".to_owned(),
            max_file_size: walk::SIZE_LIMIT,
            index_dir: None,
            synth: None,
            judge: None,
            judge_timeout: JUDGE_TIMEOUT,
        }
    }
}

/// How headings become anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorChoice {
    /// As the site that the docs are built with does; see [`detect_style`].
    Auto,
    /// As this one does.
    Style(SiteStyle),
}

/// What the command line says; an empty field says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--docs`, relative to the root.
    pub docs: Vec<String>,
    /// `--anchors`.
    pub anchors: Option<String>,
    /// `--index-dir`.
    pub index_dir: Option<PathBuf>,
    /// `--synth`, a command line.
    pub synth: Option<String>,
}

/// What the user's environment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The user's configuration file, which need not exist.
    pub user_file: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// `INKWELL_INDEX_DIR`.
    pub index_dir: Option<OsString>,
    /// `INKWELL_SYNTH`, a command line.
    pub synth: Option<OsString>,
    /// `INKWELL_CORROBORATE_SUBAGENT`, a command line; empty for no judge, whatever the files say.
    pub judge: Option<OsString>,
    /// `INKWELL_CORROBORATE_TIMEOUT`, in seconds.
    pub judge_timeout: Option<OsString>,
}

impl Environment {
    /// The environment of this process; a variable that is empty counts as unset, except the judge's.
    pub fn of_process() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        // The XDG specification tells to pass over a relative path.
        let xdg = variable("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let app_data = variable("APPDATA").filter(|_| cfg!(windows)).map(PathBuf::from);
        let folder = xdg.or(app_data).or_else(|| home.as_ref().map(|home| home.join(".config")));
        Self {
            user_file: folder.map(|folder| folder.join("inkwell").join("config.toml")),
            home,
            index_dir: variable(INDEX_DIR),
            synth: variable(SYNTH),
            judge: std::env::var_os(JUDGE),
            judge_timeout: variable(TIMEOUT),
        }
    }
}

const INDEX_DIR: &str = "INKWELL_INDEX_DIR";
const SYNTH: &str = "INKWELL_SYNTH";
const JUDGE: &str = "INKWELL_CORROBORATE_SUBAGENT";
const TIMEOUT: &str = "INKWELL_CORROBORATE_TIMEOUT";

/// Gathers the settings for a project from everywhere they can be.
pub fn load(root: &Root, environment: &Environment, overrides: &Overrides) -> Result<Config, Error> {
    let mut config = Config::default();
    if let Some(text) = project_text(root)? {
        let file = ConfigFile { name: PROJECT_FILE.to_owned(), text: &text, owner: Owner::Project };
        file.apply(&mut config)?;
    }
    if let Some(path) = &environment.user_file {
        let name = path.display().to_string();
        if let Some(text) = user_text(path, &name)? {
            let folder = path.parent().unwrap_or(path);
            let owner = Owner::User { folder, home: environment.home.as_deref() };
            ConfigFile { name, text: &text, owner }.apply(&mut config)?;
        }
    }
    apply_environment(&mut config, environment)?;
    apply_overrides(&mut config, overrides)?;
    Ok(config)
}

fn project_text(root: &Root) -> Result<Option<String>, Error> {
    let path = RepoPath::new(PROJECT_FILE).unwrap_or(RepoPath::ROOT);
    let root = root.clone().with_size_limit(FILE_SIZE_LIMIT);
    text(root.read(&path).map(|(text, _)| text), PROJECT_FILE)
}

/// The user may keep the file elsewhere and link to it; in a home that can't be entered there is none.
fn user_text(path: &Path, name: &str) -> Result<Option<String>, Error> {
    let Ok(real) = path.canonicalize() else { return Ok(None) };
    text(walk::read_text(&real, FILE_SIZE_LIMIT).map(|(text, _)| text), name)
}

fn text(read: Result<String, SkipReason>, file: &str) -> Result<Option<String>, Error> {
    match read {
        Ok(text) => Ok(Some(text)),
        Err(SkipReason::Missing) => Ok(None),
        Err(reason) => Err(Error::ReadConfig { file: file.to_owned(), cause: reason.to_string() }),
    }
}

fn apply_environment(config: &mut Config, environment: &Environment) -> Result<(), Error> {
    if let Some(path) = &environment.index_dir {
        config.index_dir = Some(PathBuf::from(path));
    }
    if let Some(line) = &environment.synth {
        config.synth = Some(command(&line.to_string_lossy(), Setting::Variable(SYNTH))?);
    }
    if let Some(line) = &environment.judge {
        let line = line.to_string_lossy();
        let is_off = line.trim().is_empty();
        config.judge = if is_off { None } else { Some(command(&line, Setting::Variable(JUDGE))?) };
    }
    if let Some(seconds) = &environment.judge_timeout {
        let found = seconds.to_string_lossy();
        let seconds = found.trim().parse().ok();
        config.judge_timeout = timeout(seconds, format!("`{found}`"), Setting::Variable(TIMEOUT))?;
    }
    Ok(())
}

fn apply_overrides(config: &mut Config, overrides: &Overrides) -> Result<(), Error> {
    if !overrides.docs.is_empty() {
        let tree = |path: &String| tree(path, Setting::Flag("--docs"));
        config.docs = overrides.docs.iter().map(tree).collect::<Result<_, _>>()?;
    }
    if let Some(name) = &overrides.anchors {
        config.anchors = anchors(name, Setting::Flag("--anchors"))?;
    }
    if let Some(path) = &overrides.index_dir {
        config.index_dir = Some(path.clone());
    }
    if let Some(line) = &overrides.synth {
        config.synth = Some(command(line, Setting::Flag("--synth"))?);
    }
    Ok(())
}

/// A configuration file's text and what it may do.
struct ConfigFile<'a> {
    /// Its name to people.
    name: String,
    text: &'a str,
    owner: Owner<'a>,
}

/// Who wrote a configuration file.
#[derive(Clone, Copy)]
enum Owner<'a> {
    /// Whoever wrote the repository.
    Project,
    /// The user at this machine. Relative paths start at the file's folder, `~/` at home.
    User { folder: &'a Path, home: Option<&'a Path> },
}

impl ConfigFile<'_> {
    /// Sets what the file sets, in its order: the first mistake in the file is the one that is reported.
    fn apply(&self, config: &mut Config) -> Result<(), Error> {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(self.text);
        let lines = Lines::of(text);
        let table = DeTable::parse(text).map_err(|error| Error::ParseConfig {
            file: self.name.clone(),
            line: error.span().map_or(1, |span| lines.line(span.start)),
            cause: error.message().lines().collect::<Vec<_>>().join(", "),
        })?;
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (name, value) in entries {
            let line = lines.line(name.span().start);
            let key = self.key(name.get_ref(), line)?;
            let setting = Setting::Key { key: key.name(), file: self.name.clone(), line };
            self.set(config, key, &Value { value, setting, lines: &lines })?;
        }
        Ok(())
    }

    fn key(&self, name: &str, line: usize) -> Result<Key, Error> {
        if let Some(key) = Key::ALL.into_iter().find(|key| key.name() == name) {
            return Ok(key);
        }
        let is_open = |key: &Key| matches!(self.owner, Owner::User { .. }) || !key.is_user_only();
        let names: Vec<&str> = Key::ALL.into_iter().filter(is_open).map(Key::name).collect();
        let hint = match nearest(name, Key::ALL.into_iter().map(Key::name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", quoted(names)),
        };
        Err(Error::UnknownKey { file: self.name.clone(), line, key: name.to_owned(), hint })
    }

    fn set(&self, config: &mut Config, key: Key, value: &Value) -> Result<(), Error> {
        let (folder, home) = match self.owner {
            Owner::User { folder, home } => (folder, home),
            Owner::Project if key.is_user_only() => return Err(value.user_only()),
            Owner::Project => (Path::new(""), None),
        };
        match key {
            Key::Anchors => config.anchors = anchors(value.string()?, value.setting.clone())?,
            Key::Docs => config.docs = value.trees()?,
            Key::Historical => config.historical = value.trees()?,
            Key::Planned => config.planned = value.trees()?,
            Key::IndexDir => config.index_dir = Some(place(value.string()?, folder, home)),
            Key::Judge => config.judge = Some(value.command()?),
            Key::JudgeTimeout => {
                let setting = value.setting.clone();
                config.judge_timeout = timeout(value.integer(), value.kind().into(), setting)?;
            }
            Key::Language => config.language = value.string()?.to_lowercase(),
            Key::MaxFileSize => config.max_file_size = self.max_file_size(value)?,
            Key::Synth => config.synth = Some(value.command()?),
        }
        Ok(())
    }

    /// A project may lower the limit: how much memory a file can take is its reader's choice.
    fn max_file_size(&self, value: &Value) -> Result<u64, Error> {
        let size = value.integer().ok_or_else(|| value.wrong(value.kind(), "a number of bytes"))?;
        match self.owner {
            Owner::Project if size > walk::SIZE_LIMIT => {
                let found = size.to_string();
                let expected = format!("at most {}, unless the user's own configuration sets it", walk::SIZE_LIMIT);
                Err(value.wrong(&found, &expected))
            }
            Owner::Project | Owner::User { .. } => Ok(size),
        }
    }
}

/// A value in a configuration file, and where it is set.
struct Value<'a> {
    value: &'a Spanned<DeValue<'a>>,
    setting: Setting,
    lines: &'a Lines,
}

impl Value<'_> {
    fn string(&self) -> Result<&str, Error> {
        self.value.get_ref().as_str().ok_or_else(|| self.wrong(self.kind(), "a string"))
    }

    fn integer(&self) -> Option<u64> {
        let integer = self.value.get_ref().as_integer()?;
        u64::from_str_radix(integer.as_str(), integer.radix()).ok()
    }

    /// One string or a list of strings, each with the line that it stands on.
    fn strings(&self) -> Result<Vec<(&str, Setting)>, Error> {
        let items = match self.value.get_ref() {
            DeValue::String(one) => return Ok(vec![(one, self.setting.clone())]),
            DeValue::Array(items) => items,
            _ => return Err(self.wrong(self.kind(), "a string or a list of strings")),
        };
        if items.is_empty() {
            return Err(self.wrong("an empty list", "at least one string"));
        }
        let string = |value| {
            let item = Value { value, setting: self.setting_at(value), lines: self.lines };
            let text = value
                .get_ref()
                .as_str()
                .ok_or_else(|| item.wrong(&format!("a list that holds {}", item.kind()), "a list of strings"))?;
            Ok((text, item.setting))
        };
        items.iter().map(string).collect()
    }

    fn trees(&self) -> Result<Vec<RepoPath>, Error> {
        self.strings()?.into_iter().map(|(path, setting)| tree(path, setting)).collect()
    }

    fn command(&self) -> Result<Vec<String>, Error> {
        if let DeValue::String(line) = self.value.get_ref() {
            return command(line, self.setting.clone());
        }
        Ok(self.strings()?.into_iter().map(|(word, _)| word.to_owned()).collect())
    }

    fn setting_at(&self, value: &Spanned<DeValue>) -> Setting {
        let line = self.lines.line(value.span().start);
        match self.setting.clone() {
            Setting::Key { key, file, .. } => Setting::Key { key, file, line },
            elsewhere @ (Setting::Variable(_) | Setting::Flag(_)) => elsewhere,
        }
    }

    fn kind(&self) -> &'static str {
        match self.value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(integer) if integer.as_str().starts_with('-') => "a negative number",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a fractional number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }

    fn wrong(&self, found: &str, expected: &str) -> Error {
        wrong(self.setting.clone(), found.to_owned(), expected)
    }

    fn user_only(&self) -> Error {
        let hint = "set it in your own configuration: a repository must not choose commands to run or places to write";
        Error::UserOnly { setting: self.setting.clone(), hint: hint.to_owned() }
    }
}

fn tree(path: &str, setting: Setting) -> Result<RepoPath, Error> {
    RepoPath::new(path).ok_or_else(|| Error::LeavesRoot { setting, path: path.to_owned() })
}

fn anchors(name: &str, setting: Setting) -> Result<AnchorChoice, Error> {
    if name == "auto" {
        return Ok(AnchorChoice::Auto);
    }
    if let Some(style) = SiteStyle::from_name(name) {
        return Ok(AnchorChoice::Style(style));
    }
    let names: Vec<&str> = std::iter::once("auto").chain(SiteStyle::ALL.map(SiteStyle::name)).collect();
    Err(Error::Setting {
        setting,
        found: format!("`{name}`"),
        nearest: nearest(name, names.iter().copied()).map(str::to_owned),
        expected: quoted(names),
    })
}

/// Splits a command line as a shell splits words; nothing else that a shell does is done.
fn command(line: &str, setting: Setting) -> Result<Vec<String>, Error> {
    let found = match shell_words::split(line) {
        Ok(words) if words.is_empty() => "empty".to_owned(),
        Ok(words) => return Ok(words),
        Err(_) => format!("`{line}` with a quotation mark that is not closed"),
    };
    Err(wrong(setting, found, "a command line"))
}

fn timeout(seconds: Option<u64>, found: String, setting: Setting) -> Result<Duration, Error> {
    match seconds {
        Some(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds)),
        Some(_) | None => Err(wrong(setting, found, "a whole number of seconds above 0")),
    }
}

/// Where a path in the user's configuration leads.
fn place(path: &str, folder: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_), None) | (None, _) => folder.join(path),
    }
}

fn wrong(setting: Setting, found: String, expected: &str) -> Error {
    Error::Setting { setting, found, expected: expected.to_owned(), nearest: None }
}

fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Tells by the files beside the docs which site shows them, and so how headings become anchors.
///
/// The first tree that a site's configuration stands in or above decides. Without one it is the forge that shows
/// the repository: GitLab if there are only signs of GitLab, else GitHub.
pub fn detect_style(root: &Root, trees: &[RepoPath]) -> SiteStyle {
    let site = trees.iter().find_map(|tree| {
        let parents = std::iter::successors(Some(tree.clone()), RepoPath::parent);
        parents.into_iter().find_map(|folder| site_at(&root.join(&folder)))
    });
    site.or_else(|| beside(root.as_path())).unwrap_or_else(|| forge(root.as_path()))
}

fn site_at(folder: &Path) -> Option<SiteStyle> {
    let stands = |marker: &&str| folder.join(marker).is_file();
    SiteStyle::ALL.into_iter().find(|style| style.markers().iter().any(stands))
}

/// Docusaurus keeps `docs/` beside `website/`, which holds its configuration, or did in its first version.
fn beside(root: &Path) -> Option<SiteStyle> {
    site_at(&root.join("website")).filter(|style| *style == SiteStyle::Docusaurus)
}

fn forge(root: &Path) -> SiteStyle {
    match root.join(".gitlab-ci.yml").is_file() && !root.join(".github").is_dir() {
        true => SiteStyle::Gitlab,
        false => SiteStyle::Github,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// A root that holds files, given by path and content.
    fn project(files: &[(&str, &str)]) -> (TempDir, Root) {
        let temp = tempfile::tempdir().expect("a temporary folder");
        for (path, content) in files {
            let path = temp.path().join(path);
            fs::create_dir_all(path.parent().expect("below the root")).expect("created");
            fs::write(path, content).expect("written");
        }
        let root = Root::open(temp.path()).expect("it was just made");
        (temp, root)
    }

    fn load_project(text: &str) -> Result<Config, Error> {
        let (_temp, root) = project(&[("inkwell.toml", text)]);
        load(&root, &Environment::default(), &Overrides::default())
    }

    fn load_user(text: &str) -> Result<Config, Error> {
        let (_temp, root) = project(&[("home/c.toml", text)]);
        load(&root, &environment(&root), &Overrides::default())
    }

    /// An environment whose only mark is a user's file, `home/c.toml` in the root.
    fn environment(root: &Root) -> Environment {
        let home = root.as_path().join("home");
        Environment { user_file: Some(home.join("c.toml")), home: Some(home), ..Environment::default() }
    }

    fn message(result: Result<Config, Error>) -> String {
        let error = result.expect_err("a mistake");
        match error.hint() {
            Some(hint) => format!("{error}\nhint: {hint}"),
            None => error.to_string(),
        }
    }

    /// Checks what is said of a project's file with a mistake.
    fn check(text: &str, expected: &str) {
        assert_eq!(message(load_project(text)), expected);
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn trees(names: &[&str]) -> Vec<RepoPath> {
        names.iter().filter_map(|name| RepoPath::new(name)).collect()
    }

    #[test]
    fn nothing_needs_to_be_set() {
        let (_temp, root) = project(&[]);
        let config = load(&root, &environment(&root), &Overrides::default()).expect("a configuration");
        assert_eq!(config, Config::default());
        assert_eq!(config.docs, trees(&["docs"]));
        assert_eq!(load_project("").expect("a configuration"), Config::default());
    }

    #[test]
    fn a_project_says_where_its_docs_are() {
        let text = "\u{feff}# ours\r\ndocs = ['guide/', './README.md']\r\nanchors = 'mkdocs'\r\nlanguage = 'German'\r\nmax-file-size = 1_000\r\n";
        let config = load_project(text).expect("a configuration");
        let expected = Config {
            docs: trees(&["guide", "README.md"]),
            anchors: AnchorChoice::Style(SiteStyle::Mkdocs),
            language: "german".to_owned(),
            max_file_size: 1000,
            ..Config::default()
        };
        assert_eq!(config, expected);
        assert_eq!(load_project("docs = '.'").expect("a configuration").docs, [RepoPath::ROOT]);
    }

    #[test]
    fn an_unknown_key_gets_the_nearest() {
        check("\n\ndoc = 'x'", "unknown key `doc` in `inkwell.toml` line 3\nhint: did you mean `docs`?");
        check(
            "[ranking]",
            "unknown key `ranking` in `inkwell.toml` line 1\nhint: the keys are `anchors`, `docs`, `historical`, `language`, `max-file-size`, `planned`",
        );
        check(
            "a.b = 1",
            "unknown key `a` in `inkwell.toml` line 1\nhint: the keys are `anchors`, `docs`, `historical`, `language`, `max-file-size`, `planned`",
        );
    }

    #[test]
    fn a_wrong_type_says_what_was_found_and_expected() {
        check("language = 5", "`language` in `inkwell.toml` line 1 is a number: expected a string");
        check("docs = true", "`docs` in `inkwell.toml` line 1 is a boolean: expected a string or a list of strings");
        check(
            "docs = [\n 'a',\n 1.5,\n]",
            "`docs` in `inkwell.toml` line 3 is a list that holds a fractional number: expected a list of strings",
        );
        check("docs = []", "`docs` in `inkwell.toml` line 1 is an empty list: expected at least one string");
        check("[docs]\nx = 1", "`docs` in `inkwell.toml` line 1 is a table: expected a string or a list of strings");
        check(
            "max-file-size = -1",
            "`max-file-size` in `inkwell.toml` line 1 is a negative number: expected a number of bytes",
        );
    }

    #[test]
    fn an_unknown_style_gets_the_nearest() {
        check(
            "anchors = 'gitub'",
            "`anchors` in `inkwell.toml` line 1 is `gitub`: expected `auto`, `github`, `gitlab`, `mdbook`, \
             `docusaurus`, `vitepress`, `mkdocs`, `collapsed`\nhint: did you mean `github`?",
        );
        assert_eq!(load_project("anchors = 'auto'").expect("a configuration").anchors, AnchorChoice::Auto);
    }

    #[test]
    fn the_first_mistake_of_a_file_is_reported() {
        check("zzz = 1\naaa = 1", &message(load_project("zzz = 1")));
    }

    #[test]
    fn a_syntax_mistake_names_the_line() {
        let text = message(load_project("docs = 'a'\ndocs = 'b'\n"));
        assert_eq!(text, "failed to parse `inkwell.toml` line 2: duplicate key");
        let text = message(load_project("docs = [\n"));
        assert!(text.starts_with("failed to parse `inkwell.toml` line 1: "), "{text}");
        assert!(!text.contains('\n'), "{text}");
    }

    #[test]
    fn a_repository_chooses_no_commands_and_no_places() {
        for key in ["synth", "judge", "index-dir", "judge-timeout"] {
            check(
                &format!("{key} = 'x'"),
                &format!(
                    "`{key}` in `inkwell.toml` line 1 is not for a repository to set\nhint: set it in your own \
                     configuration: a repository must not choose commands to run or places to write"
                ),
            );
        }
        check(
            "max-file-size = 999999999999",
            "`max-file-size` in `inkwell.toml` line 1 is 999999999999: expected at most 67108864, unless the user's \
             own configuration sets it",
        );
    }

    #[test]
    fn docs_stay_inside_the_root() {
        for path in ["/etc", "../x", "docs/../../x"] {
            check(
                &format!("docs = [\n'a',\n'{path}']"),
                &format!(
                    "`docs` in `inkwell.toml` line 3 leads out of the root: `{path}`\nhint: name a folder or a file \
                     below the root, such as `docs`"
                ),
            );
        }
        let (_temp, root) = project(&[]);
        let overrides = Overrides { docs: words(&["../x"]), ..Overrides::default() };
        let text = message(load(&root, &Environment::default(), &overrides));
        assert!(text.starts_with("`--docs` leads out of the root: `../x`\n"), "{text}");
    }

    #[test]
    fn a_file_that_is_no_text_is_named() {
        let (_temp, root) = project(&[]);
        let file = root.as_path().join("inkwell.toml");
        let message = || message(load(&root, &Environment::default(), &Overrides::default()));
        fs::write(&file, b"docs = '\xff'").expect("written");
        assert_eq!(message(), "failed to read `inkwell.toml`: it is not UTF-8: the byte at offset 8 is wrong");
        fs::write(&file, " ".repeat((1 << 20) + 1)).expect("written");
        assert_eq!(message(), "failed to read `inkwell.toml`: it is too large: 1048577 bytes, the limit is 1048576");
        fs::remove_file(&file).expect("removed");
        fs::create_dir(&file).expect("created");
        assert_eq!(message(), "failed to read `inkwell.toml`: it is not a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn a_projects_file_may_not_be_a_link_to_the_outside() {
        let (_temp, outer) = project(&[("secret", "docs = 'x'"), ("repo/a.md", "")]);
        let root = Root::open(&outer.as_path().join("repo")).expect("a root");
        std::os::unix::fs::symlink("../secret", root.as_path().join("inkwell.toml")).expect("linked");
        assert_eq!(
            message(load(&root, &Environment::default(), &Overrides::default())),
            "failed to read `inkwell.toml`: it is a link that leads out of the root"
        );
    }

    #[test]
    fn a_user_may_set_everything() {
        let (_temp, root) = project(&[(
            "home/c.toml",
            "index-dir = 'idx'\nsynth = 'llm \"be brief\"'\njudge = ['claude', '-p']\njudge-timeout = 5\nmax-file-size = 999999999999",
        )]);
        let config = load(&root, &environment(&root), &Overrides::default()).expect("a configuration");
        let expected = Config {
            index_dir: Some(root.as_path().join("home/idx")),
            synth: Some(words(&["llm", "be brief"])),
            judge: Some(words(&["claude", "-p"])),
            judge_timeout: Duration::from_secs(5),
            max_file_size: 999_999_999_999,
            ..Config::default()
        };
        assert_eq!(config, expected);
    }

    #[test]
    fn a_users_path_may_start_at_home_or_be_absolute() {
        let place = |path| place(path, Path::new("/home/u/.config/inkwell"), Some(Path::new("/home/u")));
        assert_eq!(place("~/idx"), Path::new("/home/u/idx"));
        assert_eq!(place("/var/idx"), Path::new("/var/idx"));
        assert_eq!(place("idx"), Path::new("/home/u/.config/inkwell/idx"));
    }

    #[test]
    fn a_mistake_in_a_users_file_names_that_file() {
        let text = message(load_user("synth = ''"));
        assert!(text.ends_with("home/c.toml` line 1 is empty: expected a command line"), "{text}");
        let text = message(load_user("judge = 'a \"b'"));
        assert!(
            text.ends_with("is `a \"b` with a quotation mark that is not closed: expected a command line"),
            "{text}"
        );
        let text = message(load_user("judge-timeout = 0"));
        assert!(text.ends_with("line 1 is a number: expected a whole number of seconds above 0"), "{text}");
    }

    #[test]
    fn the_later_word_wins_key_by_key() {
        let (_temp, root) = project(&[
            ("inkwell.toml", "docs = 'p'\nanchors = 'mdbook'\nlanguage = 'french'"),
            ("home/c.toml", "docs = 'u'\nanchors = 'gitlab'\nindex-dir = '/u'\nsynth = 'u'\njudge = 'u'"),
        ]);
        let environment = Environment {
            index_dir: Some("/e".into()),
            synth: Some("e 1".into()),
            judge: Some("e".into()),
            judge_timeout: Some(" 7 ".into()),
            ..environment(&root)
        };
        let overrides = Overrides { docs: words(&["f"]), synth: Some("f 2".to_owned()), ..Overrides::default() };
        let config = load(&root, &environment, &overrides).expect("a configuration");
        let expected = Config {
            docs: trees(&["f"]),
            anchors: AnchorChoice::Style(SiteStyle::Gitlab),
            language: "french".to_owned(),
            index_dir: Some("/e".into()),
            synth: Some(words(&["f", "2"])),
            judge: Some(words(&["e"])),
            judge_timeout: Duration::from_secs(7),
            ..Config::default()
        };
        assert_eq!(config, expected);
    }

    #[test]
    fn an_empty_variable_switches_the_judge_off() {
        let (_temp, root) = project(&[("home/c.toml", "judge = 'u'\n")]);
        for line in ["", " "] {
            let environment = Environment { judge: Some(line.into()), ..environment(&root) };
            assert_eq!(load(&root, &environment, &Overrides::default()).expect("a configuration").judge, None);
        }
    }

    #[test]
    fn a_mistake_in_the_environment_names_the_variable() {
        let (_temp, root) = project(&[]);
        let environment = Environment { judge_timeout: Some("soon".into()), ..Environment::default() };
        assert_eq!(
            message(load(&root, &environment, &Overrides::default())),
            "`INKWELL_CORROBORATE_TIMEOUT` in the environment is `soon`: expected a whole number of seconds above 0"
        );
    }

    #[test]
    fn the_site_beside_the_docs_decides_the_anchors() {
        let detect = |files: &[&str], names: &[&str]| {
            let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "")).collect();
            let (_temp, root) = project(&files);
            detect_style(&root, &trees(names))
        };
        assert_eq!(detect(&[], &["docs"]), SiteStyle::Github);
        assert_eq!(detect(&["mkdocs.yml", ".gitlab-ci.yml"], &["docs"]), SiteStyle::Mkdocs);
        assert_eq!(detect(&["website/docusaurus.config.js"], &["website/docs"]), SiteStyle::Docusaurus);
        assert_eq!(detect(&["website/docusaurus.config.js"], &["docs"]), SiteStyle::Docusaurus);
        assert_eq!(detect(&["docs/.vitepress/config.ts", "mkdocs.yml"], &["docs"]), SiteStyle::Vitepress);
        assert_eq!(detect(&["book/book.toml"], &["book/src"]), SiteStyle::Mdbook);
        assert_eq!(detect(&["book/book.toml"], &["docs"]), SiteStyle::Github);
        assert_eq!(detect(&["book/book.toml"], &["docs", "book/src"]), SiteStyle::Mdbook);
        assert_eq!(detect(&[".gitlab-ci.yml"], &["docs"]), SiteStyle::Gitlab);
        assert_eq!(detect(&[".gitlab-ci.yml", ".github/x"], &["docs"]), SiteStyle::Github);
    }
}
