// Generated from crates/protocol by `make generate`. Do not edit.

/**
 * What the policy says about a call. Ordered by strictness, so that the strictest is the maximum.
 */
export type Action = "allow" | "confine" | "ask" | "deny";

/**
 * The calls that one kind of answerer answered.
 */
export type ActivityAnswers = { 
/**
 * Who.
 */
decided_by: DecidedBy, 
/**
 * How many.
 */
calls: number, };

/**
 * What can be chosen to show less: what occurs in the log.
 */
export type ActivityChoices = { 
/**
 * Names of agents.
 */
agents: Array<string>, 
/**
 * Working folders, that of the latest call first.
 */
folders: Array<string>, };

/**
 * The calls of a day.
 */
export type ActivityDay = { 
/**
 * The day where this machine is, as `2026-11-24`.
 */
day: string, 
/**
 * All of its calls.
 */
calls: number, 
/**
 * Those that a person answered, or let time out.
 */
asked: number, };

/**
 * How often a person was asked, and what came of it.
 */
export type ActivityFigures = { 
/**
 * Each day of the time, the earliest first.
 */
days: Array<ActivityDay>, 
/**
 * Who answered, the most calls first.
 */
answers: Array<ActivityAnswers>, 
/**
 * Half of a person's answers took no longer, in seconds. Absent: no person has answered.
 */
median_seconds?: number, 
/**
 * What a person was asked most often, that first.
 */
most_asked: Array<AskedOften>, };

/**
 * Which calls of the past to show; what is absent is left open.
 */
export type ActivitySearch = { 
/**
 * Only this call, whatever else is said.
 */
id?: RequestId, 
/**
 * A text in the tool, the title or the arguments.
 */
text?: string, 
/**
 * Name of the agent, as `claude-code`.
 */
agent?: string, 
/**
 * The working folder.
 */
folder?: string, 
/**
 * How it ended.
 */
status?: Status, 
/**
 * Who answered.
 */
decided_by?: DecidedBy, 
/**
 * Asked then or later.
 */
since?: string, 
/**
 * Goes on behind a page: its `next_cursor`.
 */
cursor?: string, };

/**
 * A change to an agent's settings, made or only shown.
 */
export type AgentChange = { 
/**
 * The agent, as `claude-code`.
 */
agent: string, 
/**
 * Every file that changes; empty: there is nothing to change.
 */
files: Array<AgentFileChange>, 
/**
 * Names exactly this change of exactly these files: SHA-256, in hexadecimal digits.
 */
digest: string, 
/**
 * Whether it has been made.
 */
is_made: boolean, };

/**
 * A place in an agent's settings that makes it ask.
 */
export type AgentConnection = { 
/**
 * Whose settings.
 */
level: ConnectionLevel, 
/**
 * The settings file.
 */
file: string, 
/**
 * It asks before every call, not only where it would ask a person itself.
 */
every_call: boolean, 
/**
 * Whether it works.
 */
state: ConnectionState, };

/**
 * What changes in one file.
 */
export type AgentFileChange = { 
/**
 * The file.
 */
path: string, 
/**
 * The change with the lines around it; a kept line `⋯` stands for lines that are left out.
 */
lines: Array<DiffLine>, 
/**
 * Where the old file is kept, once the change is made.
 */
backup?: string, };

/**
 * An agent, and whether it asks.
 */
export type AgentOverview = { 
/**
 * As `claude-code`.
 */
name: string, 
/**
 * As `Claude Code`.
 */
display_name: string, 
/**
 * Its program is on the `PATH`.
 */
is_installed: boolean, 
/**
 * What its program prints for `--version`.
 */
version?: string, 
/**
 * Whether it can be connected for only what it would ask a person itself.
 */
has_own_questions: boolean, 
/**
 * Every place in its settings that makes it ask; empty: it is not connected.
 */
connections: Array<AgentConnection>, 
/**
 * What is not gated even when it is connected: sentences.
 */
stays_open: Array<string>, 
/**
 * Whether it is laid down for the whole machine that no project switches its hooks off. Absent: it has no
 * settings for that.
 */
hooks_stay_on?: boolean, 
/**
 * Why its settings cannot be read.
 */
problem?: string, };

/**
 * What one agent keeps, and what became of it.
 */
export type AgentRules = { 
/**
 * The agent, as `claude-code`.
 */
agent: string, 
/**
 * As `Claude Code`.
 */
display_name: string, 
/**
 * Every entry, in the order of the files.
 */
entries: Array<OwnRule>, 
/**
 * Files that cannot be read, as sentences.
 */
problems: Array<string>, 
/**
 * The TOML text of the rules that would go before all others of the policy; empty: none that it has not.
 */
in_front: string, 
/**
 * The same of those that would go behind all others.
 */
behind: string, };

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
 * An approver's answer: `selected` and `custom`, or `decline`.
 */
export type AnswerRequest = { 
/**
 * Labels of the chosen choices.
 */
selected?: Array<string>, 
/**
 * The person's own words.
 */
custom?: string, 
/**
 * No answer.
 */
decline?: boolean, 
/**
 * With `decline`: words for the model.
 */
reason?: string, };

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
 * What to call the agent before a person, safe for any surface: `Claude Code` for one that has proved its name, the
 * name in quotation marks for one that only claims it. Absent when it gave no name.
 */
agent_title?: string, 
/**
 * The agent's name is proved by its credential and not only claimed.
 */
agent_verified: boolean, 
/**
 * The session; absent when nothing can be remembered.
 */
session?: SessionKey, 
/**
 * The sub-agent of the session that asks; absent: the agent itself.
 */
sub_agent?: SubAgent, 
/**
 * The same for calls of one parallel batch of one session, and different for all others.
 */
batch?: string, 
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
 * What it changes, and whether that can be undone.
 */
effect: Effect, 
/**
 * One plain line that says what the call does, safe for any surface.
 */
title: string, 
/**
 * What the call is about.
 */
subject: SubjectView, 
/**
 * The tasks of the project that its commands run, and what those run.
 */
tasks?: Array<TaskView>, 
/**
 * What it would do to what is there now, as far as that is known for certain. Not all of it is there at once: what
 * takes longer comes with `approval_changed`.
 */
consequences?: Array<Consequence>, 
/**
 * Every argument.
 */
arguments: Array<ArgumentRow>, 
/**
 * All arguments as indented JSON, for editing; only where the agent takes changed arguments and
 * nothing is redacted: otherwise they come with what is revealed.
 */
editable_arguments?: string, 
/**
 * Secrets in the arguments are redacted. While the request is open they can be revealed.
 */
redacted?: boolean, 
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
 * The walls that a person can have it run inside of, this once; absent where it cannot run confined.
 */
confinement?: Confinement, 
/**
 * What its walls have denied it, or the same call in this session before, each as one clause: "write /srv/x".
 */
denied_by_walls?: Array<string>, 
/**
 * What is odd about its texts, in the order in which they are shown.
 */
