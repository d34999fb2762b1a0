//! What the user hands over as JSON: a file, stdin or a variable; and a folder of Markdown in the place of a corpus.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use inkwell::cite::visible;
use inkwell::config::{self, AnchorChoice, Environment};
use inkwell::error::cause;
use inkwell::grounded::corpus::{Extent, Folder};
use inkwell::grounded::json::{self, Json};
use inkwell::walk::{RepoPath, Root};

use super::args::Place;
use super::terminal::Terminal;
use super::{Stop, overrides, root};

/// The largest input that is read, in bytes.
const LIMIT: u64 = 1 << 30;

/// Left-out files that are named.
const NAMED: usize = 3;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// The value of an environment variable.
    Variable(&'static str, Vec<u8>),
}

impl Origin {
    /// The origin that a path of the command line names; `-` is stdin.
    pub fn of(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", visible(&path.to_string_lossy())),
            Self::Stdin => f.write_str("stdin"),
            Self::Variable(name, _) => write!(f, "`{name}`"),
        }
    }
}

/// An input that was read whole.
pub struct Input {
    origin: Origin,
    bytes: Vec<u8>,
}

impl Input {
    /// Reads an input.
    ///
    /// # Errors
    /// Why it can't be read, in words.
    pub fn read(origin: Origin) -> Result<Self, String> {
        let failed = |error: &io::Error| format!("failed to read {origin}: {}", cause(error));
        let bytes = match &origin {
            Origin::Variable(_, bytes) => bytes.clone(),
            Origin::Stdin => limited(io::stdin().lock()).map_err(|error| failed(&error))?,
            Origin::File(path) => File::open(path).and_then(limited).map_err(|error| failed(&error))?,
        };
        if bytes.len() as u64 > LIMIT {
            return Err(format!("{origin} is too large: the limit is 1 GiB"));
        }
        Ok(Self { origin, bytes })
    }

    /// The input as JSON.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn json(&self) -> Result<Json<'_>, String> {
        if self.is_blank() {
            return Err(format!("{} is empty: expected JSON", self.origin));
        }
        json::read(&self.bytes).map_err(|reason| format!("{} is not JSON: {reason}", self.origin))
    }

    /// Whether nobody said anything on stdin.
    pub fn is_silence(&self) -> bool {
        self.origin == Origin::Stdin && self.is_blank()
    }

    fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// All that a reader gives, or one byte more than is allowed.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A corpus that was handed over by itself.
pub enum Supplied {
    /// JSON.
    Json(Input),
    /// The sections of a folder.
    Folder(Folder),
}

impl Supplied {
    /// Reads the corpus at a path: a folder's sections, or JSON from anything else.
    ///
    /// What doesn't exist where the user is may be meant from the root that is named, as `--docs` is.
    pub fn read(path: &Path, place: &Place, extent: Extent, terminal: &Terminal) -> Result<Self, Stop> {
        let below_root = place.root.as_ref().map(|root| root.join(path)).filter(|below| below.is_dir());
        let path = below_root.filter(|_| !path.exists()).unwrap_or_else(|| path.to_owned());
        let path = path.as_path();
        if path.is_dir() {
            return Ok(Self::Folder(folder(path, place, extent, terminal)?));
        }
        Input::read(Origin::of(path)).map(Self::Json).map_err(|message| Stop::Refused { message, hint: None })
    }

    /// The corpus as JSON.
    pub fn json(&self) -> Result<Json<'_>, String> {
        match self {
            Self::Json(input) => input.json(),
            Self::Folder(folder) => Ok(folder.corpus()),
        }
    }
}

/// Reads the Markdown below a folder of the project, and says what was left out.
fn folder(path: &Path, place: &Place, extent: Extent, terminal: &Terminal) -> Result<Folder, Stop> {
    let root = root(place)?;
    let config = config::load(&root, &Environment::of_process(), &overrides(place))?;
    let root = root.with_size_limit(config.max_file_size);
    let tree = inside(path, &root)?;
    let style = match config.anchors {
        AnchorChoice::Auto => config::detect_style(&root, std::slice::from_ref(&tree)),
        AnchorChoice::Style(style) => style,
    };
    let folder = Folder::read(&root, &tree, style, extent)?;
    for skipped in folder.skipped.iter().take(NAMED) {
        terminal.warning(&format!("skipped `{}`: {}", skipped.path, skipped.reason));
    }
    if folder.skipped.len() > NAMED {
        terminal.warning(&format!("skipped {} more files", folder.skipped.len() - NAMED));
    }
    if folder.corpus().items().is_empty() {
        terminal.note(&format!("there is no Markdown with text in `{tree}`"));
    }
    Ok(folder)
}

/// The path of a folder below the root.
fn inside(path: &Path, root: &Root) -> Result<RepoPath, Stop> {
    let refused = |message: String, hint: &str| Stop::Refused { message, hint: Some(hint.to_owned()) };
    let real = path.canonicalize().map_err(|error| Stop::Refused {
        message: format!("failed to read `{}`: {}", path.display(), cause(&error)),
        hint: None,
    })?;
    let Ok(below) = real.strip_prefix(root.as_path()) else {
        let message = format!("`{}` is outside the project `{}`", path.display(), root.as_path().display());
        return Err(refused(message, "name the project that it belongs to with `-C DIR`"));
    };
    let path = below.to_str().and_then(RepoPath::new);
    path.ok_or_else(|| refused(format!("the name of `{}` is not UTF-8", below.display()), "rename the folder"))
}
