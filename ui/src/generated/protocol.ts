// Generated from crates/protocol by `make generate`. Do not edit.

/**
 * What the policy says about a call. Ordered by strictness, so that the strictest is the maximum.
 */
export type Action = "allow" | "ask" | "deny";

/**
 * MCP tool annotations (`ToolAnnotations` of the MCP specification 2025-11-25). Hints only.
 */
export type Annotations = { 
/**
 * The tool does not modify its environment.
 */
readOnlyHint?: boolean, 
/**
 * The tool may perform destructive updates.
 */
destructiveHint?: boolean, 
/**
 * Calling it again with the same arguments changes nothing more.
 */
idempotentHint?: boolean, 
/**
 * The tool talks to an open world of outside entities.
 */
openWorldHint?: boolean, };

/**
 * Light, dark, or as the system is.
 */
export type Appearance = "system" | "light" | "dark";

/**
 * A request with all that a surface needs to show it.
 */
export type Approval = { 
/**
 * Identifies the request.
 */
id: RequestId, 
/**
 * Where it stands.
 */
result: ApprovalResult, 
/**
 * Name of the agent.
 */
agent?: string, 
/**
 * The agent's name is proved by its credential and not only claimed.
 */
agent_verified: boolean, 
/**
 * The session; absent when nothing can be remembered.
 */
session?: SessionKey, 
/**
 * Tool name as the agent calls it.
 */
tool: string, 
/**
 * MCP server.
 */
server?: string, 
/**
 * Kind of tool.
 */
class: ToolClass, 
/**
 * How dangerous, and how that is known.
 */
risk: Risk, 
/**
 * One plain line that says what the call does, safe for any surface.
 */
title: string, 
/**
 * What the call is about.
 */
subject: SubjectView, 
/**
 * Every argument.
 */
arguments: Array<ArgumentRow>, 
/**
 * All arguments as indented JSON, for editing; only where the agent takes changed arguments.
 */
editable_arguments?: string, 
/**
 * What a decision is bound to.
 */
arguments_hash: ArgumentsHash, 
/**
 * The requester's words for why. A claim.
 */
intent?: Array<Piece>, 
/**
 * The requester's summary. A claim.
 */
summary?: Array<Piece>, 
/**
 * The requester's description. A claim.
 */
description?: Array<Piece>, 
/**
 * Working folder.
 */
cwd?: Array<Piece>, 
/**
 * Last part of the working folder, one plain line.
 */
project?: string, 
/**
 * The rule that made it ask.
 */
rule?: string, 
/**
 * One sentence: why a person is asked.
 */
explanation: string, 
/**
 * What a person can choose besides approving or denying once, the narrowest first.
 */
scopes: Array<ScopeChoice>, 
/**
 * What is odd about its texts, in the order in which they are shown.
 */
findings?: Array<FindingView>, 
/**
 * One of the findings is about characters that would be invisible.
 */
has_hidden_characters: boolean, 
/**
 * When it was asked.
 */
requested_at: string, 
/**
 * When nobody can answer any more.
 */
expires_at: string, };

/**
 * A page of requests.
 */
export type ApprovalPage = { 
/**
 * The requests.
 */
approvals: Array<Approval>, 
/**
 * Hand this back as `cursor` for the next page; absent on the last one.
 */
next_cursor?: string, };

/**
 * One tool call that is to be decided.
 *
 * Unknown fields are refused with their name, so that a typo never weakens a request.
 */
export type ApprovalRequest = { 
/**
 * Tool name, as the agent calls it.
 */
tool: string, 
/**
 * The tool's arguments.
 */
arguments?: { [key in string]: JsonValue }, 
/**
 * Name of the agent.
 */
agent?: string, 
/**
 * The conversation that the call belongs to. Without `session`, `conversation_id` and `user`
 * nothing is remembered.
 */
session?: string, 
/**
 * Used as the session when `session` is absent.
 */
conversation_id?: string, 
/**
 * Used as the session when `session` and `conversation_id` are absent.
 */
user?: string, 
/**
 * The requester's words for why.
 */
intent?: string, 
/**
 * One human-readable line; made from the tool and its arguments when absent.
 */
summary?: string, 
/**
 * What the tool is for.
 */
description?: string, 
/**
 * Free tags.
 */
tags?: Array<string>, 
/**
 * Declared risk level. Absent means unknown, which counts as `write`.
 */
risk?: RiskLevel, 
/**
 * MCP tool annotations. They can raise the risk, never lower it.
 */
annotations?: Annotations, 
/**
 * MCP server that offers the tool.
 */
server?: string, 
/**
 * Working folder of the call, an absolute path.
 */
cwd?: string, 
/**
 * Calls of one parallel batch share this.
 */
batch?: string, 
/**
 * The requester's own trace id, handed back in the result.
 */
trace_id?: string, 
/**
 * The same key with the same call joins the request that is known by it.
 */
idempotency_key?: string, 
/**
 * How long a person has to answer, in seconds: 1 to 86 400. Default: as the policy says.
 */
timeout_seconds?: number, };