findings?: Array<FindingView>, 
/**
 * Where it comes from, as the system tells; absent when that is not known. On the wire it is called `origin`, as
 * it was from the first version on.
 */
origin?: Provenance, 
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
 * More is known of a request that a person is being asked about.
 */
export type ApprovalChanged = { 
/**
 * The request as it is shown now.
 */
approval: Approval, };

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
 * The tool's arguments; at most 2 000 values.
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
 * A person is asked even where the policy or a grant would allow the call. A denial stays one.
 */
require_approval?: boolean, 
/**
 * Who asks runs the command line that it gets back in the place of its own, on this machine and in `cwd`, and not its
 * own. Only then can the call run confined. It counts for a program with a credential of its own, not for an agent's.
 */
runs_changed_command?: boolean, 
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
 * The arguments to run instead; only when a person changed them, or when it runs inside walls.
 */
arguments?: { [key in string]: JsonValue }, 
/**
 * What the walls hold that it runs inside of, as a sentence without a full stop. Absent: it runs without.
 */
confined?: string, 
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
 * The value is JSON, and not the text of a string.
 */
json?: boolean, 
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
 * Calls with the same title that a person was asked about.
 */
export type AskedOften = { 
/**
 * Their title, one plain line, safe for any surface.
 */
title: string, 
/**
 * How often a person was asked.
 */
asked: number, 
/**
 * How often the person refused.
 */
denied: number, };

/**
 * The calls of one parallel batch. They are evaluated in order and shown together; when one of them
 * cannot be taken, none is.
 */
export type BatchRequest = { 
/**
 * The id of the batch, put into each of its requests. Absent: one is made.
 */
batch?: string, 
/**
 * The calls, in the order in which they are to run: 1 to 64.
 */
requests: Array<ApprovalRequest>, };

/**
 * How the calls of a batch stand.
 */
export type BatchResult = { 
/**
 * One result for each request, in the same order.
 */
results: Array<ApprovalResult>, };

/**
 * How much of what was asked an answer covers.
 */
export type Breadth = "exact" | "prefix" | "folder" | "tool";

/**
 * Whether what a call changes can be undone. Ordered: worse is greater.
 */
export type CanBeUndone = "not_needed" | "by_itself" | "yes" | "no";

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
 * How something is.
 */
export type CheckState = "fine" | "note" | "wrong";

/**
 * One thing that can be chosen, as it is shown.
 */
export type ChoiceView = { 
/**
 * What an answer names it by. For programs: it may hold characters that must not be drawn.
 */
label: string, 
/**
 * The label as one plain line, safe for any surface.
 */
line: string, 
/**
 * The label as it is drawn.
 */
shown: Array<Piece>, 
/**
 * What choosing it means.
 */
description?: Array<Piece>, };

/**
 * Commands that begin with the same words, in the same project.
 */
export type CommandMatcher = { 
/**
 * Command patterns as a rule writes them, as `git commit *`; each covers simple commands of its
 * own, and a command line is covered when each of its simple commands is.
 */
patterns: Array<string>, 
/**
 * Project folder.
 */
project?: string, };

/**
 * One simple command of a command line, or one file that it writes or reads.
 */
export type CommandPart = { 
/**
 * What was judged.
 */
kind: PartKind, 
/**
 * Of a simple command: its position in the line, from 0, as an answer names it.
 */
command?: number, 
/**
 * The simple command or the path.
 */
text: Array<Piece>, 
/**
 * What the policy says about it.
 */
action: Action, 
/**
 * How dangerous it is.
 */
risk: RiskLevel, 
/**
 * What it changes, and whether that can be undone.
 */
effect: Effect, 
/**
 * The rule that said so, in one line.
 */
rule?: string, 
/**
 * One sentence: why.
 */
why: string, 
/**
 * Files that it names, as the file system resolves them.
 */
paths: Array<PartPath>, };

/**
 * A command line.
 */
export type CommandSubject = { 
/**
 * The text that the shell gets.
 */
line: Array<Piece>, 
/**
 * What would run and what would be written, one by one; empty when that is the line itself.
 */
parts: Array<CommandPart>, 
/**
 * Why the line was not understood, as a clause; its parts are then only what could be found.
 */
obstacle?: string, };

/**
 * What a person may choose in the place of an approval: that the call runs inside walls.
 */
export type Confinement = { 
/**
 * The walls.
 */
walls: Walls, 
/**
 * What tells them from others: a decision names it as `confined`.
 */
hash: string, 
/**
 * Wider walls that can be chosen in their place, after these have denied the call something.
 */
widenings?: Array<Widening>, };

/**
 * Whose settings.
 */
export type ConnectionLevel = "user" | "project";

/**
 * Whether a connection works.
 */
export type ConnectionState = "up_to_date" | "out_of_date" | "switched_off";

/**
 * What a call, or one command of it, would do to what is there on this machine.
 */
export type Consequence = { 
/**
 * The command that does it, as one plain line; empty: the whole call.
 */
command?: string, 
/**
 * One sentence, safe for any surface: "Deletes 18 files, 2.3 MB; git does not have 3 of them: .env, a.md, b.db."
 */
sentence: string, 
/**
 * Something is lost that git does not have, or that no branch leads to any more.
 */
loses?: boolean, 
/**
 * The files, commits or scripts that the sentence is about, safe for any surface; empty where it names all of them.
 */
names?: Array<string>, 
/**
 * How many there are besides `names`.
 */
more?: number, };

/**
 * One rule that was looked at.
 */
export type ConsideredRule = { 
/**
 * The rule.
 */
rule: RuleText, 
/**
 * It matched.
 */
matched: boolean, 
/**
 * It gave the answer for this part.
 */
decided: boolean, 
/**
 * The first condition that did not hold, in words.
 */
because?: string, };

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
 * With a scope beyond `once`: how much the answer covers.
 */
breadth?: Breadth, 
/**
 * With a scope beyond `once` and the breadth `prefix`: positions of the simple commands that the answer covers, of
 * those that are asked about; the others are asked about again. Absent: all of them.
 */
commands?: Array<number>, 
/**
 * With the scope `project` or `always`: the TOML text of one `[[rule]]`, written in the place of the `rule` of the
 * choice that the approver was shown. It begins with its `editable_rule`. It has to allow, to cover this very call,
 * and to leave out what destroys; else the decision is refused, with what to do.
 */
rule?: string, 
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
 * Let it run only inside of these walls, for this call alone: the `hash` of the `confinement` that the approver was
 * shown, or of one of its `widenings`. Where the walls are others by now, the decision is refused, and the call is put
 * before a person again.
 */
confined?: string, 
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
 * A person denies everything that waits from one agent.
 */
export type DenyAllRequest = { 
/**
 * The agent as it is shown (`agent` of a request), or the name of the credential that it asks with.
 */
agent: string, 
/**
 * Words for the model.
 */
reason?: string, };

/**
 * What was denied at once.
 */
export type DenyAllResponse = { 
/**
 * How many requests.
 */
denied: number, };

/**
 * What the prompt window shows.
 */
