import type { IncomingMessage, ServerResponse } from 'node:http';

import { errorMessage, type Message, type RequestId } from '../json-rpc.js';
import { oneLine } from './streamable-http.js';

/** The answer to one call: JSON, or a stream once it has begun. */
export class HttpAnswer {
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
