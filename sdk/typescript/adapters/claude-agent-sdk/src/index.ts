// The Claude Agent SDK (tried with `@anthropic-ai/claude-agent-sdk` 0.3.330): its hooks, and `canUseTool`.

import { type CallContext, Client, type ClientOptions, Gate } from 'handraise';
import { credentialOf, decide, isObject } from 'handraise/adapter';

/** How hooks ask. */
export interface ClaudeHooksOptions extends ClientOptions {
  /** Seconds until a call that nobody has answered is denied; default 590. */
  deadlineSeconds?: number | undefined;
}

/** What a hook answers. */
export interface ClaudeHookOutput {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'allow' | 'deny';
    permissionDecisionReason?: string;
    updatedInput?: Record<string, unknown>;
  };
}

type ClaudeHook = (
  input: object,
  toolUseId: string | undefined,
  options: { signal: AbortSignal },
) => Promise<ClaudeHookOutput>;

interface ClaudeHookMatcher {
  hooks: ClaudeHook[];
  timeout: number;
  /** By itself the SDK lets the call go ahead when a hook fails or takes too long. */
  onFailure: 'block';
}

/** For `query({ options: { hooks } })`. */
export interface ClaudeHooks {
  PreToolUse: ClaudeHookMatcher[];
  SessionEnd: ClaudeHookMatcher[];
}

/** Seconds that the answer has to get from here to Claude Code. */
const MARGIN = 10;
/** Seconds for a hook that only tells something. */
const NOTICE_TIMEOUT = 5;

/**
 * Hooks that ask about every tool call, as those that `handraise connect claude-code` installs do: the same messages, so
 * the same answers. Each session of Claude Code is a session of its own.
 *
 * @example
 * query({ prompt, options: { hooks: claudeHooks() } });
 */
export function claudeHooks(options: ClaudeHooksOptions = {}): ClaudeHooks {
  const { deadlineSeconds = 590, ...connection } = options;
  let client: Promise<Client> | undefined;
  const connect = async () => {
    const credential = connection.credential ?? (await credentialOf('claude-code', connection.folders));
    return new Client({ ...connection, credential });
  };
  const ask = async (input: object, signal: AbortSignal): Promise<Record<string, unknown>> => {
    const connected = await (client ??= connect());
    return connected.hook('claude-code', input, { wait: deadlineSeconds, signal });
  };

  const beforeTool: ClaudeHook = async (input, _toolUseId, { signal }) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), deadlineSeconds * 1000);
    try {
      return checked(await ask(input, AbortSignal.any([signal, late.signal])));
    } catch (error) {
      // Whatever fails, and a run that was stopped: the call is denied.
      const why = late.signal.aborted ? `No answer came within ${deadlineSeconds} seconds.` : String(error);
      return deny(`Handraise could not be asked, so this call was denied. ${why}`);
    } finally {
      clearTimeout(timer);
    }
  };
  const atEnd: ClaudeHook = async (input, _toolUseId, { signal }) => {
    // That the session is over is only told: what is remembered for it is never used again.
    await ask(input, signal).catch(() => undefined);
    return {};
  };
  return {
    PreToolUse: [{ hooks: [beforeTool], timeout: deadlineSeconds + MARGIN, onFailure: 'block' }],
    SessionEnd: [{ hooks: [atEnd], timeout: NOTICE_TIMEOUT, onFailure: 'block' }],
  };
}

/** How `canUseTool` asks. */
export interface ClaudePermissionOptions extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
}

/** What Claude Code tells of a permission question, as far as it is looked at. */
interface ClaudeQuestion {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
  /** Its name is to be trusted only where the source is `sdk`. */
  readonly mcpServer?: { readonly name: string; readonly source: string } | undefined;
}

/** How a permission question is answered. */
export type ClaudePermission =
  { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string };

/**
 * For `query({ options: { canUseTool } })`: asks about what Claude Code itself would ask. What its settings or its mode
 * allow comes to nobody; {@link claudeHooks} see every call.
 */
export function canUseTool(options: ClaudePermissionOptions = {}) {
  const { gate: given, ...context } = options;
  const gate = (given ?? new Gate()).with(context);
  return async (
    tool: string,
    input: Record<string, unknown>,
    question: ClaudeQuestion,
  ): Promise<ClaudePermission> => {
    const { toolUseID, mcpServer, signal } = question;
    const server = mcpServer?.source === 'sdk' ? mcpServer.name : undefined;
    const call = { tool, arguments: input, traceId: toolUseID, server };
    const decision = await decide(gate, call, signal);
    if (!decision.isApproved) return { behavior: 'deny', message: decision.reason };
    return { behavior: 'allow', updatedInput: decision.arguments };
  };
}

/** Handraise's answer, when it is one; anything else denies. Handraise says nothing about Claude Code's own questions. */
function checked(answer: Record<string, unknown>): ClaudeHookOutput {
  const { hookSpecificOutput: output } = answer;
  if (output === undefined && Object.keys(answer).length === 0) return {};
  const decision = isObject(output) ? output['permissionDecision'] : undefined;
  if (decision === 'allow' || decision === 'deny') return answer as ClaudeHookOutput;
  return deny('Handraise answered something that cannot be understood.');
}

function deny(reason: string): ClaudeHookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
}
