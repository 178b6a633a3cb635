import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';

import { FrameDecoder } from '../../client/event-stream.js';
import type { Client } from '../../index.js';
import { isObject } from '../../json.js';
import { toolsOf } from '../definitions.js';
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
  UnreadableMessageError,
} from '../json-rpc.js';
import type { ToolBook } from '../tool-book.js';
import { type CallContext, InvalidCallError, ToolGate } from '../tool-gate.js';
import { keepTelling } from './progress.js';
import { paramsOf, type ProxyOptions, refusedMessage } from './session.js';
import { oneLine } from './streamable-http.js';

/** What calls are decided with. */
export interface Deciding {
  client: Client;
  book: ToolBook;
  context: CallContext;
  options: ProxyOptions;
}

/** Largest message of a client, in bytes. */
const LARGEST_BODY = 16 * 1024 * 1024;
/** Largest list of tools that is looked at, in bytes. */
const LARGEST_LIST = 32 * 1024 * 1024;
/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'proxy-connection',
]);

/**
 * Listens on loopback for clients of the Streamable HTTP transport and passes what they send on to
 * `target`, with the gate before `tools/call`. Resolves when the program is told to stop.
 */
export async function listenHttp(target: URL, port: number, deciding: Deciding): Promise<number> {
  const proxy = new HttpProxy(target, deciding);
  const server = createServer((request, response) => {
    proxy.serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        fail(
          response,
          502,
          INTERNAL_ERROR,
          `${target.origin}: ${error instanceof Error ? error.message : String(error)}`,
        );
    });
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  proxy.port = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${proxy.port}${target.pathname}${target.search}`;
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  server.close();
  server.closeAllConnections();
  return 0;
}

class HttpProxy {
  port = 0;
  private isListed = false;
  private listing: Promise<void> | undefined;
  private readonly asking = new Map<string, AbortController>();

  constructor(
    private readonly target: URL,
    private readonly deciding: Deciding,
  ) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isFromHere(request.headers)) {
      return fail(response, 403, INVALID_REQUEST, 'Requests of web pages and for other hosts are refused.');
    }
    if (request.headers['content-encoding'] !== undefined) {
      return fail(response, 415, INVALID_REQUEST, 'Send the message without Content-Encoding.');
    }
    const body = await readBody(request);
    if (body === undefined) return fail(response, 413, INVALID_REQUEST, 'The message is too large.');
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const isElsewhere = new URL(request.url ?? '/', this.target).pathname !== this.target.pathname;
    // Forms are for the server's own sign-in, which lies beside the endpoint.
    if (body.length === 0 || (isForm && isElsewhere)) return this.pass(request, response, body);
    let messages: Message[];
    try {
      messages = readMessages(body);
    } catch (error) {
      if (!(error instanceof UnreadableMessageError)) throw error;
      return fail(response, 400, error.code, error.message);
    }
    const [message] = messages;
    if (!messages.some((one) => one['method'] === 'tools/call'))
      return this.note(messages, request, response, body);
    if (message === undefined || messages.length > 1 || body.toString().trimStart().startsWith('[')) {
      return fail(response, 400, INVALID_REQUEST, 'Send calls of tools one by one, not in a batch.');
    }
    if (!isRequest(message)) return fail(response, 400, INVALID_REQUEST, 'A call of a tool needs an id.');
    return this.call(message, request, response, body);
  }

  /** Passes messages that call nothing. */
  private note(
    messages: Message[],
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Promise<void> {
    for (const message of messages) {
      const params = isObject(message['params']) ? message['params'] : {};
      const open = this.asking.get(keyOf(request.headers, params['requestId']));
      if (message['method'] === 'notifications/cancelled' && open !== undefined) {
        open.abort(new Error('the client has cancelled the call'));
        response.writeHead(202).end();
        return Promise.resolve();
      }
    }
    const list = messages.find(
      (message): message is Request => isRequest(message) && message.method === 'tools/list',
    );
    if (list === undefined) return this.pass(request, response, body);
    const isFirst = list.params?.['cursor'] === undefined;
    return this.pass(request, response, body, (text, type) =>
      this.learn(answerIn(text, type, list), isFirst),
    );
  }

  private async call(
    message: Request,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Promise<void> {
    const { id, params } = message;
    const key = keyOf(request.headers, id);
    if (this.asking.has(key))
      return fail(response, 400, INVALID_REQUEST, 'Another call with this id is open.');
    const abort = new AbortController();
    const gone = () => abort.abort(new Error('the client has gone'));
    response.once('close', gone);
    this.asking.set(key, abort);
    const answer = new Answer(request, response);
    try {
      const outcome = await this.decided(message, request, abort.signal, answer);
      this.asking.delete(key);
      response.off('close', gone);
      if ('refused' in outcome) return answer.end(outcome.refused);
      const text =
        outcome.params === params
          ? body
          : Buffer.from(JSON.stringify({ ...message, params: outcome.params }));
      if (!answer.isStream) return await this.pass(request, response, text);
      return await this.passInto(answer, message, request, text);
    } catch (error) {
      this.asking.delete(key);
      const why = error instanceof Error ? error.message : String(error);
      const code = error instanceof InvalidCallError ? INVALID_PARAMS : INTERNAL_ERROR;
      answer.end(
        errorMessage(id, abort.signal.aborted ? INVALID_REQUEST : code, `The call did not run: ${why}`),
      );
    }
  }

  private async decided(
    { id, params }: Request,
    request: IncomingMessage,
    signal: AbortSignal,
    answer: Answer,
  ): Promise<{ refused: Message } | { params: Record<string, unknown> }> {
    const name = params?.['name'];
    const args = params?.['arguments'] ?? {};
    const meta = params?.['_meta'];
    if (params === undefined || typeof name !== 'string' || !isObject(args)) {
      throw new InvalidCallError('A call of a tool has a name and arguments that are an object.');
    }
    if (!this.isListed)
      await (this.listing ??= this.list(request.headers).finally(() => (this.listing = undefined)));
    const { book, client, context, options } = this.deciding;
    const entry = book.entry(name);
    const session = request.headers['mcp-session-id'];
    const gate = new ToolGate(client, {
      ...context,
      // The id of a session lets whoever knows it speak in it: only its hash is told.
      ...(typeof session === 'string' ? { session: `mcp-${hashOf(session)}` } : {}),
    });
    const { pendingAfter, denial } = options;
    const token = isObject(meta) ? meta['progressToken'] : undefined;
    const stop = keepTelling(isRequestId(token) ? token : '', (text) =>
      isRequestId(token) ? answer.event(text) : answer.comment(),
    );
    const call = { name, arguments: args, ...(isObject(meta) ? { meta } : {}) };
    const wait = { signal, ...(pendingAfter === undefined ? {} : { pendingAfter }) };
    const verdict = await gate.decide(call, entry, wait).finally(stop);
    if (verdict.runs) return { params: paramsOf(params, verdict) };
    return { refused: refusedMessage(id, params, verdict, entry, denial) };
  }

  /** Lists the server's tools in the client's session. */
  private async list(headers: IncomingHttpHeaders): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < 100; page += 1) {
      const list = {
        jsonrpc: '2.0',
        id: `handraise:${page}`,
        method: 'tools/list',
        params: cursor ? { cursor } : {},
      };
      const upstream = await this.send('POST', this.target, headers, Buffer.from(JSON.stringify(list)));
      const text = (await readBody(upstream))?.toString() ?? '';
      const result = answerIn(text, upstream.headers['content-type'] ?? '', list as unknown as Request);
      if (result === undefined) return;
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

  /** Passes a request and its answer. `look` gets the whole answer once it has passed. */
  private async pass(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    look?: (text: string, type: string) => void,
  ): Promise<void> {
    const upstream = await this.send(
      request.method ?? 'GET',
      new URL(request.url ?? '/', this.target),
      request.headers,
      body,
    );
    response.once('close', () => upstream.destroy());
    response.writeHead(upstream.statusCode ?? 502, passedOn(upstream.headers));
    response.flushHeaders();
    const seen: Buffer[] = [];
    let size = 0;
    upstream.on('data', (chunk: Buffer) => {
      if (chunk.includes('list_changed')) this.isListed = false;
      size += chunk.length;
      if (look !== undefined && size <= LARGEST_LIST) seen.push(chunk);
    });
    upstream.on('end', () => look?.(Buffer.concat(seen).toString(), upstream.headers['content-type'] ?? ''));
    upstream.on('error', () => response.destroy());
    upstream.pipe(response);
  }

  /** Passes a request whose answer has begun as a stream, because a person was asked for long. */
  private async passInto(
    answer: Answer,
    message: Request,
    request: IncomingMessage,
    body: Buffer,
  ): Promise<void> {
    const upstream = await this.send('POST', new URL(request.url ?? '/', this.target), request.headers, body);
    const type = upstream.headers['content-type'] ?? '';
    if (upstream.statusCode === 200 && type.startsWith('text/event-stream')) return answer.pipe(upstream);
    const text = (await readBody(upstream))?.toString() ?? '';
    if (upstream.statusCode === 200) return answer.endWith(text);
    answer.end(
      errorMessage(
        message.id,
        INTERNAL_ERROR,
        `The server answered with HTTP status ${upstream.statusCode}.`,
      ),
    );
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

/** The answer to one call: JSON, or a stream once it has begun. */
class Answer {
  isStream = false;
  private readonly takesStreams: boolean;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.takesStreams = request.headers.accept?.includes('text/event-stream') ?? false;
  }

  event(text: string): void {
    if (this.begin()) this.response.write(`event: message\ndata: ${oneLine(text)}\n\n`);
  }

  /** Keeps a connection alive on which nothing else can be said. */
  comment(): void {
    if (this.begin()) this.response.write(': a person is being asked\n\n');
  }

  end(message: Message): void {
    this.endWith(JSON.stringify(message));
  }

  endWith(text: string): void {
    if (this.response.destroyed) return;
    if (this.isStream) {
      this.event(text);
      this.response.end();
      return;
    }
    this.response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
  }

  pipe(source: IncomingMessage): void {
    source.on('error', () => this.response.destroy());
    source.pipe(this.response);
  }

  private begin(): boolean {
    if (!this.takesStreams || this.response.destroyed) return false;
    if (!this.isStream) {
      this.response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
      this.isStream = true;
    }
    return true;
  }
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

/** The result in the answer to `request`, which is JSON or a stream of messages. */
function answerIn(text: string, type: string, request: Request): Record<string, unknown> | undefined {
  const texts = type.startsWith('text/event-stream')
    ? [...new FrameDecoder().push(`${text}\n\n`)].map((frame) => frame.data)
    : [text];
  for (const one of texts) {
    try {
      const answer: unknown = JSON.parse(one);
      if (isObject(answer) && answer['id'] === request.id && isObject(answer['result']))
        return answer['result'];
    } catch {
      // No message.
    }
  }
  return undefined;
}

function keyOf(headers: IncomingHttpHeaders, id: unknown): string {
  return JSON.stringify([headers['mcp-session-id'] ?? '', String(id)]);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size > LARGEST_BODY ? undefined : Buffer.concat(chunks);
}

function fail(response: ServerResponse, status: number, code: number, message: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(errorMessage(null, code, message)));
}
