// HTTP/1.1 (RFC 9112) on one socket, as far as the gate speaks it. The token may only travel on the
// very connection that has proved itself, and the HTTP client of Node.js does not let every runtime
// (Bun, Deno) choose the connection of a request.

import type { Socket } from 'node:net';

const MAX_HEAD = 64 * 1024;
const MAX_ANSWER = 32 * 1024 * 1024;
/** Received bytes that nobody has read yet, before the other side is made to wait. */
const MAX_BACKLOG = 1024 * 1024;

/** The connection ended before the answer did. */
export class ConnectionLost extends Error {}

/** What is sent. */
export interface HttpRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** JSON. */
  body?: string;
}

/** What comes back. */
export interface HttpResponse {
  status: number;
  headers: Map<string, string>;
  /** The body as it comes. Whoever stops early closes the connection. */
  chunks(): AsyncGenerator<Buffer, void>;
  /** The whole body. */
  text(): Promise<string>;
}

interface Head {
  status: number;
  headers: Map<string, string>;
}

/** One connection, which carries one request after another. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  #isIdle = true;

  constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      this.#received.push(bytes);
      this.#receivedBytes += bytes.length;
      if (this.#receivedBytes > MAX_BACKLOG) socket.pause();
      this.#wake?.();
    });
    const end = () => {
      this.#ended = true;
      this.#wake?.();
    };
    socket.on('end', end);
    socket.on('close', end);
    // The reason is of no use to anybody: `close` follows.
    socket.on('error', end);
  }

  /** Another request can be sent. */
  get isReusable(): boolean {
    return this.#isIdle && !this.#ended && !this.#socket.destroyed && this.#receivedBytes === 0;
  }

  /** Ends the connection; whoever waits for an answer gets {@link ConnectionLost}. */
  close(): void {
    this.#socket.destroy();
  }

  /** An idle connection does not keep the program alive. */
  unref(): void {
    this.#socket.unref();
  }

  /** Sends a request and reads the head of the answer. */
  async send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    this.#isIdle = false;
    this.#socket.ref();
    const abort = () => this.close();
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const done = () => signal?.removeEventListener('abort', abort);
    try {
      this.#socket.write(this.#head(request));
      let head = this.#readHead();
      while (head === undefined) {
        await this.#more();
        head = this.#readHead();
      }
      const answered = head;
      const chunks = () => this.#body(answered, done);
      return { ...head, chunks, text: async () => this.#wholeText(answered, done) ?? readText(chunks()) };
    } catch (error) {
      done();
      this.close();
      throw error;
    }
  }

  #head({ method, path, headers = {}, body }: HttpRequest): string {
    if (/[\s\0]/.test(path)) throw new TypeError('the path must be encoded');
    let head = `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n`;
    for (const [name, value] of Object.entries(headers)) {
      if (/[\r\n\0]/.test(value)) throw new TypeError(`${name} must be one line`);
      head += `${name}: ${value}\r\n`;
    }
    if (body !== undefined) head += 'Content-Type: application/json\r\n';
    if (body !== undefined || method === 'POST') {
      head += `Content-Length: ${Buffer.byteLength(body ?? '')}\r\n`;
    }
    return `${head}\r\n${body ?? ''}`;
  }

  /** The head of the answer, once all of it is there. */
  #readHead(): Head | undefined {
    for (;;) {
      const bytes = this.#joined();
      const text = bytes?.toString('latin1', 0, MAX_HEAD) ?? '';
      const end = /\r?\n\r?\n/.exec(text);
      if (end === null) {
        if (text.length === MAX_HEAD) throw new ConnectionLost('the head of the answer is too long');
        return undefined;
      }
      this.#take(end.index + end[0].length);
      const [first = '', ...lines] = text.slice(0, end.index).split(/\r?\n/);
      const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
      if (!status) throw new ConnectionLost('the answer is not HTTP/1.1');
      // What comes before 200 announces another head.
      if (status < 200) continue;
      const headers = new Map<string, string>();
      for (const line of lines) {
        const colon = line.indexOf(':');
        headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
      }
      return { status, headers };
    }
  }

  /** The whole body, when it has a length and all of it is there: what most answers are. */
  #wholeText({ status, headers }: Head, done: () => void): string | undefined {
    const length = Number(headers.get('content-length'));
    if (status === 204 || status === 304 || headers.has('transfer-encoding')) return undefined;
    const bytes = this.#joined();
    if (bytes === undefined || !Number.isSafeInteger(length) || !(length >= 0)) return undefined;
    if (length > MAX_ANSWER || bytes.length < length) return undefined;
    this.#take(length);
    this.#end(headers, true, done);
    return bytes.toString('utf8', 0, length);
  }

  /** The answer is over: the connection is for the next request, or for none. */
  #end(headers: Map<string, string>, isWhole: boolean, done: () => void): void {
    done();
    this.#isIdle = isWhole && headers.get('connection')?.toLowerCase() !== 'close';
    if (!this.#isIdle) this.close();
  }

  async *#body({ status, headers }: Head, done: () => void): AsyncGenerator<Buffer, void> {
    let isWhole = false;
    try {
      const length = Number(headers.get('content-length') ?? 0);
      if (status === 204 || status === 304) {
        // No body, whatever the head says.
      } else if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') {
        yield* this.#readChunked();
      } else if (Number.isSafeInteger(length) && length >= 0) {
        for (let left = length; left > 0;) {
          const bytes = await this.#readSome(left);
          left -= bytes.length;
          yield bytes;
        }
      } else {
        throw new ConnectionLost('the answer has no length');
      }
      isWhole = true;
    } finally {
      this.#end(headers, isWhole, done);
    }
  }

  async *#readChunked(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const size = /^([0-9a-fA-F]{1,8})(?:;|$)/.exec(await this.#readLine(1024))?.[1];
      if (size === undefined) throw new ConnectionLost('the answer is cut into wrong pieces');
      for (let left = parseInt(size, 16); left > 0;) {
        const bytes = await this.#readSome(left);
        left -= bytes.length;
        yield bytes;
      }
      // The line break after a piece; after the last piece, trailers up to an empty line.
      if (parseInt(size, 16) > 0) await this.#readLine(2);
      else {
        while ((await this.#readLine(1024)) !== '');
        return;
      }
    }
  }

  async #readLine(longest: number): Promise<string> {
    for (;;) {
      const bytes = this.#joined();
      const end = bytes?.indexOf(10) ?? -1;
      if (bytes !== undefined && end >= 0 && end <= longest) {
        this.#take(end + 1);
        return bytes.toString('latin1', 0, end).replace(/\r$/, '');
      }
      if (bytes !== undefined && (end > longest || bytes.length > longest))
        throw new ConnectionLost('a line is too long');
      await this.#more();
    }
  }

  /** What was received and not taken yet, in one piece. */
  #joined(): Buffer | undefined {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
    return this.#received[0];
  }

  /** At least one byte, at most `most`. */
  async #readSome(most: number): Promise<Buffer> {
    while (this.#received[0] === undefined) await this.#more();
    const bytes = this.#received[0].subarray(0, most);
    this.#take(bytes.length);
    return bytes;
  }

  #take(count: number): void {
    const first = this.#received[0];
    if (first === undefined) return;
    if (count === first.length) this.#received.shift();
    else this.#received[0] = first.subarray(count);
    this.#receivedBytes -= count;
    if (this.#receivedBytes <= MAX_BACKLOG) this.#socket.resume();
  }

  async #more(): Promise<void> {
    if (this.#ended) throw new ConnectionLost('the connection broke off');
    const before = this.#receivedBytes;
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = undefined;
    if (this.#ended && this.#receivedBytes === before) throw new ConnectionLost('the connection broke off');
  }
}

async function readText(chunks: AsyncGenerator<Buffer, void>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const bytes of chunks) {
    length += bytes.length;
    if (length > MAX_ANSWER) throw new ConnectionLost('the answer is too long');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
