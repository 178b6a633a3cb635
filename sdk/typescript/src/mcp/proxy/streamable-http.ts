import { setTimeout as delay } from 'node:timers/promises';

import { FrameDecoder } from '../../client/event-stream.js';
import { isObject } from '../../json.js';
import type { ToolDefinition } from '../definitions.js';
import { errorMessage, INTERNAL_ERROR, isRequest, type Message, type Request } from '../json-rpc.js';
import { revisionOf } from '../revision.js';
import { standardHeaders } from './headers.js';
import { withoutFaultyHeaders } from './header-declarations.js';

/** How long to wait before a stream is taken up again, in milliseconds, where the server does not say. */
const FIRST_RETRY = 1_000;
/** Times in a row that a stream is taken up again in vain. */
const MAX_RETRIES = 5;

/**
 * The client's side of the Streamable HTTP transport (MCP 2025-03-26 and later), for messages that are
 * passed on as they are. Each message is sent in the form of the revision that it names: since 2026-07-28 without
 * a session, with headers that say what the body says, on a stream that nobody takes up again, and taken back by
 * closing that stream.
 */
export class StreamableHttp {
  private session: string | undefined;
  private version: string | undefined;
  private readonly stopping = new AbortController();
  private sent: Promise<unknown> = Promise.resolve();
  /** Requests that name their revision, by their ids. */
  private readonly open = new Map<string, AbortController>();

  constructor(
    private readonly url: URL,
    private readonly headers: Record<string, string>,
    private readonly toClient: (text: string) => void,
    private readonly definitionOf: (tool: string) => ToolDefinition | undefined,
  ) {}

  /** Sends one message. What fails is answered, so that nobody waits for ever. */
  send(text: string): void {
    const message = JSON.parse(text) as Message;
    const revision = Array.isArray(message) ? undefined : revisionOf(message);
    if (revision !== undefined && isRequest(message)) return this.sendAlone(text, message, revision);
    if (this.isTakenBack(message)) return;
    // A request may overtake others, but not the notifications before it.
    const before = this.sent;
    const sending = before
      .then(() => this.post(text, message))
      .catch((error: unknown) => this.failed(message, error));
    if (!isRequest(message) || message.method === 'initialize') this.sent = sending;
  }

  /** Ends the session at the server. */
  async close(): Promise<void> {
    await this.sent;
    if (this.session !== undefined) {
      const ended = fetch(this.url, {
        method: 'DELETE',
        headers: this.head(),
        signal: AbortSignal.timeout(2_000),
      });
      await ended.catch(() => {});
    }
    this.stopping.abort();
  }

  /** Sends a request that is bound to no session. */
  private sendAlone(text: string, message: Request, revision: string): void {
    const key = JSON.stringify(message.id);
    const over = new AbortController();
    this.open.set(key, over);
    void this.postAlone(text, message, revision, AbortSignal.any([over.signal, this.stopping.signal]))
      .catch((error: unknown) => {
        if (!over.signal.aborted) this.failed(message, error);
      })
      .finally(() => this.open.delete(key));
  }

  /** Whether `message` cancels a request whose stream can be closed. */
  private isTakenBack({ method, params }: Message): boolean {
    if (method !== 'notifications/cancelled' || !isObject(params)) return false;
    const over = this.open.get(JSON.stringify(params['requestId']) ?? '');
    over?.abort();
    return over !== undefined;
  }

