import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { Caller } from './caller.js';
import type { HttpSessions } from './http-sessions.js';

/**
 * Clients of the proxy over HTTP, told apart by what they have proved and never by what they say: a session that the
 * server has opened; since 2026-07-28, which has none, the credential that a client sends to the server, else the
 * connection that it holds.
 */
export class HttpClients {
  /** Names made from credentials tell nothing about them, and are others after a restart. */
  private readonly secret = randomBytes(32);
  private readonly connections = new WeakMap<Socket, string>();

  constructor(private readonly sessions: HttpSessions) {}

  /** Who sends `request`. `hasNoSessions`: it is of a revision without sessions. */
  of(request: IncomingMessage, hasNoSessions: boolean): Caller {
    const { authorization } = request.headers;
    if (!hasNoSessions) {
      const session = this.sessions.of(request.headers);
      return { conversation: session, principal: session ?? '' };
    }
    if (authorization !== undefined) {
      const name = createHmac('sha256', this.secret).update(authorization).digest('hex').slice(0, 32);
      return { conversation: `mcp-${name}`, principal: `mcp-${name}` };
    }
    // A client may go on with a call over another of its connections.
    return { conversation: this.nameOf(request.socket), principal: '' };
  }

  private nameOf(connection: Socket): string {
    const known = this.connections.get(connection);
    if (known !== undefined) return known;
    const name = `mcp-${randomUUID()}`;
    this.connections.set(connection, name);
    return name;
  }
}
