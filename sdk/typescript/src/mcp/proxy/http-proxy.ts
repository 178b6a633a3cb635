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
import { refusedAnswer } from '../answer-check.js';
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isGated,
  isRequest,
  type Message,
  readMessages,
  type Request,
  UnreadableMessageError,
} from '../json-rpc.js';
import { askingEverything, modesIn } from '../elicitation/modes.js';
import {
  type Elicited,
  goingOn,
  type InputRequired,
  type ServerQuestions,
} from '../elicitation/questions.js';
import { clientNameOf, revisionOf } from '../revision.js';
import type { ToolBook } from '../tool-book.js';
import { type CallContext, InvalidCallError, ToolGate } from '../tool-gate.js';
import { ToolList } from '../tool-list.js';
import { type Asked, Deciding, type DecidingOptions, type Forwarded } from './deciding.js';
import { ownHeaders, passedOn, refuseDisagreement, refuseOtherArguments, withArguments } from './headers.js';
import type { Caller } from './caller.js';
import { fail, HttpAnswer } from './http-answer.js';
import { answerIn, bodyOf, isForm, isJson } from './http-body.js';
import { HttpClients } from './http-clients.js';
import { HttpSessions } from './http-sessions.js';
import { PartAnswers } from './part-answers.js';
import { keepTelling } from './progress.js';
import { type Look, relay } from './relay.js';

/** What calls are decided with. */
export interface DecidedWith {
  client: Client;
  book: ToolBook;
  /** Without a session: many clients may use one proxy. */
  context: Omit<CallContext, 'session'>;
  options: DecidingOptions;
  /** Asks the person here, too, what the server wants to know. */
  questions?: ServerQuestions;
}

/** A request of a client. */
interface Incoming {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

/** A request that names its revision, as it is passed on. */
interface Passed {
  message: Request;
  caller: Caller;
  params: Record<string, unknown>;
  headers: IncomingHttpHeaders;
}

/** How a request and its answer are passed on. */
interface Passing {
  headers?: IncomingHttpHeaders;
  /** Is shown the headers of an answer that says that all went well. */
  opened?: (answer: IncomingHttpHeaders) => void;
}

const CHANGED = 'list_changed';

/** One server behind HTTP, with the gate before `tools/call`. */
export class HttpProxy {
  port = 0;
  /** Calls that a person is being asked about, by session and id; those of no session cannot be told apart. */
  private readonly asking = new Map<string, AbortController>();
  private readonly sessions = new HttpSessions();
  private readonly clients = new HttpClients(this.sessions);
  private readonly list: ToolList;
  private readonly deciding: Deciding;
  private readonly partAnswers = new PartAnswers();

  constructor(
    private readonly target: URL,
    private readonly decided: DecidedWith,
  ) {
    const { client, book, context, options } = decided;
    this.list = new ToolList(book);
    this.deciding = new Deciding(new ToolGate(client, context), book, options);
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
    const incoming = { request, response, body };
    let messages: Message[] = [];
    const isElsewhere = new URL(request.url ?? '/', this.target).pathname !== this.target.pathname;
    try {
      // Forms are for the server's own sign-in, which lies beside the endpoint.
      if (body.length === 0 || (isElsewhere && isForm(request, body))) {
        refuseDisagreement(request.headers, []);
        return await this.pass(incoming);
      }
      if (request.method !== 'POST') return refuse(405, 'Messages are sent with POST.');
      if (!isJson(request)) return refuse(415, 'Send the message as application/json, in UTF-8.');
      messages = readMessages(body);
      refuseDisagreement(request.headers, messages);
      return await this.messages(messages, incoming);
    } catch (error) {
      if (!(error instanceof UnreadableMessageError)) throw error;
      const [message] = messages;
      const isOne = messages.length === 1 && message !== undefined && isRequest(message);
      return fail(response, 400, error, isOne ? message.id : null);
    }
  }

  private messages(messages: Message[], incoming: Incoming): Promise<void> {
    const { request, response, body } = incoming;
    const [message] = messages;
    if (messages.some((one) => isGated(one['method']))) {
      const refuse = (words: string) => {
        fail(response, 400, { code: INVALID_REQUEST, message: words });
        return Promise.resolve();
      };
      if (message === undefined || messages.length > 1 || body.toString().trimStart().startsWith('[')) {
        return refuse('Send calls of tools one by one, not in a batch.');
      }
      return isRequest(message) ? this.call(message, incoming) : refuse('A call of a tool needs an id.');
    }
    if (messages.length === 1 && message !== undefined && isRequest(message)) {
      // What is listed is looked at before the client learns of it.
      const isLooked = revisionOf(message) !== undefined || message.method === 'tools/list';
      if (isLooked) return this.request(message, incoming);
    }
    const session = this.sessions.of(request.headers);
    for (const { method, params } of messages) {
      if (method !== 'notifications/cancelled' || !isObject(params) || session === undefined) continue;
      const open = this.asking.get(keyOf(session, params['requestId']));
      if (open === undefined) continue;
      open.abort(new Error('the client has cancelled the call'));
      response.writeHead(202).end();
      return Promise.resolve();
    }
    const opening = messages.some(({ method }) => method === 'initialize');
    return this.pass(
      incoming,
      opening ? { opened: (answer) => this.sessions.opened(request.headers, answer) } : {},
    );
  }

