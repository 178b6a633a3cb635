import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Sessions that are known; the oldest is forgotten first. */
const KNOWN = 10_000;
const HEADER = 'mcp-session-id';

/**
 * The sessions that the server has opened through this proxy. Only they are a conversation of one client: any
 * program on the machine can reach the proxy, and write any session into its requests. What a person approves for
 * longer than one call is remembered for such a session, and for nothing else.
 */
export class HttpSessions {
  /** What a session is called at the gate, by the hash of its id: who knows the id can speak in it. */
  private readonly names = new Map<string, string>();

  /** The name of the session that a request is of; `undefined` where it is of none that is known. */
  of(headers: IncomingHttpHeaders): string | undefined {
    const id = headers[HEADER];
    return typeof id === 'string' ? this.names.get(hashOf(id)) : undefined;
  }

  /** The server has answered an `initialize` with these headers. */
  opened(request: IncomingHttpHeaders, answer: IncomingHttpHeaders): void {
    const id = answer[HEADER];
    // A server that hands the client's own words back has opened nothing.
    if (typeof id !== 'string' || request[HEADER] !== undefined) return;
    // A name of its own: the server may have used the id for another client before.
    this.names.set(hashOf(id), `mcp-${randomUUID()}`);
    const oldest = this.names.keys().next().value;
    if (this.names.size > KNOWN && oldest !== undefined) this.names.delete(oldest);
  }

  /** The session of a request is over. */
  ended(headers: IncomingHttpHeaders): void {
    const id = headers[HEADER];
    if (typeof id === 'string') this.names.delete(hashOf(id));
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
