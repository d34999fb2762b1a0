//! Claims about files: that they are there, have a line, define a symbol.

use super::{Absence, Outcome, Proof, Scene, Subject, verify};
use crate::claim::{Claim, Target, is_file_extension};
use crate::codebase::Role;
use crate::finding::{Evidence, Rule};
use crate::walk;

/// File names that every project's reader has: a missing one is the reader's own.
const CONVENTIONAL: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "requirements.txt",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "Cargo.toml",
    "Cargo.lock",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "jsconfig.json",
    "go.mod",
    "go.sum",
    "Makefile",
    "Dockerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yaml",
    "compose.yml",
    ".env",
    ".gitignore",
    "index.ts",
    "index.js",
    "index.tsx",
    "index.jsx",
    "index.html",
    "index.md",
    "index.php",
    "index.css",
    "main.rs",
    "main.py",
    "main.go",
    "main.c",
    "main.ts",
    "main.js",
    "main.cpp",
    "lib.rs",
    "mod.rs",
    "app.py",
    "app.js",
    "app.ts",
    "app.tsx",
    "App.tsx",
    "App.js",
    "app.css",
    "server.js",
    "server.ts",
    "server.py",
    "config.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "config.js",
    "config.ts",
    "config.rb",
    "config.exs",
    "conftest.py",
    "__init__.py",
    "__main__.py",
    "manage.py",
    "wsgi.py",
    "asgi.py",
    "urls.py",
    "views.py",
    "models.py",
    "settings.py",
    "settings.json",
    "hooks.json",
    "sitemap.xml",
    "image.png",
    "data.json",
    "test.js",
    "test.py",
    "test.ts",
    "example.py",
    "example.js",
    "style.css",
    "styles.css",
    "script.js",
    "script.sh",
    "Gemfile",
    "Gemfile.lock",
    "Rakefile",
    "Procfile",
    "composer.json",
    "composer.lock",
    "mix.exs",
    "mix.lock",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "pom.xml",
    "CMakeLists.txt",
    "configure.ac",
    "Vagrantfile",
    "netlify.toml",
    "vercel.json",
    "now.json",
    "robots.txt",
    "favicon.ico",
    "feed.xml",
    "404.html",
    "manifest.json",
    "deno.json",
    "bun.lock",
    "yarn.lock",
    "pnpm-lock.yaml",
    "circle.yml",
    "codecov.yml",
    ".travis.yml",
    "travis.yml",
    "tox.ini",
    "pytest.ini",
    ".npmrc",
    ".prettierrc",
    ".eslintrc",
    ".editorconfig",
    "eslint.config.js",
    "vite.config.ts",
    "vite.config.js",
    "webpack.config.js",
    "rollup.config.js",
    "babel.config.js",
    "jest.config.js",
    "tailwind.config.js",
    "postcss.config.js",
    "next.config.js",
    "nuxt.config.ts",
    "svelte.config.js",
    "astro.config.mjs",
    "rust-toolchain.toml",
    "build.rs",
    "output.txt",
    "input.txt",
    "file.txt",
    "test.txt",
    "out.json",
    "logo.png",
    "logo.svg",
];

/// Where a path can start.
pub fn readings(path: &str, subject: &Subject, scene: &Scene<'_>) -> Vec<String> {
    let bare = path.trim_start_matches('/');
    let mut found = Vec::new();
    let folder = subject.page.path.parent();
    let folder = folder.as_ref().map_or("", |folder| folder.as_str());
    let bases = [("", false), (folder, true)].into_iter().chain(scene.docs.iter().map(|tree| (tree.as_str(), false)));
    for (base, is_relative) in bases {
        // A leading `/` means the root, never the page's folder.
        if is_relative && path.starts_with('/') {
            continue;
        }
        found.extend(joined(base, bare).filter(|path| !found.contains(path)));
    }
    found
}

