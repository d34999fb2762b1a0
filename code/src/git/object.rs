//! Reads many objects with one run of git.

use std::io::{self, BufRead, BufReader, Read};

use super::run::{Error, text};
use super::{Repo, is_id};

/// Most bytes of one file that are read; a longer one counts as absent.
pub const BLOB_BUDGET: u64 = 4 << 20;

/// What became of one request.
pub(crate) enum Found<'a> {
    /// The content.
    Blob(&'a [u8]),
    /// Longer than the budget.
    Long,
    /// No such object, not in this clone, or not a file.
    Absent,
}

impl Repo {
    /// Reads contents: of a blob by its id, of `<commit>:<path>` or, from the index, of `:<path>`.
    ///
    /// Paths are relative to the top of the repository unless they begin with `./`. What doesn't exist, is no file, or
    /// is longer than [`BLOB_BUDGET`] gives `None`.
    ///
    /// # Errors
    ///
    /// [`Error::NoGit`] and [`Error::Talk`] as they say; [`Error::Git`] where the repository is damaged.
    pub fn blobs(&self, specs: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let specs: Vec<String> = specs.iter().map(|spec| self.one_line(spec)).collect();
        let mut blobs = Vec::with_capacity(specs.len());
        self.each_blob(&specs, BLOB_BUDGET, |_, found| {
            blobs.push(match found {
                Found::Blob(bytes) => Some(bytes.to_vec()),
                Found::Long | Found::Absent => None,
            });
        })?;
        Ok(blobs)
    }

    /// Gives each content to `use_blob` with its place among `specs`, in order.
    ///
    /// Specs are without line breaks: one that has one is absent.
    pub(crate) fn each_blob<S: AsRef<str>>(
        &self,
        specs: &[S],
        budget: u64,
        mut use_blob: impl FnMut(usize, Found<'_>),
    ) -> Result<(), Error> {
        if specs.is_empty() {
            return Ok(());
        }
        let is_one_line = |spec: &str| !spec.contains('\n') && !spec.is_empty();
        let asked = specs.iter().map(AsRef::as_ref).map(|spec| if is_one_line(spec) { spec } else { "absent" });
        let input = asked.clone().flat_map(|spec| spec.bytes().chain([b'\n'])).collect();
        let git = self.git().args(["cat-file", "--batch", "--buffer"]);
        let (read, _) = git.stream(input, |stdout| -> io::Result<()> {
            let mut stdout = BufReader::with_capacity(1 << 18, stdout);
            let mut content = Vec::new();
            for (place, spec) in asked.enumerate() {
                let size = next_blob(&mut stdout, spec)?;
                let Some(size) = size else {
                    use_blob(place, Found::Absent);
                    continue;
                };
                content.clear();
                let kept = if size > budget { 0 } else { size };
                stdout.by_ref().take(kept).read_to_end(&mut content)?;
                let rest = size - kept + 1;
                let skipped = io::copy(&mut stdout.by_ref().take(rest), &mut io::sink())?;
                if content.len() as u64 != kept || skipped != rest {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                use_blob(place, if size > budget { Found::Long } else { Found::Blob(&content) });
            }
            Ok(())
        })?;
        match read {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(Error::Git { attempt: "cat-file".into(), said: "the repository is damaged".into() })
            }
            Err(error) => Err(Error::Talk(error)),
        }
    }

    /// Replaces a spec that has a line break in its path by the object's id, as requests are lines.
    fn one_line(&self, spec: &str) -> String {
        if !spec.contains('\n') || spec.starts_with('-') {
            return spec.to_owned();
        }
        let output = self.git().args(["rev-parse", "--verify", "--quiet", "--end-of-options", spec]).output();
        let id = output.map(|id| text(&id).trim().to_owned()).unwrap_or_default();
        if is_id(&id) { id } else { spec.to_owned() }
    }
}

/// Reads the head of one answer: the size of a blob that follows, or `None` after an answer without a blob.
fn next_blob(stdout: &mut impl BufRead, spec: &str) -> io::Result<Option<u64>> {
    let mut line = Vec::new();
    stdout.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let line = text(&line);
    // A spec is echoed, and may itself look like the head of an answer.
    if line.strip_prefix(spec).is_some_and(|rest| matches!(rest, " missing" | " ambiguous" | " submodule")) {
        return Ok(None);
    }
    let [_id, kind, size] = line.split(' ').collect::<Vec<_>>()[..] else { return Ok(None) };
    let Ok(size) = size.parse::<u64>() else { return Ok(None) };
    if kind == "blob" {
        return Ok(Some(size));
    }
    io::copy(&mut stdout.take(size + 1), &mut io::sink())?;
    Ok(None)
}