export type DesktopState = { 
/**
 * The mode in force.
 */
mode: Mode, 
/**
 * When a pause ends by itself; absent: when a person ends it.
 */
mode_until?: string, 
/**
 * Light, dark, or as the system is.
 */
appearance: Appearance, 
/**
 * The language in force.
 */
locale: Locale, 
/**
 * The desktop's accent colour, as `#3584e4`; absent where it has none.
 */
accent?: string, 
/**
 * Open requests, oldest first.
 */
pending: Array<Approval>, 
/**
 * Open questions, oldest first.
 */
questions: Array<Question>, 
/**
 * Requests that timed out and can still be answered late, the latest first, without those that the
 * person put away.
 */
missed: Array<Approval>, 
/**
 * What the person asked to see last.
 */
wanted?: Wanted, 
/**
 * Another program shows the notifications than at first, and the person has not answered in the
 * window since: nothing can be approved on a notification.
 */
notifications_changed: boolean, 
/**
 * The window came up by itself, on a desktop that may have given it the keyboard: what is typed may be meant for
 * another window.
 */
keyboard_unasked: boolean, 
/**
 * The window came up by itself, for a request: what is pressed at first may be meant for what was there before.
 */
came_by_itself: boolean, 
/**
 * Where the window is on its way to the screen.
 */
stage: PromptStage, 
/**
 * Counts the times that the window has come up: what its page says is about one of them.
 */
opening: number, 
/**
 * Counts the changes: a page that gets the same twice takes it once.
 */
revision: number, };

/**
 * One thing about a policy file that its author should know.
 */
export type Diagnostic = { 
/**
 * How bad it is.
 */
severity: Severity, 
/**
 * A stable name for programs, as `policy::unknown_key`.
 */
code: string, 
/**
 * What is wrong. Lower case, no period.
 */
message: string, 
/**
 * The place in the text, in bytes.
 */
span: TextSpan, 
/**
 * The line of its beginning, from 1.
 */
line: number, 
/**
 * The column of its beginning, in characters, from 1.
 */
column: number, 
/**
 * What to do.
 */
help?: string, 
/**
 * The number of the rule in its table, from 1.
 */
rule?: number, };

/**
 * One place where a file changes.
 */
export type DiffHunk = { 
/**
 * The first of its lines in the file as it is, from 1.
 */
before: number, 
/**
 * The first of its lines in the new content, from 1.
 */
after: number, 
/**
 * Its lines.
 */
lines: Array<DiffLine>, };

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
 * What the doctor found about one thing.
 */
export type DoctorCheck = { 
/**
 * The agent that it is about, as `claude-code`.
 */
agent?: string, 
/**
 * What was looked at.
 */
name: string, 
/**
 * How it is.
 */
state: CheckState, 
/**
 * What was found, and what to do.
 */
finding: string, };

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
diff: Array<DiffLine>, 
/**
 * The line of the file in which the change begins, from 1. Absent when the text that is replaced is not in the file
 * exactly once, or the file was not looked at.
 */
first_line?: number, };

/**
 * What a call changes, or one part of it.
 */
export type Effect = { 
/**
 * How far it reaches.
 */
reach: Reach, 
/**
 * Whether it can be undone.
 */
can_be_undone: CanBeUndone, 
/**
 * Both in words for a person, safe for any surface: "Changes files in shopfront. Handraise can undo it."
 */
sentence: string, };

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
explanation: string, 
/**
 * The policy's answer taken apart: every part, and every rule that was looked at.
 */
policy: Explanation, 
/**
 * The same for a change of the policy that nobody has confirmed; the stricter of both counts.
 */
unconfirmed?: Explanation, 
/**
 * What should be looked at in the policy itself.
 */
diagnostics?: Array<Diagnostic>, };

/**
 * One event of `GET /v1/events`; the SSE event name is its `type`.
 */
export type Event = { "type": "approval_requested" } & ApprovalRequested | { "type": "approval_changed" } & ApprovalChanged | { "type": "approval_resolved" } & ApprovalResolved | { "type": "question_asked" } & QuestionAsked | { "type": "question_resolved" } & QuestionResolved | { "type": "grant_added" } & GrantAdded | { "type": "grant_revoked" } & GrantRevoked | { "type": "policy_changed" } & PolicyChanged | { "type": "mode_changed" } & ModeChanged;

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
 * Why the policy says what it says about one call.
 */
export type Explanation = { 
/**
 * The answer.
 */
action: Action, 
/**
 * The rule that gave it.
 */
rule?: RuleText, 
/**
 * The risk that the call was judged with.
 */
risk: Risk, 
/**
 * One sentence: why that risk.
 */
risk_sentence: string, 
/**
 * What it changes, and whether that can be undone.
 */
effect: Effect, 
/**
 * Why the command line was not understood.
 */
obstacle?: string, 
/**
 * Files that no rule and no grant gives away.
 */
protection?: Protection, 
/**
 * The walls that it would run inside of.
 */
walls?: Walls, 
/**
 * Whether a remembered approval may answer in a person's place.
 */
grantable: boolean, 
/**
 * One sentence: what gave the answer.
 */
why: string, 
/**
 * One sentence: why a table or rule for the agent that the request names does not loosen the answer.
 */
unproved?: string, 
/**
 * What was judged one by one.
 */
parts: Array<PartExplanation>, };

/**
 * How the calls of the past are written to a file.
 */
export type ExportFormat = "jsonl" | "csv";

/**
 * A file that calls of the past were written to.
 */
export type Exported = { 
/**
 * Where it lies.
 */
path: string, 
/**
 * Calls in it.
 */
calls: number, };

/**
 * An address to fetch.
 */
export type FetchSubject = { 
/**
 * The address.
 */
url: Array<Piece>, };

/**
 * What is there now, against what was kept.
 */
export type FileChange = "none" | "created" | "changed" | "removed" | "unknown";

/**
 * What is odd about a text.
 */
export type FindingKind = "bidi" | "invisible" | "tags" | "odd-space" | "control" | "combining" | "padding" | "newline" | "long" | "mixed-script" | "confusable" | "lookalike-name" | "reserved-name" | "name-collision" | "encoding" | "duplicate-key" | "case-key" | "hidden-field" | "link" | "markup" | "nested" | "number" | "narrative" | "contradiction" | "outside" | "acts-later" | "project-code" | "file-changed" | "file-unwatched" | "task-changed";

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
 * Files in one folder and below it.
 */
export type FolderMatcher = { 
/**
 * Reading or writing.
 */
class: ToolClass, 
/**
 * The folder, absolute and with symbolic links resolved.
 */
folder: string, };

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
decided_in: RequestId, 
/**
 * Of an approval: what the tasks of the project ran that it names. It covers them while they run that.
 */
tasks?: Array<TaskPin>, };

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
 * Whether it does what it is for.
 */
status: HealthStatus, 
/**
 * Version of Handraise.
 */
version: string, 
/**
 * Unless it is `ok`: what is wrong with the disk of the data folder, as a sentence. It names no path, since
 * anybody on this machine may ask.
 */