  private async postAlone(
    text: string,
    message: Request,
    revision: string,
    signal: AbortSignal,
  ): Promise<void> {
    const tool = message.params?.['name'];
    const definition = typeof tool === 'string' ? this.definitionOf(tool) : undefined;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        ...this.headers,
        ...standardHeaders(message, revision, definition),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: text,
      signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !type.startsWith('text/event-stream')) {
      const body = await response.text();
      if (type.startsWith('application/json') && isAnswerTo(body, message))
        return this.takeAlone(body, message);
      const why = `the server answered with HTTP status ${response.status}: ${body.slice(0, 500)}`;
      throw new Error(why);
    }
    const decoder = new FrameDecoder();
    const words = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      for (const { data } of decoder.push(words.decode(bytes as Uint8Array, { stream: true }))) {
        if (data === '') continue;
        this.takeAlone(data, message);
        if (isAnswerTo(data, message)) return;
      }
    }
    throw new Error('the server ended the answer before it was whole');
  }

  private takeAlone(text: string, { method }: Request): void {
    this.toClient(oneLine(method === 'tools/list' ? withoutFaultyHeaders(text) : text));
  }

  private async post(text: string, message: Message): Promise<void> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        ...this.head(),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: text,
      signal: this.stopping.signal,
    });
    this.session = response.headers.get('mcp-session-id') ?? this.session;
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) {
      const body = await response.text();
      // Servers answer with a message of the protocol here, too.
      if (type.startsWith('application/json') && isAnswerTo(body, message)) return this.take(body, message);
      throw new Error(`the server answered with HTTP status ${response.status}: ${body.slice(0, 500)}`);
    }
    if (type.startsWith('text/event-stream')) {
      void this.follow(response, message).catch((error: unknown) => this.failed(message, error));
      return;
    }
    const body = await response.text();
    if (body.trim() !== '' && type.startsWith('application/json')) this.take(body, message);
    if (message['method'] === 'notifications/initialized') this.listen();
  }

  /** Messages of the server that answer nothing. Servers without any refuse with 405. */
  private listen(): void {
    const head = { ...this.head(), Accept: 'text/event-stream' };
    void fetch(this.url, { headers: head, signal: this.stopping.signal })
      .then((response) => (response.ok ? this.follow(response, undefined) : response.body?.cancel()))
      .catch(() => {});
  }

  /** Reads an event stream, and takes it up again where it broke off. */
  private async follow(first: Response, message: Message | undefined): Promise<void> {
    let response = first;
    let lastId = '';
    let pause = FIRST_RETRY;
    let isAnswered = false;
    for (let attempt = 0; attempt < MAX_RETRIES; attempt += 1) {
      const decoder = new FrameDecoder();
      const text = new TextDecoder();
      try {
        for await (const bytes of response.body ?? []) {
          const piece = text.decode(bytes as Uint8Array, { stream: true });
          pause = retryIn(piece) ?? pause;
          for (const frame of decoder.push(piece)) {
            if (frame.id !== '') lastId = frame.id;
            if (frame.data === '' || frame.event !== 'message') continue;
            attempt = 0;
            isAnswered ||= message !== undefined && isAnswerTo(frame.data, message);
            this.take(frame.data, message);
          }
          lastId = decoder.lastId || lastId;
        }
      } catch {
        // Broken off: taken up again below.
      }
      const waitsForMore = message === undefined || (isRequest(message) && !isAnswered);
      if (!waitsForMore || this.stopping.signal.aborted) return;
      if (message !== undefined && lastId === '') break;
      await delay(pause, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {});
      const head = { ...this.head(), Accept: 'text/event-stream' };
      const again = await fetch(this.url, {
        headers: lastId === '' ? head : { ...head, 'Last-Event-ID': lastId },
        signal: this.stopping.signal,
      }).catch(() => undefined);
      if (again?.ok) response = again;
      else if (again !== undefined) break;
    }
    if (message !== undefined) throw new Error('the server ended the answer before it was whole');
  }

  private take(text: string, message: Message | undefined): void {
    if (message?.['method'] === 'initialize') {
      const answer: unknown = JSON.parse(text);
      const result = isObject(answer) ? answer['result'] : undefined;
      const version = isObject(result) ? result['protocolVersion'] : undefined;
      if (typeof version === 'string') this.version = version;
    }
    this.toClient(oneLine(text));
  }

  private head(): Record<string, string> {
    return {
      ...this.headers,
      ...(this.session === undefined ? {} : { 'Mcp-Session-Id': this.session }),
      ...(this.version === undefined ? {} : { 'MCP-Protocol-Version': this.version }),
    };
  }

  private failed(message: Message, error: unknown): void {
    if (this.stopping.signal.aborted) return;
    const why =
      error instanceof Error
        ? `${error.message}${error.cause ? ` (${String(error.cause)})` : ''}`
        : String(error);
    if (!isRequest(message)) {
      process.stderr.write(`handraise-mcp: ${this.url.origin}: ${why}\n`);
      return;
    }
    this.toClient(JSON.stringify(errorMessage(message.id, INTERNAL_ERROR, `${this.url.origin}: ${why}`)));
  }
}

/** A text of JSON with line breaks only as space between its parts, on one line. */
export function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}

/** Whether `text` is the answer to `message`. */
function isAnswerTo(text: string, message: Message): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    return (
      isObject(answer) && answer['method'] === undefined && isRequest(message) && answer['id'] === message.id
    );
  } catch {
    return false;
  }
}

function retryIn(piece: string): number | undefined {
  const found = /(?:^|[\r\n])retry: ?(\d{1,6})(?=[\r\n])/.exec(piece)?.[1];
  return found === undefined ? undefined : Number(found);
}
