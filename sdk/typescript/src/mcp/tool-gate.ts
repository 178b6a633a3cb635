import {
  type ApprovalRequest,
  type ApprovalResult,
  ApprovalError,
  type Client,
  GateRefusedError,
} from '../index.js';
import type { JsonValue } from '../generated/protocol.js';
import { isObject } from '../json.js';
import type { ToolDefinition } from './definitions.js';
import type { Refusal } from './denial.js';
import type { Entry } from './tool-book.js';

/** What the gate is told about every call. */
export interface CallContext {
  /** The name that the person gave the server. */
  server?: string;
  /** The agent: a claim, unless the credential is that agent's. */
  agent?: string;
  /** The conversation; approvals "for this session" belong to it. */
  session?: string;
  /** Where the server works. */
  cwd?: string;
  /** How long a person has to answer, in seconds; absent: as the policy says. */
  timeoutSeconds?: number;
}

/** One call of a tool. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
  /** The `_meta` of the request. */
  meta?: Record<string, unknown>;
  /** What the client of the request calls itself: a claim. */
  agent?: string;
}

/** How to wait. */
export interface WaitOptions {
  /** Withdraws the request. */
  signal?: AbortSignal;
  /** Does not wait for a person longer than this many seconds, but hands out the id to come back with. */
  pendingAfter?: number;
}

/** What is to happen to a call. */
export type CallClearance =
  | {
      runs: true;
      /** What to run it with: the arguments as they came, or as a person changed them. */
      arguments: Record<string, unknown>;
      /** They are not those of the call, or the token was taken out. */
      isChanged: boolean;
      result: Readonly<ApprovalResult>;
    }
  | { runs: false; refusal: Refusal };

/** A call that cannot be taken as it is: nothing was asked. */
export class InvalidCallError extends Error {
  override readonly name = 'InvalidCallError';
}

/** Name of the argument that resumes an approval which was not waited for. */
export const TOKEN_ARGUMENT = '_approval_token';
/** The same within `_meta`. */
export const TOKEN_META = 'approvalId';

/** Puts calls of tools before the gate. Nothing but an explicit approval lets one run. */
export class ToolGate {
  constructor(
    private readonly client: Pick<Client, 'request' | 'resume'>,
    private readonly context: CallContext,
    /** What was odd about the calls that were not waited for, by their ids. */
    private readonly shown = new Map<string, string>(),
  ) {}

  /** The same gate for calls of the conversation `session`; without one nothing is remembered. */
  in(session: string | undefined): ToolGate {
    const { session: _other, ...rest } = this.context;
    return new ToolGate(this.client, session === undefined ? rest : { ...rest, session }, this.shown);
  }

  /**
   * Has one call decided.
   *
   * @throws InvalidCallError when the call itself is wrong; the reason of `signal` when that is aborted.
   */
  async decide(call: ToolCall, entry: Entry | undefined, options: WaitOptions = {}): Promise<CallClearance> {
    const { token: given, rest } = takeToken(call, entry?.definition);
    // A person who approved did not see what has become odd since: then it is asked anew.
    const isStale = given !== undefined && this.shown.get(given) !== entry?.concern;
    const token = isStale ? undefined : given;
    const request = this.request(call, rest, entry);
    try {
      const { signal, pendingAfter } = options;
      const wait = {
        ...(signal === undefined ? {} : { signal }),
        ...(pendingAfter === undefined ? {} : { wait: pendingAfter }),
      };
      const result = await (token === undefined
        ? this.client.request(request, wait)
        : this.client.resume(token, request, wait));
      if (result.status === 'pending') this.remember(result.id, entry?.concern);
      if (result.status !== 'approved') return { runs: false, refusal: refusalOf(result) };
      if (entry?.concern !== undefined && result.decided_by === 'person') await entry.accept();
      const isChanged = given !== undefined || result.arguments !== undefined;
      return { runs: true, arguments: result.arguments ?? rest, isChanged, result };
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof ApprovalError)) throw error;
      return { runs: false, refusal: { status: statusOf(error), reason: reasonOf(error) } };
    }
  }

  private remember(id: string, concern: string | undefined): void {
    if (concern === undefined) return;
    this.shown.set(id, concern);
    const oldest = this.shown.keys().next().value;
    if (this.shown.size > 1000 && oldest !== undefined) this.shown.delete(oldest);
  }

  /** What a person is asked. */
  private request(
    { name: tool, agent: claimed }: ToolCall,
    args: Record<string, unknown>,
    entry: Entry | undefined,
  ): ApprovalRequest {
    const { server, agent = claimed, session, cwd, timeoutSeconds } = this.context;
    const about = entry?.definition?.['description'];
    // What is odd comes first: the server's own words could be long on purpose.
    const description = [entry?.concern, typeof about === 'string' ? about : undefined]
      .filter((text) => text !== undefined)
      .join('\n\n');
    const annotations = annotationsOf(entry);
    return {
      tool,
      arguments: args as Record<string, JsonValue>,
      ...(server === undefined ? {} : { server }),
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { session }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(description === '' ? {} : { description: shortened(description) }),
      ...(entry?.concern === undefined ? {} : { require_approval: true }),
    };
  }
}

