import { isObject } from '../../json.js';
import { toolsOf } from '../definitions.js';
import { type DenialForm, refusalResult, refusalText } from '../denial.js';
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRequest,
  isRequestId,
  type Message,
  readMessages,
  type Request,
  type RequestId,
  resultMessage,
  UnreadableMessageError,
} from '../json-rpc.js';
import type { Entry, ToolBook } from '../tool-book.js';
import { InvalidCallError, TOKEN_META, type ToolGate, type Verdict } from '../tool-gate.js';
import { keepTelling } from './progress.js';

/** Where messages go: JSON texts without line breaks. */
export interface Ends {
  toClient(text: string | Buffer): void;
  toServer(text: string | Buffer): void;
}

/** How the proxy behaves. */
export interface ProxyOptions {
  denial?: DenialForm;
  /** Seconds to wait for a person before a call is answered with the id to come back with. */
  pendingAfter?: number;
}

/** Pages of `tools/list` that are read at most. */
const MOST_PAGES = 100;
/** How long the server may take to list its tools, in milliseconds. */
const LONGEST_LISTING = 10_000;

/**
 * One client and one server, with the gate between them. Every message passes as it came, byte for byte,
 * but for `tools/call`, which passes when it is approved.
 */
export class ProxySession {
  /** Calls that a person is being asked about, by the text of their ids. */
  private readonly asking = new Map<string, AbortController>();
  /** Requests of the client for lists of tools, by the text of their ids, with whether it is a first page. */
  private readonly listing = new Map<string, boolean>();
  /** Requests of the proxy itself. */
  private readonly own = new Map<string, (answer: Message) => void>();
  private isListed = false;
  private isChanged = false;
  private listed: Promise<void> | undefined;
  private count = 0;
  /** Is told the name that the client gives itself. */
  onClientName: ((name: string) => void) | undefined;

  constructor(
    private readonly gate: ToolGate,
    private readonly book: ToolBook,
    private readonly ends: Ends,
    private readonly options: ProxyOptions = {},
  ) {}

  /** The client has sent `bytes`: one message. */
  fromClient(bytes: Buffer): void {
    let messages: Message[];
    try {
      messages = readMessages(bytes);
    } catch (error) {
      // What cannot be read must not reach a server that reads it after all.
      const { code, message } = error instanceof UnreadableMessageError ? error : unexpected(error);
      this.answer(errorMessage(null, code, message));
      return;
    }
    // Some readers of lines take a carriage return for the end of one; in JSON it is only space.
    const text = bytes.includes(13) ? bytes.toString().replaceAll('\r', ' ') : bytes;
    const hasCall = messages.some((message) => message['method'] === 'tools/call');
    if (!hasCall) {
      for (const message of messages) this.note(message);
      if (messages.length > 0 && !messages.every((message) => this.isOver(message))) this.ends.toServer(text);
      return;
    }
    for (const message of messages) {
      if (message['method'] === 'tools/call') {
        void this.call(message, messages.length === 1 ? text : JSON.stringify(message));
      } else {
        this.note(message);
        if (!this.isOver(message)) this.ends.toServer(JSON.stringify(message));
      }
    }
  }

  /** The server has sent `text`: one message, whatever it is. */
  fromServer(bytes: Buffer): void {
    const mayMatter = this.listing.size > 0 || this.own.size > 0 || bytes.includes('list_changed');
    if (mayMatter && this.isOwn(bytes)) return;
    this.ends.toClient(bytes);
  }

  /** The client or the server has gone: nobody waits for an answer any more. */
  close(): void {
    for (const controller of this.asking.values()) controller.abort(new Error('the client has gone'));
    for (const settle of this.own.values()) settle({});
    this.own.clear();
  }

  /** Remembers what the answers to a message of the client will be about. */
  private note(message: Message): void {
    if (!isRequest(message)) return;
    if (message.method === 'initialize') {
      const info = message.params?.['clientInfo'];
      const name = isObject(info) ? info['name'] : undefined;
      if (typeof name === 'string' && name.trim() !== '') this.onClientName?.(name);
    }
    if (message.method !== 'tools/list') return;
    const cursor = isObject(message.params) ? message.params['cursor'] : undefined;
    this.listing.set(String(message.id), cursor === undefined);
  }

  /** Whether `message` cancels a call that the server has not seen. */
  private isOver(message: Message): boolean {
    if (message['method'] !== 'notifications/cancelled' || !isObject(message['params'])) return false;
    const controller = this.asking.get(String(message['params']['requestId']));
    controller?.abort(new Error('the client has cancelled the call'));
    return controller !== undefined;
  }

  private async call(message: Message, text: string | Buffer): Promise<void> {
    // Without an id it is no request, and no answer could tell why it did not run.
    if (!isRequest(message)) {
      const id = isRequestId(message['id']) ? message['id'] : null;
      return this.answer(
        errorMessage(id, INVALID_REQUEST, 'A call of a tool needs an id. It was not forwarded.'),
      );
    }
    const { id, params } = message;
    const key = String(id);
    if (this.asking.has(key)) {
      return this.answer(errorMessage(id, INVALID_REQUEST, 'Another call with this id is open.'));
    }
    const abort = new AbortController();
    this.asking.set(key, abort);
    try {
      const answer = await this.decided(message, abort.signal);
      this.asking.delete(key);
      if (answer === undefined || abort.signal.aborted) return;
      if ('refused' in answer) this.answer(answer.refused);
      else
        this.ends.toServer(
          answer.params === params ? text : JSON.stringify({ ...message, params: answer.params }),
        );
    } catch (error) {
      this.asking.delete(key);
      // A cancelled request has no answer.
      if (abort.signal.aborted) return;
      const { code, message: why } =
        error instanceof InvalidCallError
          ? { code: INVALID_PARAMS, message: error.message }
          : unexpected(error);
      this.answer(errorMessage(id, code, why));
    }
  }

