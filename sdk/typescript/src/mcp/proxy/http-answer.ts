import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { errorMessage, type Message, type RequestId } from '../json-rpc.js';
import { drained } from './drained.js';
import { passedOn } from './headers.js';
import { oneLine } from './streamable-http.js';

/** The answer to one request: JSON, or a stream once it has begun. */
export class HttpAnswer {
  isStream = false;
  private readonly takesStreams: boolean;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.takesStreams = request.headers.accept?.includes('text/event-stream') ?? false;
  }

  /** Tells something before there is an answer; a comment keeps a connection open on which nothing can be said. */
  tell(text: string | undefined): void {
    if (!this.takesStreams || this.response.destroyed) return;
    this.begin({});
    this.response.write(
      text === undefined ? ': a person is being asked\n\n' : `event: message\ndata: ${oneLine(text)}\n\n`,
    );
  }

  /** Begins a stream, with the headers of the server's where there is one. */
  begin(headers: IncomingHttpHeaders): void {
    if (this.isStream || this.response.destroyed) return;
    const { 'content-length': _length, ...rest } = passedOn(headers);
    const ours = {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    };
    this.response.writeHead(200, Object.keys(rest).length === 0 ? ours : rest);
    this.response.flushHeaders();
    this.isStream = true;
  }

  /** Writes a piece of a stream that has begun. */
  async bytes(piece: Buffer): Promise<void> {
    if (piece.length === 0 || this.response.destroyed) return;
    if (!this.response.write(piece)) await drained(this.response);
  }

  /** Ends a stream that has begun. */
  close(): void {
    this.response.end();
  }

  /** The whole answer, with the status and the headers of the server's. */
  whole(upstream: IncomingMessage, body: Buffer): void {
    if (this.response.destroyed) return;
    const headers = { ...passedOn(upstream.headers), 'content-length': String(body.length) };
    this.response.writeHead(upstream.statusCode ?? 502, headers).end(body);
  }

  end(message: Message): void {
    if (this.response.destroyed) return;
    if (this.isStream) {
      this.response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      return;
    }
    this.response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(message));
  }
}

/** Answers a request that is not passed on. */
export function fail(
  response: ServerResponse,
  status: number,
  { code, message, data }: { code: number; message: string; data?: unknown },
  id: RequestId | null = null,
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(errorMessage(id, code, message, data)));
}
