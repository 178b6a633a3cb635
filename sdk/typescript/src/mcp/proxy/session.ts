import { randomUUID } from 'node:crypto';

import { isObject } from '../../json.js';
import { type CallParams, callOf } from '../call-params.js';
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
import { metaOf, revisionOf } from '../revision.js';
import { type Entry, type ToolBook, withConcern } from '../tool-book.js';
import { InvalidCallError, TOKEN_META, type ToolGate, type CallClearance } from '../tool-gate.js';
import { keepTelling } from './progress.js';
import { Rounds } from './rounds.js';

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
const MAX_PAGES = 100;
/** How long the server may take to list its tools, in milliseconds. */
const MAX_LISTING = 10_000;
/** Calls at the server whose answers are looked at; the oldest is forgotten first. */
const MAX_RUNNING = 1000;
/** One client, one conversation. */
const SESSION = '';

/**
 * One client and one server, with the gate between them. Every message passes as it came, byte for byte,
 * but for `tools/call`, which passes when it is approved.
 */
export class ProxySession {
  /** Calls that a person is being asked about, by their ids. */
  private readonly asking = new Map<string, AbortController>();
  /** Requests of the client for lists of tools, by their ids, with whether it is a first page. */
  private readonly listing = new Map<string, boolean>();
  /** Calls of revisions in which the server may ask something back, by their ids. */
  private readonly running = new Map<string, CallParams>();
  private readonly rounds = new Rounds();
  /** Requests of the proxy itself. */
  private readonly own = new Map<string, (answer: Message) => void>();
  private isListed = false;
  private isChanged = false;
  private listed: Promise<void> | undefined;
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
      messages.forEach(revisionOf);
      this.refuseUsedIds(messages);
    } catch (error) {
      // What cannot be read must not reach a server that reads it after all.
      const refusal = error instanceof UnreadableMessageError ? error : unexpected(error);
      this.answer(errorMessage(null, refusal.code, refusal.message, refusal.data));
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
    const mayMatter =
      this.listing.size > 0 ||
      this.own.size > 0 ||
      this.asking.size > 0 ||
      bytes.includes('list_changed') ||
      (this.running.size > 0 && bytes.includes('input_required'));
    const text = mayMatter ? this.forClient(bytes) : bytes;
    if (text !== undefined) this.ends.toClient(text);
  }

  /** The client or the server has gone: nobody waits for an answer any more. */
  close(): void {
    for (const controller of this.asking.values()) controller.abort(new Error('the client has gone'));
    for (const settle of this.own.values()) settle({});
    this.own.clear();
  }

  /** Of two requests with one id, nobody knows which one an answer is for. */
  private refuseUsedIds(messages: Message[]): void {
    const ids = messages.filter(isRequest).map(({ id }) => keyOf(id));
    const isUsed = (key: string, at: number) =>
      this.listing.has(key) || this.asking.has(key) || ids.indexOf(key) !== at;
    if (ids.some(isUsed)) {
      throw new UnreadableMessageError(INVALID_REQUEST, 'Another request with this id is open.');
    }
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
    this.listing.set(keyOf(message.id), cursor === undefined);
  }

  /** Whether `message` cancels a call that the server has not seen. */
  private isOver(message: Message): boolean {
    if (message['method'] !== 'notifications/cancelled' || !isObject(message['params'])) return false;
    const controller = this.asking.get(keyOf(message['params']['requestId']));
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
    const key = keyOf(id);
    const abort = new AbortController();
    this.asking.set(key, abort);
    try {
      const call = callOf(message);
      const answer = await this.decided(message, call, abort.signal);
      this.asking.delete(key);
      if (abort.signal.aborted) return;
      if ('refused' in answer) return this.answer(answer.refused);
      this.forwarded(key, call);
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
    { id, params = {} }: Request,
    call: CallParams,
    signal: AbortSignal,
  ): Promise<{ refused: Message } | { params: Record<string, unknown> }> {
    if (!this.isListed) await this.listTools(call.revision);
    const entry = withConcern(listedEntry(this.book, call.name), this.rounds.concern(SESSION, call));
    const { pendingAfter, denial } = this.options;
    const deciding = this.gate.decide(call, entry, {
      signal,
      ...(pendingAfter === undefined ? {} : { pendingAfter }),
    });
    const { progressToken: token } = call;
    const stop = token === undefined ? undefined : keepTelling(token, (text) => this.ends.toClient(text));
    const verdict = await deciding.finally(stop);
    if (verdict.runs) return { params: paramsOf(params, verdict) };
    return { refused: refusedMessage(id, params, verdict, entry, denial, call.revision) };
  }

  private forwarded(key: string, call: CallParams): void {
    this.rounds.used(SESSION, call);
    if (call.revision === undefined) return;
    this.running.set(key, call);
    const oldest = this.running.keys().next().value;
    if (this.running.size > MAX_RUNNING && oldest !== undefined) this.running.delete(oldest);
  }

  /** Lists the server's tools, without the client hearing of it. */
  private listTools(revision: string | undefined): Promise<void> {
    this.listed ??= this.readPages(revision).finally(() => (this.listed = undefined));
    return this.listed;
  }

  private async readPages(revision: string | undefined): Promise<void> {
    // Whoever calls meanwhile waits; a change that is told meanwhile counts.
    this.isChanged = false;
    await this.readEachPage(revision);
    this.isListed = !this.isChanged;
  }

  private async readEachPage(revision: string | undefined): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = { ...(cursor === undefined ? {} : { cursor }), ...metaOf(revision) };
      const answer = await this.ask('tools/list', params);
      const result = isObject(answer['result']) ? answer['result'] : undefined;
      // What was listed before may have changed since.
      if (result === undefined) return this.book.forget();
      this.book.listed(toolsOf(result), page === 0);
      cursor = result['nextCursor'];
      if (typeof cursor !== 'string') return;
    }
  }

  private ask(method: string, params: object): Promise<Message> {
    // The client cannot guess it, and so not send a request under it whose answer would be taken for this one.
    const id = `handraise:${randomUUID()}`;
    const key = keyOf(id);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({}), MAX_LISTING);
      const settle = (answer: Message) => {
        clearTimeout(timer);
        this.own.delete(key);
        resolve(answer);
      };
      this.own.set(key, settle);
      this.ends.toServer(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Looks at a message of the server; gives what of it is for the client. */
  private forClient(bytes: Buffer): Buffer | string | undefined {
    let message: unknown;
    try {
      message = JSON.parse(bytes.toString());
    } catch {
      return bytes;
    }
    if (!Array.isArray(message)) return isObject(message) && this.learn(message) ? undefined : bytes;
    const left = message.filter((one) => !(isObject(one) && this.learn(one)));
    if (left.length === message.length) return bytes;
    return left.length === 0 ? undefined : JSON.stringify(left);
  }

  /** Learns from a message of the server; says whether it is not for the client. */
  private learn(message: Message): boolean {
    if (message['method'] === 'notifications/tools/list_changed') {
      this.isListed = false;
      this.isChanged = true;
    }
    if (message['method'] !== undefined || !isRequestId(message['id'])) return false;
    const key = keyOf(message['id']);
    const settle = this.own.get(key);
    if (settle !== undefined) {
      settle(message);
      return true;
    }
    // The server has not seen this call, and cannot answer it.
    if (this.asking.has(key)) return true;
    const call = this.running.get(key);
    if (call !== undefined) this.rounds.answered(SESSION, call, message['result']);
    this.running.delete(key);
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
  verdict: Extract<CallClearance, { runs: true }>,
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
  { refusal }: Extract<CallClearance, { runs: false }>,
  entry: Entry,
  denial: DenialForm | undefined,
  revision: string | undefined,
): Message {
  // Who asked for a task expects one: a plain result would not be understood, an error is.
  if (isObject(params['task'])) return errorMessage(id, INVALID_REQUEST, refusalText(refusal));
  return resultMessage(id, refusalResult(refusal, entry.definition, denial, revision));
}

/**
 * What is known about the tool called `name`.
 *
 * @throws InvalidCallError for another spelling of a tool that the server lists: the policy would be asked
 * about one tool, and the server might run the other.
 */
export function listedEntry(book: ToolBook, name: string): Entry {
  const other = book.alike(name);
  if (other === undefined) return book.entry(name);
  throw new InvalidCallError(
    `The server lists no tool ${JSON.stringify(name)}, but ${JSON.stringify(other)}.`,
  );
}

/** Ids are compared with their kind: `1` is not `"1"`. */
function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

function unexpected(error: unknown): { code: number; message: string; data?: unknown } {
  const why = error instanceof Error ? error.message : String(error);
  return { code: INTERNAL_ERROR, message: `The call was denied, because the gate failed: ${why}` };
}
