import { randomUUID } from 'node:crypto';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';

import type { Client } from '../../index.js';
import { isObject } from '../../json.js';
import { type CallParams, callOf } from '../call-params.js';
import { toolsOf } from '../definitions.js';
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRequest,
  type Message,
  readMessages,
  type Request,
  UnreadableMessageError,
} from '../json-rpc.js';
import { metaOf } from '../revision.js';
import { type ToolBook, withConcern } from '../tool-book.js';
import { type CallContext, InvalidCallError, ToolGate } from '../tool-gate.js';
import { ownHeaders, passedOn, refuseDisagreement, refuseOtherArguments, withArguments } from './headers.js';
import { fail, HttpAnswer } from './http-answer.js';
import { answerIn, bodyOf, isForm, isJson } from './http-body.js';
import { HttpSessions } from './http-sessions.js';
import { keepTelling } from './progress.js';
import { Rounds } from './rounds.js';
import { listedEntry, paramsOf, type ProxyOptions, refusedMessage } from './session.js';

/** What calls are decided with. */
export interface Deciding {
  client: Client;
  book: ToolBook;
  /** Without a session: many clients may use one proxy. */
  context: Omit<CallContext, 'session'>;
  options: ProxyOptions;
}

/** A request of a client with what is known of it. */
interface Incoming {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  /** The session that it is of, where that is proved. */
  session: string | undefined;
}

/** What is looked at of an answer: called whenever there is more of it, with all that has come. */
type Look = (text: string, type: string, isWhole: boolean) => void;

/** Pages of `tools/list` that are read at most. */
const MAX_PAGES = 100;
/** Largest answer that is looked at, in bytes. */
const MAX_LOOK = 32 * 1024 * 1024;
const CHANGED = 'list_changed';

/** One server behind HTTP, with the gate before `tools/call`. */
export class HttpProxy {
  port = 0;
  private isListed = false;
  private listing: Promise<void> | undefined;
  /** Calls that a person is being asked about, by session and id; those of no session cannot be told apart. */
  private readonly asking = new Map<string, AbortController>();
  private readonly sessions = new HttpSessions();
  private readonly rounds = new Rounds();
  private readonly gate: ToolGate;