problem?: string, };

/**
 * Whether Handraise does what it is for. Clients treat any status they do not know as `cannot_record`.
 */
export type HealthStatus = "ok" | "cannot_record";

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
 * How long the prompt window is kept ready, unseen, so that it comes up at once. It takes memory meanwhile. Before the
 * first time that something waits it is never built.
 */
export type KeepPromptReady = "off" | "ten_minutes" | "always";

/**
 * A call that passed, and what it has changed.
 */
export type KeptCall = { 
/**
 * The request; of an undo, an id of its own.
 */
id: RequestId, 
/**
 * When it passed.
 */
at: string, 
/**
 * What the agent is called before a person; in quotation marks where the name is only a claim.
 */
agent?: string, 
/**
 * Id of its session.
 */
session?: string, 
/**
 * The tool.
 */
tool: string, 
/**
 * One plain line that says what it does, safe for any surface.
 */
title: string, 
/**
 * The folder that its files lie in, one plain line.
 */
folder: string, 
/**
 * How much of it can be undone.
 */
undoable: Undoable, 
/**
 * It is no call of an agent: a person put other calls back. Undoing it brings back what was there before.
 */
is_undo: boolean, 
/**
 * Its files.
 */
files: Array<KeptFile>, };

/**
 * Calls that have changed something.
 */
export type KeptCalls = { 
/**
 * The latest first.
 */
calls: Array<KeptCall>, };

/**
 * One file of a call.
 */
export type KeptFile = { 
/**
 * Its path, one plain line; below the folder of the call where it lies there.
 */
path: string, 
/**
 * What has become of it.
 */
change: FileChange, 
/**
 * What putting it back does, or has done.
 */
outcome: UndoOutcome, 
/**
 * Why not, as a clause.
 */
why?: string, 
/**
 * From what was kept to what is there now, secrets redacted; only where it was asked for and both are text.
 */
diff?: Array<DiffLine>, };

/**
 * A language that windows, tray and notifications have all their words in. What the gate says is English.
 */
export type Locale = "en" | "de" | "ja";

/**
 * Which calls a grant covers.
 */
export type Matcher = { "kind": "exact" } & ExactMatcher | { "kind": "command" } & CommandMatcher | { "kind": "folder" } & FolderMatcher | { "kind": "tool" } & ToolMatcher;

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
mode: Mode, 
/**
 * When it ends by itself; absent: when a person ends it.
 */
until?: string, };

/**
 * A mode to put in force.
 */
export type ModeRequest = { 
/**
 * The mode.
 */
mode: Mode, 
/**
 * For how long, in seconds: 1 to 86 400. Absent: until a person ends it.
 */
seconds?: number, };

/**
 * The mode in force.
 */
export type ModeState = { 
/**
 * The mode.
 */
mode: Mode, 
/**
 * When it ends by itself and the policy decides again; absent: when a person ends it.
 */
until?: string, };

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
 * One entry of an agent's own rules.
 */
export type OwnRule = { 
/**
 * The file that it stands in.
 */
file: string, 
/**
 * It, in one plain line.
 */
entry: string, 
/**
 * What it says about calls; absent: it is no rule about calls.
 */
action?: Action, 
/**
 * The TOML text of each rule that it became; empty: it was not carried over.
 */
rules: Array<string>, 
/**
 * What is different from what the agent makes of it: sentences.
 */
notes: Array<string>, 
/**
 * It allows next to nothing: the notes say why, and what to write instead.
 */
covers_little?: boolean, 
/**
 * Why it was not carried over: a sentence.
 */
reason?: string, };

/**
 * Why the policy says what it says about one part.
 */
export type PartExplanation = { 
/**
 * What was judged.
 */
kind: PartKind, 
/**
 * The simple command, the path, or the tool's name.
 */
text: string, 
/**
 * The answer for this part.
 */
action: Action, 
/**
 * The rule that gave it.
 */
rule?: RuleText, 
/**
 * The risk that the part was judged with.
 */
risk: Risk, 
/**
 * One sentence: why that risk.
 */
risk_sentence: string, 
/**
 * What it changes, and whether that can be undone.
 */
effect: Effect, 
/**
 * Files that no rule and no grant gives away.
 */
protection?: Protection, 
/**
 * One sentence: what gave the answer.
 */
why: string, 
/**
 * Every rule that was looked at, in the order of the file.
 */
considered: Array<ConsideredRule>, };

/**
 * What is judged by itself.
 */
export type PartKind = "call" | "command" | "write" | "read" | "line";

/**
 * A file that a command names.
 */
export type PartPath = { 
/**
 * Absolute, symbolic links resolved, one plain line.
 */
path: string, 
/**
 * Outside the project folder.
 */
outside_project: boolean, };

/**
 * A run of text that can be drawn as it is, or something that must be drawn as a label.
 */
export type Piece = { "kind": "text" } & TextPiece | { "kind": "hidden" } & HiddenPiece;

/**
 * New rules are in force.
 */
export type PolicyChanged = Record<symbol, never>;

/**
 * What is wrong with a policy text.
 */
export type PolicyCheck = { 
/**
 * It could be put in force.
 */
is_usable: boolean, 
/**
 * What is wrong with it, or should be looked at.
 */
diagnostics: Array<Diagnostic>, };

/**
 * What a change of the policy does, for the person who confirms it.
 */
export type PolicyDifference = { 
/**
 * Rules that the new policy has and the old has not.
 */
added: Array<RuleText>, 
/**
 * Rules that the old policy has and the new has not.
 */
removed: Array<RuleText>, 
/**
 * Rules that both have, at another place among their neighbours.
 */
moved: Array<RuleText>, 
/**
 * Settings with another value.
 */
settings: Array<SettingChange>, 
/**
 * Something may pass now that did not pass before.
 */
loosens: boolean, };

/**
 * Which text a person has looked at.
 */
export type PolicyEtag = { 
/**
 * [`PolicyView::etag`] of it.
 */
etag: string, };

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
 * A policy text.
 */
export type PolicyText = { 
/**
 * The whole text of a policy file.
 */
text: string, };

/**
 * The policy: the text on the disk, what is in force, and what waits for a person's word.
 */
export type PolicyView = { 
/**
 * The text as it lies on the disk, to be edited.
 */
text: string, 
/**
 * Names this text; also the `ETag` header, there in quotes.
 */
etag: string, 
/**
 * The file.
 */
path: string, 
/**
 * What is wrong with the text, or should be looked at.
 */
diagnostics: Array<Diagnostic>, 
/**
 * What is in force.
 */
in_force: PolicySummary, 
/**
 * What the text changes, when it was changed outside Handraise and nobody has confirmed it. What
 * it tightens is in force already.
 */
pending?: PolicyDifference, };

/**
 * A starting point that rules refine.
 */
export type Preset = "practical" | "strict" | "autonomous" | "workspace";

/**
 * The presets beside each other.
 */
