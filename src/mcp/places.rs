//! Which folder a call is about. Only what the user or the client named is read, and never a home folder as a whole.

use std::path::{Path, PathBuf};

use super::arguments::Arguments;
use super::reply::{Next, Refusal};
use crate::cite::{decode, visible};
use crate::walk::Root;

/// Where projects may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// In this folder, as the user said.
    Given(PathBuf),
    /// Where the server was started.
    Here,
    /// In the roots that the client named, as URIs.
    Client(Vec<String>),
}

/// The root that a call is about.
///
/// # Errors
/// When there is none, several, another than the call names, or one that is too large to be a project.
pub fn root(places: &Places, home: Option<&Path>, arguments: &Arguments) -> Result<Root, Refusal> {
    let roots = roots(places)?;
    let wanted = arguments.text("root");
    let is_wanted = |root: &&Root| {
        wanted.is_empty() || Root::open(Path::new(wanted)).is_ok_and(|wanted| wanted.as_path() == root.as_path())
    };
    let fitting: Vec<&Root> = roots.iter().filter(is_wanted).collect();
    match fitting.as_slice() {
        [root] => project((*root).clone(), home),
        [] => Err(Refusal {
            message: format!("`{}` is not a root of this server: nothing else is read", visible(wanted)),
            next: choices(&roots, arguments),
        }),
        _ => Err(Refusal {
            message: "there are several roots: say which one is meant with `root`".into(),
            next: choices(&roots, arguments),
        }),
    }
}

/// The same call for each root.
fn choices(roots: &[Root], arguments: &Arguments) -> Vec<Next> {
    let folder = |root: &Root| root.as_path().to_string_lossy().into_owned();
    roots.iter().map(|root| arguments.again().with("root", folder(root).into())).collect()
}

/// The roots that exist, each once.
fn roots(places: &Places) -> Result<Vec<Root>, Refusal> {
    let found = match places {
        Places::Given(folder) => vec![Root::open(folder).map_err(|error| Refusal::new(error.to_string()))?],
        Places::Here => vec![Root::find(Path::new(".")).map_err(|error| Refusal::new(error.to_string()))?],
        Places::Client(uris) => uris.iter().filter_map(|uri| Root::open(&folder(uri)?).ok()).collect(),
    };
    let mut roots: Vec<Root> = Vec::new();
    for root in found {
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    match (places, roots.is_empty()) {
        (Places::Client(uris), true) => {
            let named: Vec<String> = uris.iter().map(|uri| format!("`{}`", visible(uri))).collect();
            Err(Refusal::new(format!("none of the client's roots is a folder here: {}", named.join(", "))))
        }
        _ => Ok(roots),
    }
}

/// The folder of a `file:` URI; `None` for others.
fn folder(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = decode(path.strip_prefix("localhost").unwrap_or(path));
    // On Windows a drive stands behind the slash.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':') && cfg!(windows));
    Some(PathBuf::from(drive.unwrap_or(&path)))
}

/// A root that may be indexed: not the whole disk, and neither a home folder nor a folder of them.
fn project(root: Root, home: Option<&Path>) -> Result<Root, Refusal> {
    let folder = root.as_path();
    let home = home.and_then(|home| Root::open(home).ok());
    let what = match home {
        _ if folder.parent().is_none() => "the top of the disk",
        Some(home) if home.as_path() == folder => "your home folder",
        Some(home) if home.as_path().starts_with(folder) => "above your home folder",
        _ => return Ok(root),
    };
    Err(Refusal::new(format!(
        "`{}` is {what} and no project, so it is not read\n\
         open a project in the client, start the server in one, or name one with `inkwell mcp --root DIR`",
        visible(&folder.to_string_lossy())
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tool::Tool;
    use super::*;

    fn asked(root: Option<&Path>) -> Arguments {
        let given = json!({ "question": "a", "root": root });
        Arguments::read(Tool::Query, given.as_object().expect("an object").clone()).expect("they are right")
    }

    #[test]
    fn a_root_uri_is_a_folder() {
        let cases = [
            ("file:///a/b%20c", Some("/a/b c")),
            ("file://localhost/a", Some("/a")),
            ("https://example.com/a", None),
            ("/a", None),
        ];
        for (uri, expected) in cases {
            assert_eq!(folder(uri), expected.map(PathBuf::from), "{uri}");
        }
    }

    #[test]
    fn neither_a_disk_nor_a_home_is_a_project() {
        let temp = tempfile::tempdir().expect("a folder");
        let top = temp.path().canonicalize().expect("it exists");
        let home = top.join("home");
        std::fs::create_dir_all(home.join("project")).expect("created");
        let found = |folder: &Path| project(Root::open(folder).expect("a folder"), Some(&home)).map_err(|r| r.message);
        assert!(found(&home.join("project")).is_ok());
        for (folder, what) in [(Path::new("/"), "the top"), (&home, "your home"), (&top, "above your home")] {
            let message = found(folder).expect_err("no project");
            assert!(message.starts_with(&format!("`{}` is {what}", folder.display())), "{message}");
        }
    }

    #[test]
    fn a_call_is_about_one_of_the_roots() {
        let temp = tempfile::tempdir().expect("a folder");
        let top = temp.path().canonicalize().expect("it exists");
        let [one, two] = ["one", "two"].map(|name| top.join(name));
        for folder in [&one, &two] {
            std::fs::create_dir(folder).expect("created");
        }
        let uri = |folder: &Path| format!("file://{}", folder.display());
        let places = Places::Client(vec![uri(&one), uri(&two), uri(&one), "https://a".into()]);
        let found = |places: &Places, wanted: Option<&Path>| root(places, None, &asked(wanted));
        assert_eq!(found(&places, Some(&two)).expect("a root").as_path(), two);
        let both = [&one, &two].map(|folder| json!({ "question": "a", "root": folder }));
        for (wanted, message) in [
            (None, "there are several roots: say which one is meant with `root`".to_owned()),
            (Some(top.as_path()), format!("`{}` is not a root of this server: nothing else is read", top.display())),
        ] {
            let refusal = found(&places, wanted).expect_err("refused");
            let offered: Vec<Value> = refusal.next.into_iter().map(|next| Value::Object(next.arguments)).collect();
            assert_eq!((refusal.message, offered), (message, both.to_vec()));
        }
        let gone = Places::Client(vec![uri(&top.join("gone"))]);
        let message = found(&gone, None).expect_err("refused").message;
        assert_eq!(message, format!("none of the client's roots is a folder here: `{}`", uri(&top.join("gone"))));
        assert_eq!(found(&Places::Given(one.clone()), None).expect("a root").as_path(), one);
    }
}
