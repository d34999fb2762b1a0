//! The two streams: results to stdout as they are, words about them to stderr, coloured where that is wanted.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Stop;
use inkwell::cite::visible;

/// Fewer files than this are read faster than a bar is seen.
const PROGRESS_FROM: usize = 300;

/// The streams of the process.
pub struct Terminal {
    to_terminal: bool,
}

impl Terminal {
    pub fn new() -> Self {
        Self { to_terminal: std::io::stdout().is_terminal() }
    }

    /// Prints a result. On a terminal, control characters in it show instead of act.
    pub fn print(&self, text: &str) -> Result<(), Stop> {
        let mut out = std::io::stdout().lock();
        if self.to_terminal {
            out.write_all(lines(text).as_bytes())?;
        } else {
            out.write_all(text.as_bytes())?;
        }
        out.flush()?;
        Ok(())
    }

    /// Prints lines of which some start with `path:line`: where a terminal can follow links, these lead to the files of
    /// `root`. Elsewhere the bytes are those of [`Self::print`].
    pub fn print_places(&self, text: &str, root: &Path) -> Result<(), Stop> {
        if !self.follows_links() {
            return self.print(text);
        }
        let mut out = std::io::stdout().lock();
        out.write_all(linked(&lines(text), root).as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Whether links may be written: the terminal is known to take them, and nobody wants plain text.
    fn follows_links(&self) -> bool {
        let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        self.to_terminal && !is_plain && !is_dumb() && supports_hyperlinks::supports_hyperlinks()
    }

    /// Says what went wrong and what to do.
    pub fn error(&self, message: &str, hint: Option<&str>) {
        say("error", AnsiColor::Red, message);
        if let Some(hint) = hint {
            self.hint(hint);
        }
    }

    /// Says what may make the result less than it could be.
    pub fn warning(&self, message: &str) {
        say("warning", AnsiColor::Yellow, message);
    }

    /// Says what is good to know.
    pub fn note(&self, message: &str) {
        say("note", AnsiColor::Cyan, message);
    }

    /// Says what to do next.
    pub fn hint(&self, message: &str) {
        say("hint", AnsiColor::Green, message);
    }

    /// Prints a line about the result, without a label.
    pub fn aside(&self, text: &str) {
        let _ = writeln!(anstream::stderr().lock(), "{}", lines(text));
    }

    /// A bar on stderr that shows up when there is much to do; silent where stderr is no terminal that can redraw a line.
    pub fn progress(&self) -> Progress {
        let is_drawn = std::io::stderr().is_terminal() && !is_dumb();
        let bar = is_drawn.then(|| {
            let bar = ProgressBar::hidden();
            let template = "{msg} [{bar:32}] {human_pos}/{human_len} files, {eta} left";
            bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message("indexing");
            bar
        });
        Progress(bar)
    }
}

/// Whether the terminal can do nothing but print.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

fn say(label: &str, color: AnsiColor, message: &str) {
    let style = Style::new().bold().fg_color(Some(color.into()));
    // Nothing can be done about a stderr that is closed.
    let _ = writeln!(anstream::stderr().lock(), "{style}{label}:{style:#} {}", visible(message));
}

/// A text whose control characters, other than line ends and tabs, are shown instead of obeyed.
fn lines(text: &str) -> String {
    let keeps = |piece: &str| piece.split('\t').map(visible).collect::<Vec<_>>().join("\t");
    text.split('\n').map(keeps).collect::<Vec<_>>().join("\n")
}

/// The text with the place at the start of each line as a link to its file (OSC 8), where there is such a file.
fn linked(text: &str, root: &Path) -> String {
    let link = |line: &str| match place(line).filter(|(path, _)| root.join(path).is_file()) {
        Some((path, length)) => {
            let (shown, rest) = line.split_at(length);
            format!("\u{1b}]8;;{}\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\{rest}", address(&root.join(path)))
        }
        None => line.to_owned(),
    };
    text.split('\n').map(link).collect::<Vec<String>>().join("\n")
}

/// The path of `path:line` or `path:line:column` at the start of a line, and how many bytes of the line these are.
fn place(line: &str) -> Option<(&str, usize)> {
    line.match_indices(':').find_map(|(end, _)| {
        let length = end + number(&line[end..])?;
        let length = length + number(&line[length..]).unwrap_or(0);
        let is_ended = line[length..].starts_with(": ") || line[length..].starts_with("  [");
        (is_ended && end > 0).then(|| (&line[..end], length))
    })
}

/// The bytes of a `:` with a number behind it at the start of a text.
fn number(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(':')?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(digits + 1)
}

/// A file as an address, with all but the plainest characters escaped.
fn address(path: &Path) -> String {
    let path = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    // Without a host the address is of this machine.
    format!("file:///{}", path.trim_start_matches('/').bytes().map(escaped).collect::<String>())
}

/// A progress bar, if one is wanted.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Shows that `done` of `of` files are done.
    pub fn set(&self, done: usize, of: usize) {
        let Some(bar) = self.0.as_ref().filter(|_| of >= PROGRESS_FROM) else {
            return;
        };
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = self.0.as_ref().filter(|bar| !bar.is_hidden()) {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_not_obeyed() {
        assert_eq!(lines("a\u{1b}[2J\r\tb\n"), "a\\u{1b}[2J\\u{d}\tb\n");
        assert_eq!(lines("x\u{202e}y"), "x\\u{202e}y");
    }

    #[test]
    fn a_place_is_a_path_with_a_line_at_the_start() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(place(line).map(|(path, length)| format!("{path} {}", &line[..length])).as_deref(), expected);
        };
        check("docs/a.md:3:14: missing-path: x", Some("docs/a.md docs/a.md:3:14"));
        check("docs/a.md:3: this suppresses nothing", Some("docs/a.md docs/a.md:3"));
        check("docs/a.md:3  [x]  at 10:30: y", Some("docs/a.md docs/a.md:3"));
        check("a:1/b.md:3:1: x", Some("a:1/b.md a:1/b.md:3:1"));
        for none in ["  section: docs/a.md#x", "note: 3: x", "docs/a.md: x", ":3: x", "checked 5 claims", ""] {
            check(none, None);
        }
    }

    #[test]
    fn places_of_files_that_exist_become_links() {
        let root = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(root.path().join("ü b.md"), "").expect("written");
        let folder = address(root.path());
        let expected = format!("\u{1b}]8;;{folder}/%C3%BC%20b.md\u{1b}\\ü b.md:3\u{1b}]8;;\u{1b}\\: x\nno.md:3: y\n");
        assert_eq!(linked("ü b.md:3: x\nno.md:3: y\n", root.path()), expected);
        assert!(folder.starts_with("file:///"), "{folder}");
    }
}