export type PresetComparison = { 
/**
 * Each agent with a transcript; empty: there is none on this machine.
 */
agents: Array<ReplayedAgent>, 
/**
 * Each preset.
 */
presets: Array<ReplayedPreset>, };

/**
 * What a rule would have done to calls of the past, with files as they are now.
 */
export type Preview = { 
/**
 * Calls that were looked at.
 */
calls: number, 
/**
 * Calls among them whose answer the rule would have given, or part of it.
 */
matched: number, 
/**
 * Of those, calls that would have passed.
 */
would_allow: number, 
/**
 * Of those, calls that would have run confined.
 */
would_confine: number, 
/**
 * Of those, calls that would have been asked about.
 */
would_ask: number, 
/**
 * Of those, calls that would have been refused.
 */
would_deny: number, 
/**
 * Of those, calls that a person approved then.
 */
approved_by_person: number, 
/**
 * Of those, how many a person denied then.
 */
denied_by_person_count: number, 
/**
 * Calls that the rule would have let pass and a person denied: at most 20, the latest first.
 */
denied_by_person: Array<PreviewCall>, 
/**
 * Calls that the rule applies to: at most 20, the latest first.
 */
examples: Array<PreviewCall>, };

/**
 * One call of the past.
 */
export type PreviewCall = { 
/**
 * Identifies it.
 */
id: RequestId, 
/**
 * One plain line that says what it did, safe for any surface.
 */
title: string, 
/**
 * What the policy would say now.
 */
action: Action, 
/**
 * How it ended.
 */
status: Status, 
/**
 * Who ended it.
 */
decided_by?: DecidedBy, 
/**
 * When it was asked.
 */
requested_at: string, };

/**
 * A rule to try on calls of the past.
 */
export type PreviewRequest = { 
/**
 * The TOML text of one `[[rule]]`.
 */
rule: string, 
/**
 * How many calls of the past, the latest first: 1 to 5000, default 500.
 */
calls?: number, };

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
result?: ApprovalResult, 
/**
 * With `already_over`, about a question: how it really ended.
 */
question?: QuestionResult, 
/**
 * With `too_many_requests`: seconds after which to try again, as in the header `Retry-After`.
 */
retry_after_seconds?: number, 
/**
 * With `policy_invalid`: everything that is wrong, with its place.
 */
diagnostics?: Array<Diagnostic>, };

/**
 * Why a call was refused. The values never change their meaning.
 */
export type ProblemCode = "invalid_json" | "invalid_host" | "foreign_origin" | "unauthorized" | "not_an_approver" | "not_a_requester" | "own_process_tree" | "made_input" | "unknown_approver" | "terminals_off" | "window_only" | "not_found" | "method_not_allowed" | "already_over" | "key_reused" | "other_arguments" | "file_changed" | "walls_changed" | "not_redeemable" | "policy_denies" | "not_revealable" | "policy_pending" | "policy_moved" | "body_too_large" | "unsupported_media_type" | "invalid_request" | "policy_invalid" | "if_match_missing" | "too_many_requests" | "internal" | "audit_unavailable" | "shutting_down";

/**
 * Where the prompt window is on its way to the screen.
 */
export type PromptStage = "hidden" | "coming_up" | "on_screen";

/**
 * When the prompt window opens by itself. It never takes the keyboard.
 */
export type PromptWindow = "when_needed" | "always";

/**
 * Whose file is protected.
 */
export type Protection = "own" | "secret" | "agent" | "decision" | "credential";

/**
 * Where a request comes from. What the requester claims otherwise stands among the findings.
 */
export type Provenance = { 
/**
 * All of it in short, as `Claude Code in shopfront (branch main) · GNOME Terminal`.
 */
summary: string, 
/**
 * The program that asked, then what started it, up to the one that shows its terminal.
 */
programs: Array<ProvenanceProgram>, 
/**
 * What it runs in, as `GNOME Terminal, pts/3`.
 */
terminal?: string, 
/**
 * Working folder of the agent's process.
 */
folder?: string, 
/**
 * The git repository around that folder.
 */
repository?: ProvenanceRepository, 
/**
 * The container that it runs in, as `Docker 3f4ec1a09b1b`; absent where Handraise runs in the same.
 */
container?: string, 
/**
 * The SSH session that it runs in, as `from 192.0.2.7`.
 */
ssh?: string, };

/**
 * A program behind a request.
 */
export type ProvenanceProgram = { 
/**
 * What it is called: the agent's name where it is a known one, else that of its file.
 */
name: string, 
/**
 * Process number.
 */
pid: number, 
/**
 * The file that it was started from, as the system knows it.
 */
executable?: string, 
/**
 * The script that it runs, when it is an interpreter.
 */
script?: string, 
/**
 * It is the one that counts as the agent.
 */
is_agent?: boolean, };

/**
 * A git working tree.
 */
export type ProvenanceRepository = { 
/**
 * Its uppermost folder.
 */
folder: string, 
/**
 * The branch that is checked out.
 */
branch?: string, 
/**
 * The commit that is checked out without a branch.
 */
commit?: string, 
/**
 * It is a linked worktree of the repository in this folder.
 */
worktree_of?: string, };

/**
 * What to put back.
 */
export type PutBackRequest = { 
/**
 * The calls. Each file goes back to what it was before the first of them.
 */
ids: Array<RequestId>, 
/**
 * Besides, every call of this session.
 */
session?: string, 
/**
 * With `session`, only its calls since then; without, every call since then.
 */
since?: string, 
/**
 * Also files that somebody else may have changed since.
 */
force?: boolean, 
/**
 * Only say what would be done.
 */
dry_run?: boolean, };

/**
 * What became of it.
 */
export type PutBackResult = { 
/**
 * Every file of the calls, once. Its path is absolute.
 */
files: Array<KeptFile>, 
/**
 * What was there is kept as this call, and can be put back in turn. Absent: nothing was overwritten.
 */
undo?: RequestId, };

/**
 * A question with all that a surface needs to show it.
 */
export type Question = { 
/**
 * Identifies the question.
 */
id: QuestionId, 
/**
 * Where it stands.
 */
result: QuestionResult, 
/**
 * Name of the agent.
 */
agent?: string, 
/**
 * What to call the agent before a person, safe for any surface: `Claude Code` for one that has proved its name, the
 * name in quotation marks for one that only claims it. Absent when it gave no name.
 */
agent_title?: string, 
/**
 * The agent's name is proved by its credential and not only claimed.
 */
agent_verified: boolean, 
/**
 * The session.
 */
session?: SessionKey, 
/**
 * One plain line that says what is asked, safe for any surface.
 */
title: string, 
/**
 * The short title.
 */
header?: Array<Piece>, 
/**
 * What is asked, with its line breaks.
 */
question: Array<Piece>, 
/**
 * What can be chosen.
 */
choices: Array<ChoiceView>, 
/**
 * More than one can be chosen.
 */
multiple: boolean, 
/**
 * Free text is welcome.
 */
custom: boolean, 
/**
 * What the field for free text is called.
 */
custom_label?: Array<Piece>, 
/**
 * Working folder.
 */
cwd?: Array<Piece>, 
/**
 * Last part of the working folder, one plain line.
 */
project?: string, 
/**
 * What is odd about its texts, in the order in which they are shown.
 */
findings?: Array<FindingView>, 
/**
 * Some of its texts hold characters that would be invisible, or may be taken for something else.
 */
has_hidden_characters: boolean, 
/**
 * When it was asked.
 */
asked_at: string, 
/**
 * When nobody can answer any more.
 */
expires_at: string, };

