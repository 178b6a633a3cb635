import type { Annotations, ApprovalRequest } from '../generated/protocol.js';
import { snapshot } from '../json.js';
import { type RiskWord, riskLevel } from '../risk.js';

/** What is the same for all calls of an agent, or of a conversation. */
export interface CallContext {
  /** Name of the agent. */
  agent?: string | undefined;
  /** The session. Without `session`, `conversationId` and `user` nothing is remembered. */
  session?: string | undefined;
  /** Counts as the session when there is no `session`. */
  conversationId?: string | undefined;
  /** Counts as the session when there is neither. */
  user?: string | undefined;
  /** MCP server that offers the tool. */
  server?: string | undefined;
  /** Working folder, an absolute path. */
  cwd?: string | undefined;
  /** Names the batch that the call belongs to. */
  batch?: string | undefined;
  /** Free tags. */
  tags?: readonly string[] | undefined;
  /** Declared risk level. Absent means unknown, which counts as `write`. */
  risk?: RiskWord | undefined;
  /** Hints of an MCP server. They can raise the risk, never lower it. */
  annotations?: Annotations | undefined;
  /** Why, in the agent's words. */
  intent?: string | undefined;
  /** One line for the person. */
  summary?: string | undefined;
  /** What the tool is for. */
  description?: string | undefined;
  /** How long the person has, in seconds: 1 to 86 400. */
  timeoutSeconds?: number | undefined;
  /**
   * The tool runs the command line of the arguments that it is handed, and not that of the call: on this machine, in
   * `cwd`. Only then can the call run confined; see `docs/confine.md`.
   */
  runsChangedCommand?: boolean | undefined;
}

/** One tool call. */
export interface ToolCall extends CallContext {
  /** Name of the tool. */
  tool: string;
  /** Its arguments, an object; what JSON cannot hold is left out, as in `JSON.stringify`. */
  arguments?: unknown;
  /** The caller's own id of the call, handed back in the result. */
  traceId?: string | undefined;
  /** The same key with the same call joins the request that is known by it. */
  idempotencyKey?: string | undefined;
}

/** The request that goes with a call; what the call says goes before what its context says. */
export function requestOf(call: ToolCall, context: CallContext = {}): ApprovalRequest {
  const said = Object.entries(call).filter(([, value]) => value !== undefined);
  const all: ToolCall = { ...context, ...(Object.fromEntries(said) as unknown as ToolCall) };
  const request: Record<string, unknown> = {
    tool: all.tool,
    arguments: snapshot(all.arguments),
    agent: all.agent,
    session: all.session,
    conversation_id: all.conversationId,
    user: all.user,
    server: all.server,
    cwd: all.cwd,
    batch: all.batch,
    tags: union(context.tags, call.tags),
    risk: all.risk === undefined ? undefined : riskLevel(all.risk),
    annotations: all.annotations,
    intent: all.intent,
    summary: all.summary,
    description: all.description,
    timeout_seconds: all.timeoutSeconds,
    // Unsaid and `false` are the same request.
    runs_changed_command: all.runsChangedCommand === true ? true : undefined,
    trace_id: all.traceId,
    idempotency_key: all.idempotencyKey,
  };
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as ApprovalRequest;
}

/**
 * The arguments of a call as a model wrote them. Text that is no JSON object counts as `{}`: the
 * gate is asked about the call all the same.
 */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    return snapshot(JSON.parse(text));
  } catch {
    return {};
  }
}

function union(...tags: (readonly string[] | undefined)[]): string[] | undefined {
  const all = new Set(tags.flatMap((some) => some ?? []));
  return all.size > 0 ? [...all] : undefined;
}