/**
 * A person is being asked.
 */
export type ApprovalRequested = { 
/**
 * The request.
 */
approval: Approval, };

/**
 * A request ended.
 */
export type ApprovalResolved = { 
/**
 * Which.
 */
id: RequestId, 
/**
 * How.
 */
result: ApprovalResult, };

/**
 * Where a request stands, and how it ended.
 */
export type ApprovalResult = { 
/**
 * Identifies the request.
 */
id: RequestId, 
/**
 * Any status that a client does not know means denied.
 */
status: Status, 
/**
 * Absent while pending.
 */
decided_by?: DecidedBy, 
/**
 * How far a person's answer reaches.
 */
scope?: Scope, 
/**
 * Text for the model; never empty once decided.
 */
reason?: string, 
/**
 * The rule that matched, as it is written.
 */
rule?: string, 
/**
 * The risk that the request was decided with.
 */
risk: RiskLevel, 
/**
 * The arguments to run instead; only when a person changed them.
 */
arguments?: { [key in string]: JsonValue }, 
/**
 * SHA-256 of the RFC 8785 canonical arguments that were decided.
 */
arguments_hash: ArgumentsHash, 
/**
 * When it was asked.
 */
requested_at: string, 
/**
 * When it ended.
 */
decided_at?: string, 
/**
 * When nobody can answer any more.
 */
expires_at: string, 
/**
 * The requester's own trace id.
 */
trace_id?: string, };

/**
 * One argument.
 */
export type ArgumentRow = { 
/**
 * Its name.
 */
name: Array<Piece>, 
/**
 * Its value: the text of a string, indented JSON of anything else.
 */
value: Array<Piece>, 
/**
 * Number of lines of the value.
 */
lines: number, 
/**
 * Number of characters of the value.
 */
length: number, };

/**
 * SHA-256 of the RFC 8785 canonical JSON of a call's arguments, in lower-case hexadecimal.
 *
 * A decision is bound to this value: what was shown is what may run.
 */
export type ArgumentsHash = string;

/**
 * Asks the server to prove that it knows a credential, before anything is sent to it.
 */
export type Challenge = { 
/**
 * Public part of the token.
 */
credential: string, 
/**
 * 16 to 64 random bytes, in hexadecimal.
 */
nonce: string, };

/**
 * `HMAC-SHA256(key = SHA-256(token), "handraise-server-proof-v1\n" nonce "\n" address)` in
 * hexadecimal; `address` is where the connection arrived (`IP:PORT`, or the path of the socket),
 * so that a proof cannot be passed on from another place.
 */
export type ChallengeProof = { 
/**
 * The proof.
 */
proof: string, };

/**
 * A command line.
 */
export type CommandSubject = { 
/**
 * The text that the shell gets.
 */
line: Array<Piece>, };

/**
 * A credential without its secret.
 */
export type Credential = { 
/**
 * Public part of the token.
 */
id: string, 
/**
 * Given by a person; for an agent's own credential the agent's name.
 */
name: string, 
/**
 * What it is for.
 */
role: Role, 
/**
 * When it was made.
 */
created_at: string, };

/**
 * Who or what ended a request.
 */
export type DecidedBy = "policy" | "grant" | "person" | "timeout" | "requester" | "shutdown";

/**
 * A person's answer.
 */
export type Decision = "approve" | "deny";

/**
 * An approver's answer.
 */