/**
 * A person is being asked a question.
 */
export type QuestionAsked = { 
/**
 * The question as it is shown.
 */
question: Question, };

/**
 * One thing that a person can choose.
 */
export type QuestionChoice = { 
/**
 * What an answer names it by; no other choice of the question has it.
 */
label: string, 
/**
 * What choosing it means.
 */
description?: string, };

/**
 * Identifies one question. A UUID version 7, so that ids sort by time.
 */
export type QuestionId = string;

/**
 * Open questions.
 */
export type QuestionList = { 
/**
 * The questions, oldest first.
 */
questions: Array<Question>, };

/**
 * A question for the person.
 *
 * Unknown fields are refused with their name.
 */
export type QuestionRequest = { 
/**
 * What is asked: 1 to 4 000 characters.
 */
question: string, 
/**
 * A short title.
 */
header?: string, 
/**
 * What can be chosen: at most 25, each with a label of its own.
 */
choices?: Array<QuestionChoice>, 
/**
 * More than one can be chosen.
 */
multiple?: boolean, 
/**
 * Free text is welcome; must be so when there are no choices. Default: true.
 */
custom?: boolean, 
/**
 * What the field for free text is called.
 */
custom_label?: string, 
/**
 * Name of the agent.
 */
agent?: string, 
/**
 * The conversation; the question ends with it.
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
 * Working folder of the agent, an absolute path.
 */
cwd?: string, 
/**
 * The requester's own trace id, handed back in the result.
 */
trace_id?: string, 
/**
 * The same key with the same question joins the question that is known by it.
 */
idempotency_key?: string, 
/**
 * How long a person has to answer, in seconds: 1 to 86 400. Default: 300.
 */
timeout_seconds?: number, };

/**
 * A question ended.
 */
export type QuestionResolved = { 
/**
 * Which.
 */
id: QuestionId, 
/**
 * How.
 */
result: QuestionResult, };

/**
 * Where a question stands, and how it ended.
 */
export type QuestionResult = { 
/**
 * Identifies the question.
 */
id: QuestionId, 
/**
 * Any status that a client does not know means cancelled.
 */
status: QuestionStatus, 
/**
 * Labels that were chosen, in the order of the choices.
 */
selected: Array<string>, 
/**
 * The person's own words.
 */
custom?: string, 
/**
 * When answered: the labels, and on a new line the person's own words, as one text for the model.
 */
answer?: string, 
/**
 * When it ended without an answer: why, for the model.
 */
reason?: string, 
/**
 * When it was asked.
 */
asked_at: string, 
/**
 * When it ended, however it ended.
 */
answered_at?: string, 
/**
 * When nobody can answer any more.
 */
expires_at: string, 
/**
 * The requester's own trace id.
 */
trace_id?: string, };

/**
 * Where a question stands. Clients treat any status they do not know as cancelled.
 */
export type QuestionStatus = "answered" | "declined" | "timeout" | "cancelled" | "pending";

/**
 * Hours of each day, by the local time. The end may lie on the next day.
 */
export type QuietHours = { 
/**
 * When they begin, in minutes after midnight: 0 to 1439.
 */
from: number, 
/**
 * When they end, in minutes after midnight: 0 to 1439, and not when they begin.
 */
until: number, };

/**
 * How far what a call changes reaches. Ordered: farther is greater.
 */
export type Reach = "nothing" | "project" | "machine" | "outside";

/**
 * A file or folder to read.
 */
export type ReadSubject = { 
/**
 * The file or folder.
 */
path: Array<Piece>, };

/**
 * A file that is there already, and would be written anew.
 */
export type ReplacedFile = { "kind": "text", 
/**
 * What changes, in order, with a few lines around each place; empty: nothing does.
 */
hunks: Array<DiffHunk>, } | { "kind": "binary", 
/**
 * Its size.
 */
bytes: number, } | { "kind": "unseen", 
/**
 * Why, as a clause, safe for any surface.
 */
why: string, };

/**
 * Calls, and what was done with them.
 */
export type ReplayCounts = { 
/**
 * All of them.
 */
calls: number, 
/**
 * A person was asked.
 */
asked: number, 
/**
 * Denied at once.
 */
denied: number, 
/**
 * Run at once inside walls.
 */
confined: number, };

/**
 * How far a replay is.
 */
export type ReplayProgress = { "phase": "reading", 
/**
 * Calls so far.
 */
calls: number, } | { "phase": "replaying", 
/**
 * Steps that are done.
 */
done: number, 
/**
 * All steps.
 */
steps: number, };

/**
 * An agent whose calls were replayed.
 */
export type ReplayedAgent = { 
/**
 * As `claude-code`.
 */
agent: string, 
/**
 * As `Claude Code`.
 */
display_name: string, 
/**
 * Calls that were read.
 */
calls: number, };

/**
 * Which calls.
 */
export type ReplayedCalls = "all" | "rest";

/**
 * What one preset comes to.
 */
export type ReplayedPreset = { 
/**
 * Which.
 */
preset: Preset, 
/**
 * With each kind of person.
 */
rows: Array<ReplayedRow>, };

/**
 * What a preset comes to with one kind of person.
 */
export type ReplayedRow = { 
/**
 * Which calls.
 */
calls: ReplayedCalls, 
/**
 * The person answers for the session, or else each call once.
 */
remembers: boolean, 
/**
 * With the rules that the first third of the sessions suggests.
 */
suggested: boolean, 
/**
 * The calls, and what was done with them.
 */
all: ReplayCounts, 
/**
 * Those that a person refused then, and what was done with them.
 */
refused: ReplayCounts, };

/**
 * Identifies one approval request under all its names. A UUID version 7, so that ids sort by time.
 */
export type RequestId = string;

/**
 * The original arguments of an open request. That they were looked at stands in the audit log.
 */
export type Revealed = { 
/**
 * The argument that was asked for, or all of them.
 */
arguments: Array<ArgumentRow>, 
/**
 * What the call is about; only when all arguments were asked for.
 */
subject?: SubjectView, 
/**
 * All arguments as indented JSON, for editing; only when all were asked for and the agent takes
 * changed arguments.
 */
editable_arguments?: string, };

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
 * Whether a person can approve with a rule.
 */
export type RuleCheck = { 
/**
 * Why not, and what to do, in one sentence. Absent: one can.
 */
refused?: string, 
/**
 * What it would have done.
 */
effect?: RuleEffect, };