/// `path` read from `base`, without `.` and `..`; `None` where it leads out.
pub fn joined(base: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A file or folder: at the root, beside the page, in a docs tree, or as the end of some path.
pub fn verify(path: &str, subject: &Subject, scene: &Scene<'_>) -> Outcome {
    let files = &scene.code.files;
    let readings = readings(path, subject, scene);
    if let Some(found) = readings.iter().find(|reading| files.holds(reading)) {
        return Outcome::Verified(Rule::Exists, Some(found.clone()).filter(|found| !found.is_empty()));
    }
    let bare = bare(path);
    if let Some(file) = files.with_suffix(bare).into_iter().min_by_key(|file| files.all[*file as usize].role) {
        return Outcome::Verified(Rule::Exists, Some(scene.code.path(file).to_string()));
    }
    if (bare.contains('/') || path.ends_with('/'))
        && let Some(folder) = files.folder_with_suffix(bare)
    {
        return Outcome::Verified(Rule::Exists, Some(folder.to_owned()));
    }
    if readings.iter().any(|reading| files.is_elsewhere(reading)) {
        return Outcome::Unproven("it lies in another repository".to_owned());
    }
    if let Some(other) = readings.iter().find_map(|reading| files.in_other_case(reading)) {
        return Outcome::Unproven(format!("its case is wrong: the repository has `{other}`"));
    }
    if path.starts_with('/') || path.starts_with("..") {
        return Outcome::Unproven("it lies outside of the repository".to_owned());
    }
    if is_conventional(bare) {
        return Outcome::Unproven("every project has a file of that name".to_owned());
    }
    // Of a file in a generated project the last two parts are the generator's.
    let segments: Vec<&str> = bare.split('/').collect();
    let tail = (segments.len() >= 3).then(|| segments[segments.len() - 2..].join("/"));
    Outcome::Absent(Absence {
        paths: std::iter::once(bare.to_owned()).chain(tail).collect(),
        reason: "no such file".to_owned(),
        ..Absence::default()
    })
}

/// A path without what only says where it starts and that it is a folder.
pub fn bare(path: &str) -> &str {
    path.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/')
}

fn is_conventional(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.split('/').count() <= 2 && CONVENTIONAL.contains(&name)
}

/// Whether git ignores a path, however it is read: then it is made when the program runs.
pub fn is_ignored(path: &str, subject: &Subject, scene: &Scene<'_>) -> bool {
    readings(path, subject, scene).iter().any(|reading| walk::is_ignored(scene.code.root, reading))
}

/// The file that a path means, if it is there.
pub fn file(path: &str, subject: &Subject, scene: &Scene<'_>) -> Option<u32> {
    let files = &scene.code.files;
    let exact = readings(path, subject, scene).into_iter().find_map(|reading| files.find(&reading));
    exact.or_else(|| {
        let found = files.with_suffix(bare(path));
        found.into_iter().min_by_key(|file| files.all[*file as usize].role)
    })
}

/// A line of a file: within its length.
pub fn verify_line(path: &str, line: usize, claim: &Claim, subject: &Subject, scene: &Scene<'_>) -> Outcome {
    let Some(file) = file(path, subject, scene) else { return verify(path, subject, scene) };
    let shown = scene.code.path(file).to_string();
    match scene.code.lines(file) {
        Some(lines) if line > lines => Outcome::Drifted(Proof {
            rule: Rule::MissingLine,
            detail: format!("see {shown}: the file has {lines} lines"),
            evidence: Evidence { defined_at: Some(shown), ..Evidence::default() },
            rename: None,
        }),
        Some(_) => match shifted(file, line, claim, subject, scene) {
            Some((name, now)) => {
                let at = format!("{shown}:{now}");
                Outcome::Shifted(format!("`{name}` is not on line {line} but at {at}"), at)
            }
            None => Outcome::Verified(Rule::Exists, Some(format!("{shown}:{line}"))),
        },
        None => Outcome::Unproven("the file can't be read".to_owned()),
    }
}

/// The name beside a line's claim, and the line where the file defines it, if that is another: "`f` (`a.rs:53`)".
fn shifted(file: u32, line: usize, claim: &Claim, subject: &Subject, scene: &Scene<'_>) -> Option<(String, u32)> {
    let at = subject.claims.partition_point(|other| other.span < claim.span);
    let before = subject.claims.get(at.checked_sub(1)?)?;
    let name = match &before.target {
        Target::Symbol(name) if before.block == claim.block => name,
        Target::Member(parts) if before.block == claim.block => parts.last()?,
        _ => return None,
    };
    let outline = scene.code.outline(file)?;
    let mut own = outline.symbols.iter().filter(|symbol| symbol.name == *name && verify::defines(symbol));
    let (only, None) = (own.next()?, own.next()) else { return None };
    let line = u32::try_from(line).ok()?;
    (line < only.line || line > only.end_line).then(|| (name.clone(), only.line))
}

/// A symbol of a file: nobody writes this form by chance, so a missing file or symbol is drift (contracts A4).
pub fn verify_symbol(path: &str, parts: &[String], subject: &Subject, scene: &Scene<'_>) -> Outcome {
    let Some(name) = parts.last() else { return Outcome::Unproven("it names nothing".to_owned()) };
    let Some(file) = file(path, subject, scene) else {
        if readings(path, subject, scene).iter().any(|reading| scene.code.files.is_elsewhere(reading)) {
            return Outcome::Unproven("it lies in another repository".to_owned());
        }
        let shown = bare(path).to_owned();
        return Outcome::Absent(Absence {
            paths: vec![shown],
            reason: "file does not exist".to_owned(),
            ..Absence::default()
        });
    };
    let shown = scene.code.path(file).to_string();
    if scene.code.files.all[file as usize].role == Role::Doc || !has_code_extension(&shown) {
        return Outcome::Verified(Rule::Exists, Some(shown));
    }
    let here = scene.places.of(name).iter().find(|place| place.file == file);
    let defined = scene.code.outline(file).and_then(|outline| {
        outline.symbols.iter().find(|symbol| symbol.name == *name && verify::defines(symbol)).map(|symbol| symbol.line)
    });
    if let Some(line) = defined {
        return Outcome::Verified(Rule::Defined, Some(format!("{shown}:{line}")));
    }
    if let Some(place) = here {
        return Outcome::Verified(Rule::Mentioned, Some(verify::shown(place, scene)));
    }
    if !scene.code.files.all[file as usize].is_code() || scene.code.read(file).is_none() {
        return Outcome::Unproven("the file's code is not read".to_owned());
    }
    let elsewhere = verify::definition(name, scene.places.of(name), scene);
    let defined_at = elsewhere.map(|(file, line)| format!("{}:{line}", scene.code.path(file)));
    Outcome::Drifted(Proof {
        rule: Rule::MissingSymbol,
        detail: format!("see {shown}: symbol '{name}' not found"),
        evidence: Evidence { defined_at, ..Evidence::default() },
        rename: None,
    })
}

fn has_code_extension(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| is_file_extension(extension))
}