export type DecisionRequest = { 
/**
 * Approve or deny.
 */
decision: Decision, 
/**
 * How far it reaches; default `once`.
 */
scope?: Scope, 
/**
 * With a scope beyond `once`: remember the whole tool instead of exactly these arguments.
 */
whole_tool?: boolean, 
/**
 * Words for the model.
 */
reason?: string, 
/**
 * Arguments to run instead of the requested ones, where the agent takes them.
 */
arguments?: { [key in string]: JsonValue }, 
/**
 * The hash of what the approver was shown; the decision is refused when it differs.
 */
arguments_hash?: ArgumentsHash, 
/**
 * Approve the next identical retry of a request that has timed out.
 */
late?: boolean, };

/**
 * What a decision led to.
 */
export type DecisionResponse = { 
/**
 * The request as it now stands.
 */
result: ApprovalResult, 
/**
 * The decision came late and became a ticket for the agent's next identical call.
 */
ticket: boolean, };

/**
 * What the prompt window shows.
 */
export type DesktopState = { 
/**
 * The mode in force.
 */
mode: Mode, 
/**
 * Light, dark, or as the system is.
 */
appearance: Appearance, 
/**
 * Open requests, oldest first.
 */
pending: Array<Approval>, 
/**
 * Requests that timed out and can still be answered late, the latest first.
 */
missed: Array<Approval>, };

/**
 * One line of a change.
 */
export type DiffLine = { 
/**
 * Kept, added or removed.
 */
sign: DiffSign, 
/**
 * The line without its line break.
 */
text: Array<Piece>, };

/**
 * What happens to a line.
 */
export type DiffSign = "keep" | "add" | "remove";

/**
 * A change within a file.
 */
export type EditSubject = { 
/**
 * The file.
 */
path: Array<Piece>, 
/**
 * The change, line by line.
 */
diff: Array<DiffLine>, };

/**
 * Where the server listens.
 */
export type Endpoint = { 
/**
 * `IP:PORT`.
 */
address: string, 
/**
 * Path of the Unix socket.
 */
socket?: string, };

/**
 * What the policy would do, and why. Nothing was changed or recorded.
 */
export type EvaluationResult = { 
/**
 * What would happen.
 */
action: Action, 
/**
 * `policy` or `grant`.
 */
decided_by: DecidedBy, 
/**
 * The risk and where it comes from.
 */
risk: Risk, 
/**
 * The kind of tool.
 */
class: ToolClass, 
/**
 * The rule that matched, as it is written.
 */
rule?: string, 
/**
 * One sentence for a person.
 */
explanation: string, };

/**
 * One event of `GET /v1/events`; the SSE event name is its `type`.
 */
export type Event = { "type": "approval_requested" } & ApprovalRequested | { "type": "approval_resolved" } & ApprovalResolved | { "type": "grant_added" } & GrantAdded | { "type": "grant_revoked" } & GrantRevoked | { "type": "policy_changed" } & PolicyChanged | { "type": "mode_changed" } & ModeChanged;

/**
 * One tool with exactly these arguments, in the same working folder.
 */
export type ExactMatcher = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * MCP server.
 */
server?: string, 
/**
 * Working folder.
 */
cwd?: string, 
/**
 * The arguments.
 */
arguments_hash: ArgumentsHash, };

/**
 * An address to fetch.
 */
export type FetchSubject = { 
/**
 * The address.
 */
url: Array<Piece>, };

/**
 * What is odd about a text.
 */
export type FindingKind = "bidi" | "invisible" | "tags" | "odd-space" | "control" | "combining" | "padding" | "newline" | "long" | "mixed-script" | "confusable" | "lookalike-name" | "reserved-name" | "name-collision" | "encoding" | "duplicate-key" | "case-key" | "hidden-field" | "link" | "markup" | "nested" | "number" | "narrative";

/**
 * Something odd about a text of a request.
 */
export type FindingView = { 
/**
 * What.
 */
kind: FindingKind, 
/**
 * One sentence for a person, safe for any surface.
 */
sentence: string, 
/**
 * The field of the request, as `tool` or `arguments.command`, safe for any surface.
 */
field: string, 
/**
 * What is drawn may be taken for something else: nothing should be approved at a glance.
 */
misleads: boolean, };

/**
 * An entry of a session allowlist, made by a person's answer.
 */
export type Grant = { 
/**
 * Identifies it.
 */
id: GrantId, 
/**
 * The session that it belongs to and dies with.
 */
session: SessionKey, 
/**
 * Approve or deny.
 */
effect: GrantEffect, 
/**
 * Which calls.
 */
matcher: Matcher, 
/**
 * `minutes` or `session`.
 */
scope: Scope, 
/**
 * One line for a person: what was being asked when it was made.
 */
title: string, 
/**
 * When it was made.
 */
created_at: string, 
/**
 * When it ends by itself; `None`: with its session.
 */
expires_at?: string, 
/**
 * The decision that made it; the audit log must hold that decision.
 */
decided_in: RequestId, };