/**
 * A rule that a person is changing, for an answer to an open request.
 */
export type RuleCheckRequest = { 
/**
 * The TOML text of one `[[rule]]`.
 */
rule: string, 
/**
 * `project` or `always`.
 */
scope: Scope, 
/**
 * What the rule covered before it was changed.
 */
breadth: Breadth, 
/**
 * Which simple commands, as in a decision.
 */
commands?: Array<number>, };

/**
 * What a rule would have done to calls of the past, beside the one that it was made from.
 */
export type RuleEffect = { 
/**
 * All of it.
 */
preview: Preview, 
/**
 * Calls that it would have let pass, and the rule before the change would not.
 */
more: number, 
/**
 * Calls that the rule before the change would have let pass, and it would not.
 */
fewer: number, 
/**
 * Calls that it would have let pass: at most 5, the latest first, those of `more` before others.
 */
passes: Array<PreviewCall>, 
/**
 * Calls of the same tool that would still have been asked about: at most 5, the latest first, those of `fewer` before
 * others.
 */
asked: Array<PreviewCall>, };

/**
 * A rule as a person reads it.
 */
export type RuleText = { 
/**
 * Its conditions in one line, as `tool = "shell", command = "git status *"`, or its pattern
 * alone when that is its only condition.
 */
text: string, 
/**
 * What it does.
 */
action: Action, 
/**
 * No later rule loosens it.
 */
final: boolean, 
/**
 * Why, in its author's words.
 */
reason?: string, 
/**
 * The `[agent.NAME]` table that it stands in; absent: it is general.
 */
agent?: string, 
/**
 * Its line in the file, from 1; absent: it was not read from a file.
 */
line?: number, };

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
 * How much.
 */
breadth: Breadth, 
/**
 * What would be remembered, verbatim and safe for any surface.
 */
remembers: string, 
/**
 * The rule that would be written into `policy.toml`, for the scopes `project` and `always`.
 */
rule?: string, 
/**
 * The text with which a person begins to change that rule. Absent: there are several, or none.
 */
editable_rule?: string, 
/**
 * The simple commands that it can cover without the others, where there are several. An answer names those that it
 * covers in its `commands`. Where they are fewer than what is asked about, it has to.
 */
commands?: Array<ScopeCommands>, };

/**
 * Simple commands of a line that an answer can cover without the others.
 */
export type ScopeCommands = { 
/**
 * Their positions in the line: one pattern covers them all.
 */
commands: Array<number>, 
/**
 * What would be remembered of them, safe for any surface.
 */
remembers: string, 
/**
 * The rule that would be written for them alone.
 */
rule?: string, 
/**
 * The text with which a person begins to change that rule.
 */
editable_rule?: string, };

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
 * What to call who asks before a person, as in [`Approval::agent_title`](crate::Approval::agent_title).
 */
agent_title: string, 
/**
 * Path of the project folder of its latest call that was made in one; absent: none was, or none since the start.
 */
project?: string, 
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
 * A setting with another value.
 */
export type SettingChange = { 
/**
 * Its key in the file, as `risk.write`.
 */
key: string, 
/**
 * Its old value; empty when it had none.
 */
old: string, 
/**
 * Its new value; empty when it has none.
 */
new: string, };

/**
 * The settings that the desktop application stores.
 */
export type Settings = { 
/**
 * Start Handraise when the user logs in. Off until a person switches it on.
 */
start_at_login: boolean, 
/**
 * A person has said whether it starts at login. Until then the settings window asks.
 */
start_at_login_asked: boolean, 
/**
 * The guide of the first start was gone through, or left. Until then the settings window opens with it. Settings
 * that were stored before there was a guide count as if it had been left.
 */
guide_left: boolean, 
/**
 * Show a native notification for each request.
 */
notifications: boolean, 
/**
 * When the prompt window opens by itself.
 */
prompt_window: PromptWindow, 
/**
 * How long the prompt window is kept ready, unseen, so that it comes up at once.
 */
keep_prompt_ready: KeepPromptReady, 
/**
 * Light, dark, or as the system is.
 */
appearance: Appearance, 
/**
 * The language of windows, tray and notifications; `null`: the system's.
 */
language: Locale | null, 
/**
 * Clicks and keys count that another program makes, as those of remote desktops (x11vnc), of shared
 * keyboards (Synergy) and of keyboards on the screen. X11 only: elsewhere there is no telling.
 */
accept_made_input: boolean, 
/**
 * While the application runs, terminals may decide as well. Off: a program that gets at a terminal of the
 * user would have an answer of its own, and the window is there.
 */
terminals_decide: boolean, 
/**
 * What destroys something is approved in the application only: not at a terminal, and not by a program with
 * an approver's token. On: nothing of that kind is undone, and the window shows the most.
 */
destructive_in_window_only: boolean, 
/**
 * Days that the audit log is kept; `null`: for ever.
 */
keep_audit_days: number | null, 
/**
 * What is kept of files that calls change.
 */
undo: UndoSettings, 
/**
 * The hours of each day in which nothing comes up by itself; `null`: there are none.
 */
quiet_hours: QuietHours | null, 
/**
 * A notification makes a sound.
 */
sound: boolean, 
/**
 * Keys that bring the prompt window forward, wherever the keyboard is, as `Super+Shift+H`; `null`: there are none.
 */
shortcut: string | null, };

/**
 * What the settings window shows.
 */
export type SettingsView = { 
/**
 * The settings.
 */
settings: Settings, 
/**
 * The language in force.
 */
locale: Locale, 
/**
 * The desktop's accent colour, as `#3584e4`; absent where it has none.
 */
accent?: string, 
/**
 * The mode in force.
 */
mode: Mode, 
/**
 * When a pause ends by itself; absent: when a person ends it.
 */
mode_until?: string, 
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
 * How many requests and questions wait for a person.
 */
waiting: number, 
/**
 * Version of Handraise.
 */
version: string, 
/**
 * How the keys stand that bring the prompt window forward; absent: this system has no such thing.
 */
shortcut?: ShortcutState, 
/**
 * The call of the past that a person asked to see last, in the tray.
 */
wanted?: Wanted, };

/**
 * How bad it is.
 */
export type Severity = "warning" | "error";

/**
 * How the keys that bring the prompt window forward stand.
 */
export type ShortcutState = "off" | "works" | "taken" | "refused" | "no_key" | "impossible";

/**
 * Where a request stands. Clients treat any status they do not know as denied.
 */
export type Status = "approved" | "denied" | "timeout" | "cancelled" | "pending";

/**
 * A sub-agent, as the agent that started it says. A claim: nothing is decided by it.
 */
export type SubAgent = { 
/**
 * The same for all calls of one sub-agent.
 */
id: string, 
/**
 * What to call it before a person: its kind, or else its id, in quotation marks.
 */
title: string, };

/**
 * What a call is about.
 */
export type SubjectView = { "kind": "command" } & CommandSubject | { "kind": "edit" } & EditSubject | { "kind": "write" } & WriteSubject | { "kind": "read" } & ReadSubject | { "kind": "fetch" } & FetchSubject | { "kind": "arguments" };

