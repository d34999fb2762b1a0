//! The protocol. A call's work is done on a thread of its own, so that a long one holds up neither the next nor its own
//! cancellation.

use std::borrow::Cow;
use std::future::{Future, pending};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, InputRequests,
    InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion,
    ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext, ServerInitializeError};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};

use super::Settings;
use super::arguments::Arguments;
use super::call;
use super::places::Places;
use super::reply::{Refusal, Reply};
use super::schema;
use super::tool::Tool;
use crate::cite::visible;
use crate::config::Overrides;
use crate::error::nearest;

/// Calls that are worked on at once; others wait. A check waits only for checks, and nothing else waits for one.
const LANES: usize = 4;
/// Time between two reports on a long call.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// How long the client may take to name its roots.
const ROOTS_PATIENCE: Duration = Duration::from_secs(5);
/// What the request for roots is called in a result that asks for more.
const ROOTS: &str = "roots";

/// What a model is told of the server.
const INSTRUCTIONS: &str = "\
inkwell answers from this project's own documentation, read as it is on disk at each call, with the sections that say so \
and whether the code agrees with them. Ask `query` first when a question is about how this project works, is set up, \
configured or used; cite the sections it names.
No sources, or `status: not_found`, means that the docs don't say it: tell the user so, and don't answer as if they did. \
`drift detected` means that the code contradicts the section: trust the code. `could not corroborate` is no sign either way.
`search` finds sections by exact words, `read` gives the text of any section that a result names, `check` lists what the \
docs say that is no longer so. Every result names the next call to make, exactly as it is to be made.";

/// Serves a client on the standard streams until it closes stdin.
///
/// # Errors
/// When the client doesn't speak the protocol.
pub async fn run(settings: Settings) -> io::Result<()> {
    match Server::new(settings).serve(rmcp::transport::stdio()).await {
        Ok(running) => {
            // However the session ended, there is nobody left to tell.
            let _ = running.waiting().await;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}

struct Server {
    root: Option<PathBuf>,
    overrides: Overrides,
    /// The client's roots, once they are known.
    roots: Mutex<Option<Vec<String>>>,
    calls: Arc<Semaphore>,
    checks: Arc<Semaphore>,
}

/// What is known of the places that may be read.
enum Known {
    Places(Places),
    /// The client must be asked, in the answer to its call.
    Unasked,
}

impl Server {
    fn new(settings: Settings) -> Self {
        let Settings { root, overrides } = settings;
        let [calls, checks] = [LANES, 1].map(|lanes| Arc::new(Semaphore::new(lanes)));
        Self { root, overrides, roots: Mutex::new(None), calls, checks }
    }

    /// Where projects may be: where the user said, else in the client's roots, else here.
    async fn places(&self, call: &CallToolRequestParams, context: &Context) -> Result<Known, Refusal> {
        if let Some(root) = &self.root {
            return Ok(Known::Places(Places::Given(root.clone())));
        }
        if context.client_capabilities().is_none_or(|capabilities| capabilities.roots.is_none()) {
            return Ok(Known::Places(Places::Here));
        }
        let answered = call.input_responses.as_ref().and_then(|responses| responses.get(ROOTS)).map(uris);
        let kept = || self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let uris = match answered.or_else(kept) {
            Some(uris) => uris,
            // Since this version a server may not ask on its own.
            None if context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28) => return Ok(Known::Unasked),
            None => asked(context).await?,
        };
        *self.roots.lock().unwrap_or_else(PoisonError::into_inner) = Some(uris.clone());
        // A client without an open folder leaves it to the place where it started the server.
        Ok(Known::Places(if uris.is_empty() { Places::Here } else { Places::Client(uris) }))
    }

    /// Answers a call, on another thread.
    async fn work(&self, places: Places, arguments: Arguments, context: &Context) -> Result<Answered, ErrorData> {
        let lane = if arguments.tool == Tool::Check { &self.checks } else { &self.calls };
        let turn = Arc::clone(lane).acquire_owned();
        let (tell, told) = watch::channel("looking at what changed".to_owned());
        let overrides = self.overrides.clone();
        let work = async {
            let turn = turn.await;
            let work = move || {
                let say = |text: String| drop(tell.send(text));
                let answered = call::answer(&places, &overrides, &arguments, &say);
                drop(turn);
                answered
            };
            tokio::task::spawn_blocking(work).await
        };
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
            () = reports(context, told) => Err(ErrorData::internal_error("the client is gone", None)),
            done = work => done.map_err(|_| ErrorData::internal_error("inkwell itself failed; please report it", None)),
        }
    }
}

