import { ApprovalError } from '../../index.js';
import { isObject } from '../../json.js';
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isRequest,
  type Message,
  METHOD_NOT_FOUND,
  readMessages,
  type Request,
  resultMessage,
  UnreadableMessageError,
} from '../json-rpc.js';
import { keepTelling } from '../proxy/progress.js';
import { AGREED, clientNameOf, hasCapabilities, NAMED, revisionOf } from '../revision.js';
import {
  approvalPrompt,
  approveCommand,
  type Asking,
  askUser,
  denyCommand,
  executeCommand,
  failure,
  getPendingCommands,
  raiseHand,
  type ToolResult,
} from './answers.js';
import { Inputs, InvalidInputError } from './inputs.js';
import { TOOLS } from './tools.js';

type Answering = (asking: Asking, inputs: Inputs, signal: AbortSignal) => Promise<ToolResult>;

const ANSWERS: Record<string, Answering> = {
  raise_hand: raiseHand,
  handraise_ask_user: askUser,
  execute_command: executeCommand,
  get_pending_commands: getPendingCommands,
  approve_command: approveCommand,
  deny_command: denyCommand,
  approval_prompt: approvalPrompt,
};

/** How long the list of tools counts, in milliseconds: it is the same as long as the program runs. */
const LIST_KEPT = 60 * 60 * 1000;
/** Revisions in which `initialize` opens a connection: those of today, and the one before them. */
const OPENED: readonly string[] = ['2024-10-07', ...AGREED];

/**
 * An MCP server with Handraise's own tools, over one connection. Each message is answered in the form of its revision:
 * the one that it names (2026-07-28), or the one that `initialize` has agreed on.
 */
export class HandraiseServer {
  /** Calls that are under way, by their ids. */
  private readonly running = new Map<string, AbortController>();
  private clientName: string | undefined;

  /**
   * @param version Of this program.
   * @param send Takes messages for the client.
   */
  constructor(
    private readonly asking: Omit<Asking, 'agent'> & { agent: string | undefined },
    private readonly version: string,
    private readonly send: (text: string) => void,
  ) {}

  /** The client has sent `bytes`: one message. */
  take(bytes: Buffer): void {
    try {
      for (const message of readMessages(bytes)) void this.answer(message);
    } catch (error) {
      this.refuse(null, error);
    }
  }

  /** The client has gone: nobody waits for an answer any more. */
  close(): void {
    for (const controller of this.running.values()) controller.abort(new Error('the client has gone'));
  }

  private async answer(message: Message): Promise<void> {
    const { method, params } = message;
    if (method === 'notifications/cancelled' && isObject(params)) {
      this.running.get(keyOf(params['requestId']))?.abort(new Error('the client has cancelled the call'));
    }
    if (!isRequest(message)) return;
    const { id } = message;
    const abort = new AbortController();
    this.running.set(keyOf(id), abort);
    try {
      const revision = revisionOf(message);
      const result = await (revision === undefined
        ? this.resultOfOld(message, abort.signal)
        : this.resultOf(message, abort.signal));
      // A cancelled request has no answer.
      if (!abort.signal.aborted) this.tell(resultMessage(id, result));
    } catch (error) {
      if (!abort.signal.aborted) this.refuse(id, error);
    } finally {
      if (this.running.get(keyOf(id)) === abort) this.running.delete(keyOf(id));
    }
  }

  /** The result of a request of a revision up to 2025-11-25. */
  private async resultOfOld({ method, params = {}, ...rest }: Request, signal: AbortSignal): Promise<object> {
    switch (method) {
      case 'initialize': {
        const { protocolVersion: wanted, clientInfo } = params;
        const name = isObject(clientInfo) ? clientInfo['name'] : undefined;
        if (typeof name === 'string') this.clientName = name;
        const protocolVersion = OPENED.find((one) => one === wanted) ?? OPENED.at(-1);
        return { protocolVersion, capabilities: { tools: {} }, serverInfo: this.info() };
      }
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: TOOLS };
      case 'tools/call':
        return this.call({ method, params, ...rest }, signal);
      default:
        throw notFound();
    }
  }

  /** The result of a request that names its revision. */
  private async resultOf(message: Request, signal: AbortSignal): Promise<object> {
    if (!hasCapabilities(message)) {
      throw new UnreadableMessageError(
        INVALID_PARAMS,
        'The _meta of the request says no clientCapabilities.',
      );
    }
    const kept = { ttlMs: LIST_KEPT, cacheScope: 'public' };
    switch (message.method) {
      case 'server/discover':
        return this.complete({ supportedVersions: NAMED, capabilities: { tools: {} }, ...kept });
      case 'tools/list':
        return this.complete({ tools: TOOLS, ...kept });
      case 'tools/call':
        return this.complete(await this.call(message, signal));
      case 'subscriptions/listen':
        return this.subscribed(message);
      default:
        throw notFound();
    }
  }

  private async call(message: Request, signal: AbortSignal): Promise<ToolResult> {
    const { name, arguments: args = {}, _meta: meta } = message.params ?? {};
    if (typeof name !== 'string' || !isObject(args)) {
      throw new UnreadableMessageError(
        INVALID_PARAMS,
        'A call of a tool has a name and arguments that are an object.',
      );
    }
    const answering = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
    if (answering === undefined) {
      // Revision 2026-07-28 has another code for it.
      const code = revisionOf(message) === undefined ? METHOD_NOT_FOUND : INVALID_PARAMS;
      throw new UnreadableMessageError(code, `MCP error ${code}: Unknown tool: ${name}`);
    }
    const agent = this.asking.agent ?? clientNameOf(message) ?? this.clientName;
    const token = isObject(meta) ? meta['progressToken'] : undefined;
    const isWanted = typeof token === 'string' || typeof token === 'number';
    const stop = isWanted ? keepTelling(token, this.send) : undefined;
    try {
      return await answering({ ...this.asking, agent: () => agent }, new Inputs(args), signal);
    } catch (error) {
      if (error instanceof InvalidInputError) return failure(`Error: ${error.message}`);
      if (error instanceof ApprovalError) return failure(`Denied: ${error.reason}`);
      throw error;
    } finally {
      stop?.();
    }
  }

  /** Nothing here changes: what is granted is nothing, and the subscription is over at once. */
  private subscribed({ id, params }: Request): object {
    if (!isObject(params?.['notifications'])) {
      throw new UnreadableMessageError(INVALID_PARAMS, 'A subscription says what it wants to hear of.');
    }
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const method = 'notifications/subscriptions/acknowledged';
    this.tell({ jsonrpc: '2.0', method, params: { notifications: {}, _meta } });
    return this.complete({ _meta });
  }

  private complete(result: Record<string, unknown>): object {
    const meta = isObject(result['_meta']) ? result['_meta'] : {};
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': this.info() };
    return { resultType: 'complete', ...result, _meta: { ...meta, ...serverInfo } };
  }

  private info(): object {
    return { name: 'handraise', version: this.version };
  }

  private refuse(id: Request['id'] | null, error: unknown): void {
    if (error instanceof UnreadableMessageError)
      return this.tell(errorMessage(id, error.code, error.message, error.data));
    this.tell(errorMessage(id, INTERNAL_ERROR, error instanceof Error ? error.message : String(error)));
  }

  private tell(message: Message): void {
    this.send(JSON.stringify(message));
  }
}

const notFound = () => new UnreadableMessageError(METHOD_NOT_FOUND, 'Method not found');

function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
