//! The MCP server: the questions of the command line as tools, over the standard streams.
//!
//! The engine, the order of the results and the JSON are those of the command line; what is added is what an agent
//! needs: closed lists of arguments, a budget, and the next call to make. Everything is read anew at every call, also
//! the settings. Only this module waits for things (`server`); all other files of it are plain functions.

mod arguments;
mod budget;
mod call;
mod check;
mod places;
mod query;
mod read;
mod reply;
mod schema;
mod search;
mod server;
mod tool;

use std::io;
use std::path::PathBuf;

use crate::config::Overrides;

/// How a server is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The one project that may be asked; without one the client names its roots, else it is the working directory's.
    pub root: Option<PathBuf>,
    /// What the command line says of the settings.
    pub overrides: Overrides,
}

/// Serves one client on stdin and stdout until it closes stdin. Nothing but the protocol is written.
///
/// # Errors
/// When no runtime can be started, or the client doesn't speak the protocol.
pub fn serve(settings: Settings) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let served = runtime.block_on(server::run(settings));
    // What nobody waits for any more, such as a check whose client is gone, must not hold up the end.
    runtime.shutdown_background();
    served
}
