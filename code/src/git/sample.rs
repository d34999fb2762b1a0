//! Small repositories for tests, the same everywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::Repo;

/// A repository in a temporary folder.
pub(crate) struct Sample {
    folder: TempDir,
}

impl Sample {
    pub fn new() -> Sample {
        let sample = Sample { folder: TempDir::new().expect("works") };
        sample.git(&["init", "-q"]);
        sample
    }

    /// Makes a repository whose commits each write some files; a file without text is deleted.
    pub fn of(commits: &[&[(&str, Option<&str>)]]) -> Sample {
        let sample = Sample::new();
        for files in commits {
            sample.commit(files);
        }
        sample
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("works")
    }

    pub fn repo(&self) -> Repo {
        Repo::try_open(self.folder.path()).expect("works")
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.folder.path().join(path);
        fs::create_dir_all(file.parent().expect("works")).expect("works");
        fs::write(file, text).expect("works");
    }

    pub fn delete(&self, path: &str) {
        fs::remove_file(self.folder.path().join(path)).expect("works");
    }

    /// Commits everything; returns the abbreviated id.
    pub fn commit(&self, files: &[(&str, Option<&str>)]) -> String {
        self.commit_with("a change", files)
    }

    pub fn commit_with(&self, message: &str, files: &[(&str, Option<&str>)]) -> String {
        for (path, text) in files {
            match text {
                Some(text) => self.write(path, text),
                None => self.delete(path),
            }
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])[..10].to_owned()
    }

    pub fn git(&self, args: &[&str]) -> String {
        git(self.folder.path(), args)
    }
}

/// Runs git without anyone's settings.
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    let output = command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "2024-01-01T00:00:00Z")
        .env("GIT_COMMITTER_DATE", "2024-01-01T00:00:00Z")
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(args)
        .output()
        .expect("works");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
