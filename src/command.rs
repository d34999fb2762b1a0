//! Runs a command of the user's: text in, text out, within a time.
//!
//! The program is started directly, never by a shell, in a process group of its own, which ends with it: whatever it
//! left running does not outlive the run. Nothing it does or leaves undone (reading, writing, ending) keeps the caller
//! waiting past the time. What the text means is the caller's business.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How much of the output is kept, in bytes.
pub const OUTPUT_LIMIT: usize = 64 << 10;
/// A command that writes more than this is stopped, in bytes.
const FLOOD_LIMIT: usize = 16 << 20;
/// How often a running command and its pipes are looked at.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a command that has ended, or was killed, may take to be gone.
const GRACE: Duration = Duration::from_secs(1);
/// How much is read at once, in bytes.
const CHUNK: usize = 16 << 10;
/// How many pieces may wait to be taken.
const CHUNKS: usize = 16;

/// How a command ended, and what it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote on its standard output, at most [`OUTPUT_LIMIT`] bytes.
    pub output: Vec<u8>,
    /// Whether it wrote more than that.
    pub is_cut: bool,
}

/// Why a command did not end by itself.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// There is no program to run.
    #[error("the command is empty")]
    Empty,
    /// The program is not there or may not be run.
    #[error("`{program}` could not be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It was stopped because its time was over.
    #[error("`{program}` took longer than {} seconds", .timeout.as_secs())]
    Late {
        /// The program.
        program: String,
        /// The time it had.
        timeout: Duration,
    },
    /// It was stopped because it wrote without end.
    #[error("`{program}` wrote more than {FLOOD_LIMIT} bytes")]
    Flood {
        /// The program.
        program: String,
    },
    /// The system can't tell how it ended.
    #[error("`{program}` was lost: {source}")]
    Lost {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
}

/// Runs `command`, program and arguments, with `input` on its standard input. What it writes on its standard error is
/// dropped.
///
/// # Errors
/// When it can't be started, or doesn't end within `timeout`. That it ended badly is no error here.
pub fn run(command: &[String], input: &str, timeout: Duration) -> Result<Finished, Failure> {
    let start = Instant::now();
    let (program, arguments) = command.split_first().ok_or(Failure::Empty)?;
    let mut prepared = Command::new(program);
    prepared.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    platform::set_apart(&mut prepared);
    let started = prepared.spawn().and_then(|child| Running::of(child, input));
    let mut running = started.map_err(|source| Failure::Start { program: program.clone(), source })?;
    let mut output = Output::default();
    loop {
        match platform::has_ended(&mut running.child) {
            Ok(true) => break,
            Ok(false) if start.elapsed() >= timeout => return Err(Failure::Late { program: program.clone(), timeout }),
            Ok(false) if output.is_flood() => return Err(Failure::Flood { program: program.clone() }),
            Ok(false) => output.wait(&running.chunks),
            Err(source) => return Err(Failure::Lost { program: program.clone(), source }),
        }
    }
    let status = running.end().map_err(|source| Failure::Lost { program: program.clone(), source })?;
    output.rest(&running.chunks);
    Ok(Finished { status, is_cut: output.written > output.kept.len(), output: output.kept })
}

/// A started command with the threads that serve its pipes. It is killed when this goes.
struct Running {
    child: Child,
    /// Whether the threads should finish as soon as there is nothing to do.
    is_over: Arc<AtomicBool>,
    /// What the command writes, until it closes its output.
    chunks: Receiver<Vec<u8>>,
}