/** The hints of the server. What nobody has looked at yet can raise the risk, and never lower it. */
function annotationsOf(entry: Entry | undefined): ApprovalRequest['annotations'] {
  const given = entry?.definition?.['annotations'];
  if (!isObject(given)) return undefined;
  const names = ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint'] as const;
  const hints = names.filter((name) => typeof given[name] === 'boolean');
  const counted = entry?.concern === undefined ? hints : hints.filter((name) => name === 'destructiveHint');
  if (counted.length === 0) return undefined;
  return Object.fromEntries(counted.map((name) => [name, given[name]]));
}

/** The token of a call that was asked about before, and the arguments without it. */
function takeToken(
  { arguments: args, meta }: ToolCall,
  definition: ToolDefinition | undefined,
): { token: string | undefined; rest: Record<string, unknown> } {
  const inMeta = meta?.[TOKEN_META];
  const schema = definition?.['inputSchema'];
  const properties = isObject(schema) ? schema['properties'] : undefined;
  // A tool may have an argument of its own with this name.
  const isOwn = isObject(properties) && Object.hasOwn(properties, TOKEN_ARGUMENT);
  const isThere = !isOwn && Object.hasOwn(args, TOKEN_ARGUMENT);
  const inArguments = isThere ? args[TOKEN_ARGUMENT] : undefined;
  for (const token of [inMeta, inArguments]) {
    if (token !== undefined && typeof token !== 'string') {
      throw new InvalidCallError(`${TOKEN_ARGUMENT} and _meta.${TOKEN_META} are strings`);
    }
  }
  if (inMeta !== undefined && inArguments !== undefined && inMeta !== inArguments) {
    throw new InvalidCallError(`${TOKEN_ARGUMENT} and _meta.${TOKEN_META} differ`);
  }
  const token = (inMeta ?? inArguments) as string | undefined;
  if (!isThere) return { token, rest: args };
  const { [TOKEN_ARGUMENT]: _token, ...rest } = args;
  return { token, rest };
}

function refusalOf(result: Readonly<ApprovalResult>): Refusal {
  const words: Record<string, string> = {
    denied: 'A person or the policy denied this call.',
    timeout: 'Nobody answered in time.',
    cancelled: 'The request was withdrawn.',
    pending: 'A person is still being asked.',
  };
  const status = result.status === 'approved' ? 'denied' : result.status;
  return { status, reason: result.reason || (words[status] ?? 'Denied in Handraise.'), result };
}

function statusOf(error: ApprovalError): Refusal['status'] {
  return error instanceof GateRefusedError ? 'denied' : 'unavailable';
}

function reasonOf(error: ApprovalError): string {
  const isUsed = error instanceof GateRefusedError && error.problem.code === 'not_redeemable';
  if (isUsed) return 'This approval cannot be used: it is for another call, or was used before.';
  if (error instanceof GateRefusedError && error.problem.code === 'not_found') {
    return 'There is no approval with this id.';
  }
  return error.message || 'Handraise could not be asked.';
}

/** At most what the gate takes, in bytes. */
const MAX_DESCRIPTION = 16 * 1024;

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_DESCRIPTION) return text;
  const kept = bytes
    .subarray(0, MAX_DESCRIPTION - 64)
    .toString()
    .replace(/\uFFFD$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}