/**
 * A person's answer is remembered.
 */
export type GrantAdded = { 
/**
 * What.
 */
grant: Grant, };

/**
 * What a grant does to the calls that it covers.
 */
export type GrantEffect = "approve" | "deny";

/**
 * Identifies one grant.
 */
export type GrantId = string;

/**
 * A grant ended.
 */
export type GrantRevoked = { 
/**
 * Which.
 */
id: GrantId, 
/**
 * Why.
 */
reason: string, };

/**
 * All that anybody may know.
 */
export type Health = { 
/**
 * Always `ok`.
 */
status: string, 
/**
 * Version of Handraise.
 */
version: string, };

/**
 * Something that must be drawn as a label.
 */
export type HiddenPiece = { 
/**
 * Its label, as `U+202E`, `U+200B ×3` or `600 blanks`; after a host that looks like another, the host
 * as a resolver spells it.
 */
label: string, };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/**
 * Which calls a grant covers.
 */
export type Matcher = { "kind": "exact" } & ExactMatcher | { "kind": "tool" } & ToolMatcher;

/**
 * Rule for everything at once, set by a person from the tray or the settings.
 */
export type Mode = "normal" | "ask_everything" | "deny_everything";

/**
 * A person paused or resumed.
 */
export type ModeChanged = { 
/**
 * The mode now in force.
 */
mode: Mode, };

/**
 * A new credential; the token is shown here once and never again.
 */
export type NewCredential = { 
/**
 * The credential.
 */
credential: Credential, 
/**
 * Send it as `Authorization: Bearer TOKEN`.
 */
token: string, };

/**
 * Asks for a new credential.
 */
export type NewCredentialRequest = { 
/**
 * A name that tells a person who holds it.
 */
name: string, 
/**
 * What it is for.
 */
role: Role, };

/**
 * Something that a person should know, as a damaged file that was set aside.
 */
export type Notice = { 
/**
 * What happened.
 */
title: string, 
/**
 * What it means and what to do.
 */
detail: string, };

/**
 * A run of text that can be drawn as it is, or something that must be drawn as a label.
 */
export type Piece = { "kind": "text" } & TextPiece | { "kind": "hidden" } & HiddenPiece;

/**
 * New rules are in force.
 */
export type PolicyChanged = Record<symbol, never>;

/**
 * The policy in force, in short.
 */
export type PolicySummary = { 
/**
 * The starting point.
 */
preset: Preset, 
/**
 * Seconds that a person has to answer.
 */
timeout_seconds: number, 
/**
 * Number of rules, those of agents included.
 */
rules: number, 
/**
 * The file.
 */
path: string, 
/**
 * Why the file on disk is not in force.
 */
problem?: string, };

/**
 * A starting point that rules refine.
 */
export type Preset = "practical" | "strict" | "autonomous";

/**
 * An RFC 9457 problem document.
 */
export type Problem = { 
/**
 * Short and the same for every occurrence.
 */
title: string, 
/**
 * HTTP status.
 */
status: number, 
/**
 * For programs.
 */
code: ProblemCode, 
/**
 * What happened this time, and what to do.
 */
detail: string, 
/**
 * With `already_over`: how the request really ended.
 */
result?: ApprovalResult, };

/**
 * Why a call was refused. The values never change their meaning.
 */
export type ProblemCode = "invalid_json" | "invalid_host" | "foreign_origin" | "unauthorized" | "not_an_approver" | "not_a_requester" | "own_process_tree" | "not_found" | "method_not_allowed" | "already_over" | "key_reused" | "other_arguments" | "not_redeemable" | "policy_denies" | "body_too_large" | "unsupported_media_type" | "invalid_request" | "too_many_requests" | "internal" | "audit_unavailable" | "shutting_down";

/**
 * When the prompt window opens by itself. It never takes the keyboard.
 */
export type PromptWindow = "when_needed" | "always";

/**
 * A file or folder to read.
 */
export type ReadSubject = { 
/**
 * The file or folder.
 */
path: Array<Piece>, };

/**
 * Identifies one approval request under all its names. A UUID version 7, so that ids sort by time.
 */