  private async decided(
    message: Request,
    signal: AbortSignal,
  ): Promise<{ refused: Message } | { params: Record<string, unknown> }> {
    const { id, params } = message;
    const name = params?.['name'];
    const args = params?.['arguments'] ?? {};
    const meta = params?.['_meta'];
    if (params === undefined || typeof name !== 'string' || !isObject(args)) {
      throw new InvalidCallError('A call of a tool has a name and arguments that are an object.');
    }
    if (!this.isListed) await this.listTools();
    const entry = this.book.entry(name);
    const call = { name, arguments: args, ...(isObject(meta) ? { meta } : {}) };
    const { pendingAfter, denial } = this.options;
    const deciding = this.gate.decide(call, entry, {
      signal,
      ...(pendingAfter === undefined ? {} : { pendingAfter }),
    });
    const token = isObject(meta) ? meta['progressToken'] : undefined;
    const stop = isRequestId(token) ? keepTelling(token, (text) => this.ends.toClient(text)) : undefined;
    const verdict = await deciding.finally(stop);
    if (verdict.runs) return { params: paramsOf(params, verdict) };
    return { refused: refusedMessage(id, params, verdict, entry, denial) };
  }

  /** Lists the server's tools, without the client hearing of it. */
  private listTools(): Promise<void> {
    this.listed ??= this.readPages().finally(() => (this.listed = undefined));
    return this.listed;
  }

  private async readPages(): Promise<void> {
    // Whoever calls meanwhile waits; a change that is told meanwhile counts.
    this.isChanged = false;
    await this.readEachPage();
    this.isListed = !this.isChanged;
  }

  private async readEachPage(): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await this.ask('tools/list', cursor === undefined ? {} : { cursor });
      const result = isObject(answer['result']) ? answer['result'] : undefined;
      if (result === undefined) return;
      this.book.listed(toolsOf(result), page === 0);
      cursor = result['nextCursor'];
      if (typeof cursor !== 'string') return;
    }
  }

  private ask(method: string, params: object): Promise<Message> {
    this.count += 1;
    const id = `handraise:${method}:${this.count}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({}), LONGEST_LISTING);
      const settle = (answer: Message) => {
        clearTimeout(timer);
        this.own.delete(id);
        resolve(answer);
      };
      this.own.set(id, settle);
      this.ends.toServer(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Looks at a message of the server; says whether it is for the proxy alone. */
  private isOwn(bytes: Buffer): boolean {
    let message: unknown;
    try {
      message = JSON.parse(bytes.toString());
    } catch {
      return false;
    }
    if (Array.isArray(message)) {
      for (const one of message) if (isObject(one)) this.learn(one);
      return false;
    }
    return isObject(message) && this.learn(message);
  }

  private learn(message: Message): boolean {
    if (message['method'] === 'notifications/tools/list_changed') {
      this.isListed = false;
      this.isChanged = true;
    }
    if (message['method'] !== undefined || !isRequestId(message['id'])) return false;
    const key = String(message['id']);
    const settle = this.own.get(key);
    if (settle !== undefined) {
      settle(message);
      return true;
    }
    const isFirst = this.listing.get(key);
    if (isFirst === undefined) return false;
    this.listing.delete(key);
    if (isObject(message['result'])) {
      this.book.listed(toolsOf(message['result']), isFirst);
      // A client that reads the first of several pages only has still not seen the rest.
      if (typeof message['result']['nextCursor'] !== 'string') this.isListed = true;
    }
    return false;
  }

  private answer(message: Message): void {
    this.ends.toClient(JSON.stringify(message));
  }
}

/** What is forwarded: `params` themselves where nothing was changed. */
export function paramsOf(
  params: Record<string, unknown>,
  verdict: Extract<Verdict, { runs: true }>,
): Record<string, unknown> {
  if (!verdict.isChanged) return params;
  const { _meta: meta, ...rest } = params;
  const kept = isObject(meta) ? Object.entries(meta).filter(([name]) => name !== TOKEN_META) : [];
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }),
    arguments: verdict.arguments,
  };
}

/** The answer to a call that does not run. */
export function refusedMessage(
  id: RequestId,
  params: Record<string, unknown>,
  { refusal }: Extract<Verdict, { runs: false }>,
  entry: Entry,
  denial: DenialForm | undefined,
): Message {
  // Who asked for a task expects one: a plain result would not be understood, an error is.
  if (isObject(params['task'])) return errorMessage(id, INVALID_REQUEST, refusalText(refusal));
  return resultMessage(id, refusalResult(refusal, entry.definition, denial));
}

function unexpected(error: unknown): { code: number; message: string } {
  const why = error instanceof Error ? error.message : String(error);
  return { code: INTERNAL_ERROR, message: `The call was denied, because the gate failed: ${why}` };
}