type Context = RequestContext<RoleServer>;
type Answered = Result<Reply, Refusal>;

/// Tells a client that asked for it how a call goes on, from its start until it is dropped.
async fn reports(context: &Context, told: watch::Receiver<String>) {
    let Some(token) = context.meta.get_progress_token() else { return pending().await };
    let mut ticks = tokio::time::interval(REPORT_EVERY);
    for count in 0_u32.. {
        ticks.tick().await;
        let message = told.borrow().clone();
        let report = ProgressNotificationParam::new(token.clone(), f64::from(count)).with_message(message);
        if context.peer.notify_progress(report).await.is_err() {
            return pending().await;
        }
    }
}

/// Asks the client for its roots.
async fn asked(context: &Context) -> Result<Vec<String>, Refusal> {
    let refusal = |why: &str| {
        Refusal::new(format!("the client did not name its roots: {why}\nname one with `inkwell mcp --root DIR`"))
    };
    #[expect(deprecated, reason = "clients of the older versions name their roots in no other way")]
    match tokio::time::timeout(ROOTS_PATIENCE, context.peer.list_roots()).await {
        Ok(Ok(named)) => Ok(named.roots.into_iter().map(|root| root.uri).collect()),
        Ok(Err(error)) => Err(refusal(&visible(&error.to_string()))),
        Err(_) => Err(refusal("it did not answer")),
    }
}

/// The URIs in the result of a request for roots.
fn uris(result: &Value) -> Vec<String> {
    let roots = result.get("roots").and_then(Value::as_array).into_iter().flatten();
    roots.filter_map(|root| root.get("uri")?.as_str().map(str::to_owned)).collect()
}

/// The answer that asks for the client's roots.
fn roots_needed() -> Result<CallToolResponse, ErrorData> {
    let requests: InputRequests = serde_json::from_value(json!({ ROOTS: { "method": "roots/list" } }))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(InputRequiredResult::from_input_requests(requests).into())
}

fn result(answered: Answered) -> CallToolResponse {
    let result = match answered {
        Ok(reply) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
            result.structured_content = Some(reply.structured);
            result
        }
        Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.text())]),
    };
    result.into()
}

/// A tool as it is listed.
fn listed(tool: Tool) -> rmcp::model::Tool {
    // The index in the user's cache is no part of what these speak of.
    let annotations = ToolAnnotations::with_title(tool.title()).read_only(true).idempotent(true).open_world(false);
    rmcp::model::Tool::new(tool.name(), tool.about(), schema::input(tool))
        .with_title(tool.title())
        .with_raw_output_schema(Arc::new(schema::output(tool)))
        .with_annotations(annotations)
}

fn unknown_tool(name: &str) -> ErrorData {
    let names: Vec<String> = Tool::ALL.iter().map(|tool| format!("`{}`", tool.name())).collect();
    let near = nearest(name, Tool::ALL.map(Tool::name)).map(|near| format!(", did you mean `{near}`?"));
    let message = format!("there is no tool `{}`{}", visible(name), near.unwrap_or_default());
    ErrorData::invalid_params(format!("{message}; the tools are {}", names.join(", ")), None)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("inkwell", env!("CARGO_PKG_VERSION")).with_title("inkwell");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        std::future::ready(Ok(ListToolsResult::with_all_items(Tool::ALL.map(listed).to_vec())))
    }

    async fn call_tool(&self, call: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let tool = Tool::named(&call.name).ok_or_else(|| unknown_tool(&call.name))?;
        let arguments = match Arguments::read(tool, call.arguments.clone().unwrap_or_default()) {
            Ok(arguments) => arguments,
            Err(refusal) => return Ok(result(Err(refusal))),
        };
        match self.places(&call, &context).await {
            Ok(Known::Places(places)) => Ok(result(self.work(places, arguments, &context).await?)),
            Ok(Known::Unasked) => roots_needed(),
            Err(refusal) => Ok(result(Err(refusal))),
        }
    }

    fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) -> impl Future<Output = ()> + Send + '_ {
        *self.roots.lock().unwrap_or_else(PoisonError::into_inner) = None;
        std::future::ready(())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }
}