  private async call(message: Request, incoming: Incoming): Promise<void> {
    const { id } = message;
    const { request, response } = incoming;
    const isModern = revisionOf(message) !== undefined;
    const caller = this.clients.of(request, isModern);
    const session = isModern ? undefined : caller.conversation;
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
      const call = this.deciding.callOf(message, caller);
      const reader = isModern ? (request.headers.authorization ?? '') : '';
      const relist = async () => {
        if (!this.list.countsFor(reader)) await this.listTools(reader, request.headers, call.revision);
      };
      await relist();
      const asked = { message, call, caller, signal: abort.signal, relist };
      const { definition } = this.decided.book.entry(call.name);
      // What is typed into a task has no arguments of its own.
      if (call.task === undefined) refuseOtherArguments(request.headers, call, definition);
      const outcome = await this.deciding.decide(asked, (text) => answer.tell(text));
      this.asking.delete(key);
      response.off('close', gone);
      if ('refused' in outcome) return answer.end(outcome.refused);
      await this.forward(asked, outcome, incoming, answer);
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

  /** Passes a call that was approved, and its answer. */
  private async forward(
    asked: Asked,
    forwarded: Forwarded,
    incoming: Incoming,
    answer: HttpAnswer,
  ): Promise<void> {
    const { message, call } = asked;
    const { headers: given } = incoming.request;
    const isSame = forwarded.params === message.params;
    const body = isSame
      ? incoming.body
      : Buffer.from(JSON.stringify({ ...message, params: forwarded.params }));
    const { arguments: args, definition } = forwarded;
    const headers = isSame ? given : withArguments(given, args, definition);
    if (call.revision === undefined && !answer.isStream) return this.pass({ ...incoming, body }, { headers });
    const passed = { message, caller: asked.caller, params: forwarded.params, headers };
    await this.exchange(passed, { ...incoming, body }, answer, (one) => {
      this.notice(one);
      if (one['method'] !== undefined || one['id'] !== message.id) return one;
      if (call.revision === undefined) return one;
      const refused = refusedAnswer(message, one);
      if (refused === undefined) this.deciding.answered(asked, forwarded, one['result']);
      return refused ?? one;
    });
  }

  /** Passes a request whose answer is looked at: it names its revision, or lists the tools. */
  private async request(message: Request, incoming: Incoming): Promise<void> {
    const { request, response } = incoming;
    const { told } = this.list;
    const revision = revisionOf(message);
    const caller = this.clients.of(request, revision !== undefined);
    const look: Look = (one) => {
      this.notice(one);
      if (one['method'] !== undefined || one['id'] !== message.id) return one;
      const refused = revision === undefined ? undefined : refusedAnswer(message, one);
      if (refused !== undefined) return refused;
      this.deciding.told(caller, message, one['result']);
      if (message.method === 'tools/list' && isObject(one['result'])) {
        const isFirst = message.params?.['cursor'] === undefined;
        const reader = revision === undefined ? '' : (request.headers.authorization ?? '');
        this.list.listed(one['result'], { isFirst, revision, reader, told });
      }
      return one;
    };
    const passed = { message, caller, params: message.params ?? {}, headers: request.headers };
    await this.exchange(passed, incoming, new HttpAnswer(request, response), look);
  }

  /** Passes a request and its answer. What the server asks in its middle is asked here first, where that is wanted. */
  private async exchange(passed: Passed, incoming: Incoming, answer: HttpAnswer, look: Look): Promise<void> {
    const { message, caller, headers } = passed;
    const { questions } = this.decided;
    if (questions === undefined || revisionOf(message) === undefined) {
      return relay(await this.sent(incoming, headers), message, answer, look);
    }
    const given: Request = passed.params === message.params ? message : { ...message, params: passed.params };
    const asking = askingEverything(given);
    let params = this.partAnswers.completed(caller, message, asking.params);
    // What stays as it is passes byte for byte.
    const isSame = asking === given && params === asking.params;
    let body = isSame ? incoming.body : Buffer.from(JSON.stringify({ ...asking, params }));
    for (;;) {
      const held: { answer?: Message; result?: InputRequired } = {};
      const upstream = await this.sent({ ...incoming, body }, headers);
      const lookFirst: Look = (one) => {
        const isAnswer = one['method'] === undefined && one['id'] === message.id;
        const { result } = one;
        if (!isAnswer || !questions.asksIn(result) || refusedAnswer(message, one) !== undefined)
          return look(one);
        Object.assign(held, { answer: one, result });
        return undefined;
      };
      await relay(upstream, message, answer, lookFirst, () => held.result !== undefined);
      if (held.answer === undefined || held.result === undefined) return;
      const responses = await this.askHere(questions, passed, held.result, incoming.response, answer);
      if (incoming.response.destroyed) return;
      const left =
        responses === undefined
          ? held.result
          : this.partAnswers.left(caller, message, held.result, responses);
      if (responses === undefined || left !== undefined) {
        const seen = look(held.answer) ?? held.answer;
        return answer.end(left === held.result ? seen : { ...seen, result: left });
      }
      params = goingOn(params, held.result, responses);
      body = Buffer.from(JSON.stringify({ ...message, params }));
    }
  }

  private async askHere(
    questions: ServerQuestions,
    { message, caller }: Passed,
    result: InputRequired,
    response: ServerResponse,
    answer: HttpAnswer,
  ): Promise<Record<string, Elicited> | undefined> {
    const abort = new AbortController();
    const gone = () => abort.abort(new Error('the client has gone'));
    if (response.destroyed) gone();
    response.once('close', gone);
    // A comment only: what the server itself has told of progress has to grow.
    const stop = keepTelling('', () => answer.tell(undefined));
    const agent = clientNameOf(message);
    const options = { session: caller.conversation, agent, signal: abort.signal };
    return questions.answers(result, modesIn(message), options).finally(() => {
      stop();
      response.off('close', gone);
    });
  }

  /** Lists the server's tools with the client's credentials, in its session. */
  private listTools(
    reader: string,
    headers: IncomingHttpHeaders,
    revision: string | undefined,
  ): Promise<void> {
    return this.list.read(reader, revision, async (params) => {
      const list = { jsonrpc: '2.0', id: `handraise:${randomUUID()}`, method: 'tools/list', params };
      const sent = ownHeaders(headers, list.method, revision);
      const upstream = await this.send('POST', this.target, sent, Buffer.from(JSON.stringify(list)));
      const text = (await bodyOf(upstream))?.toString() ?? '';
      return answerIn(text, upstream.headers['content-type'] ?? '', list);
    });
  }

  private notice({ method }: Message): void {
    if (typeof method === 'string' && method.includes(CHANGED)) this.list.changed();
  }

  /** Passes a request and its answer, bytes as they come. */
  private async pass(incoming: Incoming, how: Passing = {}): Promise<void> {
    const { request, response } = incoming;
    const { headers = request.headers, opened } = how;
    const upstream = await this.sent(incoming, headers);
    const status = upstream.statusCode ?? 502;
    if (status < 300) opened?.(upstream.headers);
    response.writeHead(status, passedOn(upstream.headers));
    response.flushHeaders();
    this.observe(upstream);
    upstream.on('error', () => response.destroy());
    upstream.pipe(response);
  }

  /** Looks at an answer while it passes. */
  private observe(upstream: IncomingMessage): void {
    let end = '';
    upstream.on('data', (chunk: Buffer) => {
      // The words may stand across two pieces.
      const text = end + chunk.toString('latin1');
      end = text.slice(1 - CHANGED.length);
      if (text.includes(CHANGED)) this.list.changed();
    });
  }

  /** Sends a client's request to the server; what is under way ends with the client. */
  private async sent(
    { request, response, body }: Incoming,
    headers: IncomingHttpHeaders,
  ): Promise<IncomingMessage> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const url = new URL(request.url ?? '/', this.target);
    const upstream = await this.send(request.method ?? 'GET', url, headers, body, gone.signal);
    const { statusCode: status = 502 } = upstream;
    if (status === 404 || (request.method === 'DELETE' && status < 300)) this.sessions.ended(request.headers);
    return upstream;
  }

  private send(
    method: string,
    url: URL,
    headers: IncomingHttpHeaders,
    body: Buffer,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const rest = passedOn(headers);
    // The origin was checked here, and names this proxy; the others are those of another connection.
    for (const name of ['host', 'origin', 'content-length', 'accept-encoding']) delete rest[name];
    const fields = { ...rest, ...(body.length === 0 ? {} : { 'content-length': String(body.length) }) };
    // Whatever the client writes in its request line, it is this server that is asked.
    const address = new URL(`${url.pathname}${url.search}`, this.target.origin);
    const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const options = { method, headers: fields, ...(signal === undefined ? {} : { signal }) };
      const sent = send(address, options, resolve);
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
