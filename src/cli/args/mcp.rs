//! The arguments of `mcp`.

use clap::Args as Group;

/// Serve the docs to an agent over MCP, on stdin and stdout
///
/// The tools are query, search, read and check. Without --root the project is what the client has open, else the one that
/// the server is started in.
#[derive(Group)]
#[command(after_help = MCP_HELP)]
pub struct Mcp {}

const MCP_HELP: &str = "\
Examples:
  inkwell mcp                                 as the command of an MCP server in a client's settings
  inkwell mcp --root ~/src/project --docs website/docs";