/**
 * A rule made from what a person has approved again and again, and never denied.
 */
export type Suggestion = { 
/**
 * The TOML text of the rule, as it would be added.
 */
rule: string, 
/**
 * What it would have done.
 */
preview: Preview, };

/**
 * Rules that would have spared a person some questions.
 */
export type Suggestions = { 
/**
 * The most useful first.
 */
suggestions: Array<Suggestion>, 
/**
 * What to open to the walls of a project, what was denied most often first.
 */
widenings?: Array<WideningSuggestion>, };

/**
 * A kind of surface. Clients show one that they do not know by its name.
 */
export type SurfaceKind = "notifications" | "tray" | "window" | "terminal";

/**
 * Every way to put a request before a person that the running program has.
 */
export type SurfaceList = { 
/**
 * In the order of their kinds.
 */
surfaces: Array<SurfaceState>, };

/**
 * One way to put a request before a person, and whether it works.
 */
export type SurfaceState = { 
/**
 * Which.
 */
kind: SurfaceKind, 
/**
 * A person can be reached on it.
 */
works: boolean, 
/**
 * One or more sentences for a person: what is there, or what is missing and what to do.
 */
detail: string, };

/**
 * What a task of a project ran when a person approved it.
 */
export type TaskPin = { 
/**
 * The words that name it, as `npm run test`.
 */
call: string, 
/**
 * The file that its first step stands in; empty when the project had no such task.
 */
file: string, 
/**
 * SHA-256 of its steps, in lower-case hexadecimal.
 */
digest: string, 
/**
 * The beginning of its text.
 */
text: string, };

/**
 * One text that a task runs, or that says how.
 */
export type TaskStepView = { 
/**
 * What it is called, as `pretest`, safe for any surface.
 */
name: string, 
/**
 * The file that it stands in, from the project where it lies there.
 */
file: Array<Piece>, 
/**
 * Its text.
 */
text: Array<Piece>, };

/**
 * A task of the project, and what it runs.
 */
export type TaskView = { 
/**
 * The words that name it, as `npm run test`, safe for any surface.
 */
call: string, 
/**
 * The texts that it runs, and those that say how. The programs that they start, and the files that those run, are
 * not among them.
 */
steps: Array<TaskStepView>, 
/**
 * One sentence: why it cannot be told what it runs.
 */
unknown?: string, 
/**
 * Commands among the steps that run further tasks which could not be followed, each as one plain line.
 */
unfollowed?: Array<string>, 
/**
 * What has changed since a person approved it for longer, line by line.
 */
changes?: Array<DiffLine>, };

/**
 * Text that can be drawn as it is.
 */
export type TextPiece = { 
/**
 * The text.
 */
text: string, };

/**
 * A place in a text, in bytes. The wire form of a range.
 */
export type TextSpan = { 
/**
 * The first byte.
 */
start: number, 
/**
 * The byte after the last.
 */
end: number, };

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
 * A call to try the policy on, by what it does or by its tool.
 */
export type TriedCall = { "kind": "command", 
/**
 * The line.
 */
line: string, } | { "kind": "read", 
/**
 * The file.
 */
path: string, } | { "kind": "edit", 
/**
 * The file.
 */
path: string, } | { "kind": "write", 
/**
 * The file.
 */
path: string, } | { "kind": "fetch", 
/**
 * Its address.
 */
url: string, } | { "kind": "tool", 
/**
 * Its name.
 */
tool: string, 
/**
 * The MCP server that it belongs to.
 */
server?: string, 
/**
 * What it is given.
 */
arguments: { [key in string]: JsonValue }, };

/**
 * What putting a file back does, or has done.
 */
export type UndoOutcome = "restored" | "unchanged" | "stays" | "doubtful" | "refused";

/**
 * What is kept, so that a call can be undone.
 */
export type UndoSettings = { 
/**
 * What such a call is about to change is kept first. Off: nothing is, and nothing can be undone.
 */
enabled: boolean, 
/**
 * Days that it is kept: 1 to 365.
 */
days: number, 
/**
 * MiB that all of it may take; the oldest goes first: 64 to 65536.
 */
mebibytes: number, };

/**
 * How much of a call can be undone.
 */
export type Undoable = "whole" | "in_part" | "nothing";

/**
 * How much a command may use. What is not given is not limited.
 */
export type WallLimits = { 
/**
 * Processes and threads at one time.
 */
processes?: number, 
/**
 * Bytes of private memory of each process.
 */
memory_bytes?: number, 
/**
 * Seconds until it is ended.
 */
seconds?: number, };

/**
 * The walls around one call: it reaches no network, reads no credentials, and writes only what stands here.
 */
export type Walls = { 
/**
 * The same in one sentence, without a full stop: "writes only in shopfront and 2 caches, no network".
 */
sentence: string, 
/**
 * The project folder, which it may write. Absolute.
 */
project: string, 
/**
 * Further files and folders that it may write. Absolute.
 */
write: Array<string>, 
/**
 * Further files and folders that it may read: those of the policy, and temporary files that its command line names.
 * Absolute.
 */
read?: Array<string>, 
/**
 * Names of files in the project that it sees though walls hide such files, as `.env`.
 */
show?: Array<string>, 
/**
 * Temporary files and folders that are not there yet and that it may make. What it makes of them stays when the call
 * has ended. Absolute.
 */
made?: Array<string>, 
/**
 * Places that it must not read. Absolute.
 */
read_deny: Array<string>, 
/**
 * Caches of tools that it may write.
 */
caches: Array<string>, 
/**
 * How much it may use.
 */
limits: WallLimits, };

/**
 * A request or question that a person asked to see, by its notification or in the tray; in the settings window, a call
 * of the past.
 */
export type Wanted = { 
/**
 * The request or question.
 */
id: string, 
/**
 * Counts the times that a person asked: the same may be asked for again.
 */
number: number, };

/**
 * Wider walls. A decision that names them opens the place to the walls of this project from now on, by a table of the
 * policy, and lets the call run inside of them.
 */
export type Widening = { 
/**
 * What is opened, one plain line: "~/out", "the cache of npm".
 */
opens: string, 
/**
 * The walls then.
 */
walls: Walls, 
/**
 * What tells them from others: a decision names it as `confined`.
 */
hash: string, 
/**
 * The table that is written into the policy.
 */
rule: string, };

/**
 * A place that the walls of one project have denied to several calls.
 */
export type WideningSuggestion = { 
/**
 * The place, one plain line: "~/out", "the cache of npm".
 */
opens: string, 
/**
 * The TOML text of the table `[[confine.project]]`, as it would be added.
 */
rule: string, 
/**
 * Calls that were denied it.
 */
calls: number, 
/**
 * What one of them does, one plain line.
 */
example: string, };

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
lines: number, 
/**
 * What the file held when this was asked. Absent when there was none, or it was not looked at.
 */
replaces?: ReplacedFile, };
