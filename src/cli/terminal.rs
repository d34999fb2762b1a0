//! The two streams: results to stdout as they are, words about them to stderr, coloured where that is wanted.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

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

    /// A bar on stderr that shows up when there is much to do; silent where stderr is no terminal.
    pub fn progress(&self) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let template = "{msg} [{bar:32}] {human_pos}/{human_len} files, {eta} left";
            bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message("indexing");
            bar
        });
        Progress(bar)
    }
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

/// A progress bar, if one is wanted.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Shows that `done` of `of` files are done.
    pub fn set(&self, done: usize, of: usize) {
        let Some(bar) = self.0.as_ref().filter(|_| of >= PROGRESS_FROM) else {
            return;
        };
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.0 {
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
}