  constructor(
    private readonly target: URL,
    private readonly deciding: Deciding,
  ) {
    this.gate = new ToolGate(deciding.client, deciding.context);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, message: string) =>
      fail(response, status, { code: INVALID_REQUEST, message });
    if (!this.isFromHere(request.headers)) {
      return refuse(403, 'Requests of web pages and for other hosts are refused.');
    }
    if (request.headers['content-encoding'] !== undefined) {
      return refuse(415, 'Send the message without Content-Encoding.');
    }
    const body = await bodyOf(request);
    if (body === undefined) return refuse(413, 'The message is too large.');
    const incoming = { request, response, body, session: this.sessions.of(request.headers) };
    const isElsewhere = new URL(request.url ?? '/', this.target).pathname !== this.target.pathname;
    try {
      // Forms are for the server's own sign-in, which lies beside the endpoint.
      if (body.length === 0 || (isElsewhere && isForm(request, body))) {
        refuseDisagreement(request.headers, []);
        return await this.pass(incoming);
      }
      if (request.method !== 'POST') return refuse(405, 'Messages are sent with POST.');
      if (!isJson(request)) return refuse(415, 'Send the message as application/json, in UTF-8.');
      const messages = readMessages(body);
      refuseDisagreement(request.headers, messages);
      return await this.messages(messages, incoming);
    } catch (error) {
      if (!(error instanceof UnreadableMessageError)) throw error;
      return fail(response, 400, error);
    }
  }

  private messages(messages: Message[], incoming: Incoming): Promise<void> {
    const { request, response, body, session } = incoming;
    const [message] = messages;
    if (messages.some((one) => one['method'] === 'tools/call')) {
      const refuse = (words: string) => {
        fail(response, 400, { code: INVALID_REQUEST, message: words });
        return Promise.resolve();
      };
      if (message === undefined || messages.length > 1 || body.toString().trimStart().startsWith('[')) {
        return refuse('Send calls of tools one by one, not in a batch.');
      }
      return isRequest(message) ? this.call(message, incoming) : refuse('A call of a tool needs an id.');
    }
    for (const { method, params } of messages) {
      if (method !== 'notifications/cancelled' || !isObject(params) || session === undefined) continue;
      const open = this.asking.get(keyOf(session, params['requestId']));
      if (open === undefined) continue;
      open.abort(new Error('the client has cancelled the call'));
      response.writeHead(202).end();
      return Promise.resolve();
    }
    const opening = messages.some(({ method }) => method === 'initialize');
    const list = messages.find((one): one is Request => isRequest(one) && one.method === 'tools/list');
    const look: Look | undefined =
      list === undefined
        ? undefined
        : (text, type, isWhole) => {
            if (isWhole) this.learn(answerIn(text, type, list), list.params?.['cursor'] === undefined);
          };
    return this.pass(incoming, {
      ...(look === undefined ? {} : { look }),
      ...(opening ? { opened: (answer) => this.sessions.opened(request.headers, answer) } : {}),
    });
  }

  private async call(message: Request, incoming: Incoming): Promise<void> {
    const { id, params } = message;
    const { request, response, session } = incoming;
    // Without a session nobody can tell whose call of this id it is: every one is its own.
    const key = session === undefined ? randomUUID() : keyOf(session, id);
    if (this.asking.has(key)) {
      return fail(response, 400, { code: INVALID_REQUEST, message: 'Another call with this id is open.' });
    }
    const abort = new AbortController();
    const gone = () => abort.abort(new Error('the client has gone'));
    response.once('close', gone);
    this.asking.set(key, abort);
    const answer = new HttpAnswer(request, response);
    try {
      const call = callOf(message);
      const outcome = await this.decided(message, call, incoming, abort.signal, answer);
      this.asking.delete(key);
      response.off('close', gone);
      if ('refused' in outcome) return answer.end(outcome.refused);
      this.rounds.used(session ?? '', call);
      const isSame = outcome.params === params;
      const body = isSame
        ? incoming.body
        : Buffer.from(JSON.stringify({ ...message, params: outcome.params }));
      const look: Look | undefined =
        call.revision === undefined
          ? undefined
          : (text, type) => {
              if (!text.includes('input_required')) return;
              this.rounds.answered(session ?? '', call, answerIn(text, type, message));
            };
      const { headers = request.headers } = outcome;
      const passing = { ...incoming, body };
      if (!answer.isStream)
        return await this.pass(passing, { headers, ...(look === undefined ? {} : { look }) });
      return await this.passInto(answer, message, passing, headers, look);
    } catch (error) {
      this.asking.delete(key);
      if (error instanceof UnreadableMessageError && !response.headersSent)
        return fail(response, 400, error, id);
      const why = error instanceof Error ? error.message : String(error);
      const code = error instanceof InvalidCallError ? INVALID_PARAMS : INTERNAL_ERROR;
      answer.end(
        errorMessage(id, abort.signal.aborted ? INVALID_REQUEST : code, `The call did not run: ${why}`),
      );
    }
  }

  private async decided(
    { id, params = {} }: Request,
    call: CallParams,
    { request: { headers }, session }: Incoming,
    signal: AbortSignal,
    answer: HttpAnswer,
  ): Promise<{ refused: Message } | { params: Record<string, unknown>; headers?: IncomingHttpHeaders }> {
    if (!this.isListed) {
      this.listing ??= this.list(headers, call.revision).finally(() => (this.listing = undefined));
      await this.listing;
    }
    const { book, options } = this.deciding;
    const listed = listedEntry(book, call.name);
    refuseOtherArguments(headers, call, listed.definition);
    const entry = withConcern(listed, this.rounds.concern(session ?? '', call));
    const { pendingAfter, denial } = options;
    const { progressToken: token } = call;
    const stop = keepTelling(token ?? '', (text) =>
      token === undefined ? answer.comment() : answer.event(text),
    );
    const wait = { signal, ...(pendingAfter === undefined ? {} : { pendingAfter }) };
    const verdict = await this.gate.in(session).decide(call, entry, wait).finally(stop);
    if (!verdict.runs) {
      return { refused: refusedMessage(id, params, verdict, entry, denial, call.revision) };
    }
    const forwarded = paramsOf(params, verdict);
    if (forwarded === params) return { params };
    return { params: forwarded, headers: withArguments(headers, verdict.arguments, entry.definition) };
  }

  /** Lists the server's tools with the client's credentials, in its session. */
  private async list(headers: IncomingHttpHeaders, revision: string | undefined): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = { ...(cursor === undefined ? {} : { cursor }), ...metaOf(revision) };
      const list = { jsonrpc: '2.0', id: `handraise:${randomUUID()}`, method: 'tools/list', params };
      const sent = ownHeaders(headers, list.method, revision);
      const upstream = await this.send('POST', this.target, sent, Buffer.from(JSON.stringify(list)));
      const text = (await bodyOf(upstream))?.toString() ?? '';
      const result = answerIn(text, upstream.headers['content-type'] ?? '', list);
      // What was listed before may have changed since.
      if (result === undefined) return this.deciding.book.forget();
      cursor = this.learn(result, page === 0);
      if (cursor === undefined) return;
    }
  }

  private learn(result: Record<string, unknown> | undefined, isFirst: boolean): string | undefined {
    if (result === undefined) return undefined;
    this.deciding.book.listed(toolsOf(result), isFirst);
    const next = typeof result['nextCursor'] === 'string' ? result['nextCursor'] : undefined;
    if (next === undefined) this.isListed = true;
    return next;
  }

  /** Passes a request and its answer. */
  private async pass(
    { request, response, body }: Incoming,
    how: {
      headers?: IncomingHttpHeaders;
      look?: Look;
      opened?: (answer: IncomingHttpHeaders) => void;
    } = {},
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const { headers = request.headers, look, opened } = how;
    const upstream = await this.send(method, new URL(request.url ?? '/', this.target), headers, body);
    response.once('close', () => upstream.destroy());
    const status = upstream.statusCode ?? 502;
    if (status < 300) opened?.(upstream.headers);
    if (status === 404 || (method === 'DELETE' && status < 300)) this.sessions.ended(request.headers);
    response.writeHead(status, passedOn(upstream.headers));
    response.flushHeaders();
    this.observe(upstream, look);
    upstream.on('error', () => response.destroy());
    upstream.pipe(response);
  }

  /** Passes a request whose answer has begun as a stream, because a person was asked for long. */
  private async passInto(
    answer: HttpAnswer,
    message: Request,
    { request, body }: Incoming,
    headers: IncomingHttpHeaders,
    look: Look | undefined,
  ): Promise<void> {
    const upstream = await this.send('POST', new URL(request.url ?? '/', this.target), headers, body);
    const type = upstream.headers['content-type'] ?? '';
    if (upstream.statusCode === 200 && type.startsWith('text/event-stream')) {
      this.observe(upstream, look);
      return answer.pipe(upstream);
    }
    const text = (await bodyOf(upstream))?.toString() ?? '';
    look?.(text, type, true);
    if (upstream.statusCode === 200) return answer.endWith(text);
    const words = `The server answered with HTTP status ${upstream.statusCode}.`;
    answer.end(errorMessage(message.id, INTERNAL_ERROR, words));
  }

  /** Looks at an answer while it passes. */
  private observe(upstream: IncomingMessage, look: Look | undefined): void {
    const type = upstream.headers['content-type'] ?? '';
    const seen: Buffer[] = [];
    let size = 0;
    let end = '';
    upstream.on('data', (chunk: Buffer) => {
      // The words may stand across two pieces.
      const text = end + chunk.toString('latin1');
      end = text.slice(1 - CHANGED.length);
      if (text.includes(CHANGED)) this.isListed = false;
      size += chunk.length;
      if (look === undefined || size > MAX_LOOK) return;
      seen.push(chunk);
      // A client may go on as soon as it has read what it waits for, before the stream has ended.
      if (seen.length < 64) look(Buffer.concat(seen).toString(), type, false);
    });
    upstream.on('end', () => look?.(Buffer.concat(seen).toString(), type, true));
  }

  private send(
    method: string,
    url: URL,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): Promise<IncomingMessage> {
    const rest = passedOn(headers);
    // The origin was checked here, and names this proxy; the others are those of another connection.
    for (const name of ['host', 'origin', 'content-length', 'accept-encoding']) delete rest[name];
    const fields = { ...rest, ...(body.length === 0 ? {} : { 'content-length': String(body.length) }) };
    // Whatever the client writes in its request line, it is this server that is asked.
    const address = new URL(`${url.pathname}${url.search}`, this.target.origin);
    const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const sent = send(address, { method, headers: fields }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  private isFromHere({ host, origin }: IncomingHttpHeaders): boolean {
    const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${this.port}`);
    if (host === undefined || !own.includes(host)) return false;
    return origin === undefined || own.some((name) => origin === `http://${name}`);
  }
}

/** Ids are compared with their kind: `1` is not `"1"`. */
function keyOf(session: string, id: unknown): string {
  return JSON.stringify([session, id]);
}