impl Running {
    /// Feeds and drains beside the wait, since a command may write before it has read everything, or never read.
    fn of(mut child: Child, input: &str) -> io::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (sender, chunks) = mpsc::sync_channel(CHUNKS);
        let pipes = (child.stdin.take(), child.stdout.take());
        // From here on the child is killed if anything fails.
        let running = Self { child, is_over, chunks };
        if let (Some(stdin), Some(stdout)) = pipes {
            platform::set_nonblocking(&stdin)?;
            platform::set_nonblocking(&stdout)?;
            let (input, is_over) = (input.to_owned(), Arc::clone(&running.is_over));
            Builder::new().spawn(move || feed(stdin, input.as_bytes(), &is_over))?;
            let is_over = Arc::clone(&running.is_over);
            Builder::new().spawn(move || drain(stdout, &sender, &is_over))?;
        }
        Ok(running)
    }

    /// Ends the command and whatever it started, and tells how the command itself ended.
    fn end(&mut self) -> io::Result<ExitStatus> {
        platform::kill_all(&mut self.child);
        self.is_over.store(true, Ordering::SeqCst);
        let start = Instant::now();
        loop {
            match self.child.try_wait()? {
                Some(status) => return Ok(status),
                None if start.elapsed() < GRACE => std::thread::sleep(PAUSE),
                // A process that waits for a dead disk can't even be killed.
                None => return Err(ErrorKind::TimedOut.into()),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over.load(Ordering::SeqCst) {
            let _ = self.end();
        }
    }
}

/// Writes until everything is written, the command stops reading or is over.
fn feed(mut stdin: impl Write, mut input: &[u8], is_over: &AtomicBool) {
    while !input.is_empty() {
        match stdin.write(input) {
            Ok(0) => return,
            Ok(len) => input = &input[len..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && !is_over.load(Ordering::SeqCst) => {
                std::thread::sleep(PAUSE);
            }
            // It need not read what it is told.
            Err(_) => return,
        }
    }
}

/// Reads until the output is closed or nobody listens, or the command is over and all that it wrote is read: something
/// that it started may keep the pipe open.
fn drain(mut stdout: impl Read, sender: &SyncSender<Vec<u8>>, is_over: &AtomicBool) {
    let mut chunk = [0; CHUNK];
    loop {
        // Asked before reading: what was written before the end is read before this thread ends.
        let was_over = is_over.load(Ordering::SeqCst);
        match stdout.read(&mut chunk) {
            Ok(0) => return,
            Ok(len) if sender.send(chunk[..len].to_vec()).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && !was_over => std::thread::sleep(PAUSE),
            Err(_) => return,
        }
    }
}

/// What was read so far.
#[derive(Default)]
struct Output {
    kept: Vec<u8>,
    /// All that was read, in bytes.
    written: usize,
    is_closed: bool,
}

impl Output {
    fn is_flood(&self) -> bool {
        self.written > FLOOD_LIMIT
    }

    fn add(&mut self, chunk: &[u8]) {
        let room = OUTPUT_LIMIT - self.kept.len();
        self.kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.written += chunk.len();
    }

    /// Takes what is there, or waits a moment for it.
    fn wait(&mut self, chunks: &Receiver<Vec<u8>>) {
        if self.is_closed {
            return std::thread::sleep(PAUSE);
        }
        match chunks.recv_timeout(PAUSE) {
            Ok(chunk) => self.add(&chunk),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.is_closed = true,
        }
    }

    /// Takes all that a command wrote before it ended.
    fn rest(&mut self, chunks: &Receiver<Vec<u8>>) {
        let start = Instant::now();
        while !self.is_closed && !self.is_flood() && start.elapsed() < GRACE {
            self.wait(chunks);
        }
    }
}

#[cfg(unix)]
mod platform {
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

    /// Gives the command a process group of its own, so that what it starts can be ended with it.
    pub fn set_apart(command: &mut Command) {
        command.process_group(0);
    }

    /// Makes reads and writes at our end return at once, so that no thread is caught in them.
    pub fn set_nonblocking(pipe: &impl AsFd) -> io::Result<()> {
        Ok(rustix::io::ioctl_fionbio(pipe, true)?)
    }

    /// Whether the command has ended. It stays a zombie, so that its number still means its group and no other.
    pub fn has_ended(child: &mut Child) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(rustix::process::waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
    }

    /// Kills a command that was not waited for yet, and its group. Who is gone can't be killed, which is as well.
    pub fn kill_all(child: &mut Child) {
        let _ = rustix::process::kill_process_group(Pid::from_child(child), Signal::KILL);
        let _ = child.kill();
    }
}

/// Elsewhere only the command itself is killed, and a thread may wait for what the command has left running.
#[cfg(not(unix))]
mod platform {
    use std::io;
    use std::process::{Child, Command};

    pub fn set_apart(_command: &mut Command) {}

    pub fn set_nonblocking<T>(_pipe: &T) -> io::Result<()> {
        Ok(())
    }

    pub fn has_ended(child: &mut Child) -> io::Result<bool> {
        Ok(child.try_wait()?.is_some())
    }

    pub fn kill_all(child: &mut Child) {
        let _ = child.kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    fn sh(script: &str, input: &str, timeout: Duration) -> Result<Finished, Failure> {
        run(&["sh", "-c", script].map(str::to_owned), input, timeout)
    }

    /// Runs a script that must end long before its time is over.
    fn check(script: &str, input: &str, expected: &str) {
        let start = Instant::now();
        let finished = sh(script, input, LONG).expect("an end");
        assert_eq!(
            (String::from_utf8_lossy(&finished.output).as_ref(), finished.is_cut),
            (expected, false),
            "{script}"
        );
        assert!(start.elapsed() < LONG / 2, "{script}: {:?}", start.elapsed());
    }

    /// Runs a script that must be stopped.
    fn check_stopped(script: &str, timeout_ms: u64, expected: &str) {
        let start = Instant::now();
        let failure = sh(script, &"x".repeat(1 << 20), Duration::from_millis(timeout_ms)).expect_err("no end");
        assert_eq!(failure.to_string(), expected, "{script}");
        assert!(start.elapsed() < LONG / 2, "{script}: {:?}", start.elapsed());
    }

    /// Runs a script that starts another program, and waits for the end of that: it alone keeps the named pipe open.
    fn check_start_of_another(then: &str, timeout: Duration) {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        assert!(sh(&format!("mkfifo {}", pipe.display()), "", LONG).expect("an end").status.success());
        let script = format!("exec 9> {}; sleep 30 & {then}", pipe.display());
        let start = Instant::now();
        let reader = std::thread::spawn(move || std::fs::read(pipe));
        let finished = sh(&script, "", timeout);
        assert_eq!(finished.is_ok(), timeout == LONG, "{finished:?}");
        assert_eq!(reader.join().expect("a thread").expect("a pipe"), b"");
        assert!(start.elapsed() < LONG / 2, "{then}: {:?}", start.elapsed());
    }

    #[test]
    fn text_goes_in_and_comes_out() {
        check("cat", "", "");
        check("cat", "héllo\n", "héllo\n");
        check("cat; echo done >&2", "x", "x");
        let text = "x".repeat(OUTPUT_LIMIT);
        check("cat", &text, &text);
        assert_eq!(sh("exit 3", "", LONG).expect("an end").status.code(), Some(3));
    }

    #[test]
    fn what_is_too_long_is_cut_and_what_is_endless_is_stopped() {
        let finished = sh("cat", &"x".repeat(OUTPUT_LIMIT + 1), LONG).expect("an end");
        assert_eq!((finished.output.len(), finished.is_cut), (OUTPUT_LIMIT, true));
        check_stopped("exec yes", 20_000, "`sh` wrote more than 16777216 bytes");
        check_stopped("yes >&2 & sleep 30", 100, "`sh` took longer than 0 seconds");
    }

    #[test]
    fn input_need_not_be_read() {
        let large = "x".repeat(4 << 20);
        check("echo done", &large, "done\n");
        check("exec <&-; echo done; sleep 0.1", &large, "done\n");
        check("head -c 3", &large, "xxx");
        check_stopped("exec sleep 30", 100, "`sh` took longer than 0 seconds");
    }

    #[test]
    fn what_a_command_starts_ends_with_it() {
        check("sleep 30 & echo done", "", "done\n");
        check_start_of_another("echo done", LONG);
        check_start_of_another("wait", Duration::from_millis(500));
    }

    #[test]
    fn who_leaves_the_group_with_the_pipe_is_not_waited_for() {
        // Only some systems have the program; without it the script does the same in the group.
        let escape = "(setsid sleep 5 || sleep 5) 2>&1 & sleep 0.1; echo done";
        check(escape, "", "done\n");
        check_stopped(&format!("{escape}; sleep 30"), 300, "`sh` took longer than 0 seconds");
    }

    #[test]
    fn no_thread_stays_behind_at_an_open_pipe() {
        let over = AtomicBool::new(true);
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        platform::set_nonblocking(&reader).expect("a mode");
        platform::set_nonblocking(&writer).expect("a mode");
        writer.write_all(b"abc").expect("room");
        let (sender, chunks) = mpsc::sync_channel(CHUNKS);
        drain(&reader, &sender, &over);
        assert_eq!(chunks.try_recv().as_deref(), Ok(b"abc".as_slice()));
        feed(&writer, &[0; 1 << 20], &over);
        assert_eq!(writer.write(b"x").expect_err("no room").kind(), ErrorKind::WouldBlock);
    }

    #[test]
    fn a_command_that_can_not_be_started_is_a_failure() {
        let failure = |command: &[&str]| {
            let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
            run(&command, "", LONG).expect_err("no start").to_string()
        };
        assert_eq!(failure(&[]), "the command is empty");
        assert!(failure(&["inkwell-no-such-program"]).starts_with("`inkwell-no-such-program` could not be started: "));
        assert!(failure(&["/"]).starts_with("`/` could not be started: "));
        assert!(failure(&["a\0b"]).ends_with("could not be started: nul byte found in provided data"));
    }

    #[test]
    fn words_never_meet_a_shell() {
        let words = ["echo", "$HOME;", "`id`", "a b", "*"].map(str::to_owned);
        let finished = run(&words, "", LONG).expect("an end");
        assert_eq!(String::from_utf8_lossy(&finished.output), "$HOME; `id` a b *\n");
    }

    #[test]
    fn a_time_without_end_is_a_time() {
        assert_eq!(sh("echo done", "", Duration::MAX).expect("an end").output, b"done\n");
    }
}