export type RequestId = string;

/**
 * A risk level with its source.
 */
export type Risk = { 
/**
 * The highest level that any source names.
 */
level: RiskLevel, 
/**
 * The source that named it.
 */
basis: RiskBasis, };

/**
 * Where a risk level comes from.
 */
export type RiskBasis = "declared" | "annotations" | "tool_table" | "command" | "statement" | "unknown";

/**
 * What a call can do. Undeclared means [`RiskLevel::Write`].
 */
export type RiskLevel = "read_only" | "write" | "destructive";

/**
 * What a credential is for.
 */
export type Role = "requester" | "approver";

/**
 * How far a person's answer reaches.
 */
export type Scope = "once" | "minutes" | "session" | "project" | "always";

/**
 * A scope beyond this one call, with the very words of what would be remembered.
 */
export type ScopeChoice = { 
/**
 * How long.
 */
scope: Scope, 
/**
 * The whole tool instead of exactly these arguments.
 */
whole_tool: boolean, 
/**
 * What would be remembered, verbatim and safe for any surface.
 */
remembers: string, };

/**
 * One session and its grants.
 */
export type Session = { 
/**
 * Text form of the key, for use in a path.
 */
id: string, 
/**
 * The key.
 */
key: SessionKey, 
/**
 * Its first call.
 */
first_call: string, 
/**
 * Its latest call.
 */
last_call: string, 
/**
 * Number of calls.
 */
calls: number, 
/**
 * What is remembered for it.
 */
grants: Array<Grant>, };

/**
 * One conversation of one agent; everything remembered belongs to exactly one of these.
 *
 * Its three parts are compared one by one and never joined into one string, so that no choice of
 * names makes two sessions meet.
 */
export type SessionKey = { 
/**
 * Name of the requester credential that the session was seen under.
 */
requester: string, 
/**
 * The agent, when it gave its name.
 */
agent?: string, 
/**
 * `session ?? conversation_id ?? user` of the request.
 */
id: string, };

/**
 * All sessions, the latest first.
 */
export type SessionList = { 
/**
 * The sessions.
 */
sessions: Array<Session>, };

/**
 * The settings that the desktop application stores.
 */
export type Settings = { 
/**
 * Start Handraise when the user logs in.
 */
start_at_login: boolean, 
/**
 * Show a native notification for each request.
 */
notifications: boolean, 
/**
 * When the prompt window opens by itself.
 */
prompt_window: PromptWindow, 
/**
 * Light, dark, or as the system is.
 */
appearance: Appearance, };

/**
 * What the settings window shows.
 */
export type SettingsView = { 
/**
 * The settings.
 */
settings: Settings, 
/**
 * The mode in force.
 */
mode: Mode, 
/**
 * The policy in force.
 */
policy: PolicySummary, 
/**
 * Sessions with their grants, the latest first.
 */
sessions: Array<Session>, 
/**
 * Credentials, without secrets.
 */
credentials: Array<Credential>, 
/**
 * Where the server listens.
 */
endpoint: Endpoint, 
/**
 * What a person should know.
 */
notices: Array<Notice>, 
/**
 * Version of Handraise.
 */
version: string, };

/**
 * Where a request stands. Clients treat any status they do not know as denied.
 */
export type Status = "approved" | "denied" | "timeout" | "cancelled" | "pending";

/**
 * What a call is about.
 */
export type SubjectView = { "kind": "command" } & CommandSubject | { "kind": "edit" } & EditSubject | { "kind": "write" } & WriteSubject | { "kind": "read" } & ReadSubject | { "kind": "fetch" } & FetchSubject | { "kind": "arguments" };

/**
 * Text that can be drawn as it is.
 */
export type TextPiece = { 
/**
 * The text.
 */
text: string, };

/**
 * The kind of tool, whatever an agent calls it.
 */
export type ToolClass = "shell" | "file_read" | "file_write" | "network" | "mcp" | "other";

/**
 * Every call of one tool.
 */
export type ToolMatcher = { 
/**
 * Tool name.
 */
tool: string, 
/**
 * MCP server.
 */
server?: string, };

/**
 * A whole file.
 */
export type WriteSubject = { 
/**
 * The file.
 */
path: Array<Piece>, 
/**
 * Its new content.
 */
content: Array<Piece>, 
/**
 * Number of lines of the new content.
 */
lines: number, };
