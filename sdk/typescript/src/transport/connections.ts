// Connections whose other end has proved to be Handraise. Any program of this user could sit on the
// port while Handraise is not running, and would answer "approved" to everything.

import { isIP, type Socket, connect } from 'node:net';

import { GateUnavailableError } from '../errors.js';
import { isObject } from '../json.js';
import { ConnectionLost, HttpConnection } from './http.js';
import { type Endpoint, type Folders, foldersOfUser, readEndpoint } from './locations.js';
import { type Credential, Token } from './token.js';

/** How long a server may take to prove itself, in milliseconds. The proof waits for nobody. */
const MAX_PROOF = 10_000;
/** Connections that are kept for the next request. */
const KEPT = 8;

/** A connection that has proved itself, with the token that it knows. */
export interface ProvedConnection {
  http: HttpConnection;
  token: Token;
}

/** Opens connections to the running gate, and keeps some of them. */
export class Connections {
  readonly #credential: Credential;
  readonly #given: Partial<Folders>;
  #kept: ProvedConnection[] = [];

  constructor(credential: Credential, folders: Partial<Folders>) {
    this.#credential = credential;
    this.#given = folders;
  }

  /** A connection that was given back. */
  takeKept(): ProvedConnection | undefined {
    for (let connection = this.#kept.pop(); connection !== undefined; connection = this.#kept.pop()) {
      if (connection.http.isReusable) return connection;
      connection.http.close();
    }
    return undefined;
  }

  /** Gives a connection back whose answer has been read. */
  give(connection: ProvedConnection): void {
    if (!connection.http.isReusable || this.#kept.length >= KEPT) return connection.http.close();
    connection.http.unref();
    this.#kept.push(connection);
  }

  /** Closes what is kept. */
  close(): void {
    for (const { http } of this.#kept.splice(0)) http.close();
  }

  /** A fresh connection. */
  async open(): Promise<ProvedConnection> {
    const folders = await foldersOfUser(this.#given);
    const endpoint = await readEndpoint(folders);
    const token = await Token.read(this.#credential, folders);
    const { socket, host, address } = await reach(endpoint);
    const http = new HttpConnection(socket, host);
    const stop = setTimeout(() => http.close(), MAX_PROOF);
    let cause: unknown;
    const isProved = await prove(http, token, address).catch((error: unknown) => ((cause = error), false));
    clearTimeout(stop);
    if (isProved) return { http, token };
    http.close();
    throw new GateUnavailableError(
      'not_proved',
      `The program at ${address} did not prove to be Handraise. Nothing was sent to it. Restart Handraise; if that does not help, another program sits in its place.`,
      { cause },
    );
  }
}

/** Lets the server prove that it knows `token`. Until it has, it learns the token's public id only. */
async function prove(http: HttpConnection, token: Token, address: string): Promise<boolean> {
  const challenge = token.challenge();
  const response = await http.send({
    method: 'POST',
    path: '/v1/challenge',
    body: JSON.stringify(challenge),
  });
  const answer: unknown = JSON.parse(await response.text());
  return isObject(answer) && token.isProved(answer['proof'], challenge, address);
}

/** The Unix socket, or else the loopback port. */
async function reach(endpoint: Endpoint): Promise<{ socket: Socket; host: string; address: string }> {
  if (endpoint.socket !== undefined && process.platform !== 'win32') {
    const socket = await connected({ path: endpoint.socket }).catch(() => undefined);
    if (socket) return { socket, host: 'localhost', address: endpoint.socket };
  }
  const { address } = endpoint;
  const colon = address.lastIndexOf(':');
  const ip = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  // Whatever the discovery file says: arguments never leave this machine.
  const isLoopback = (isIP(ip) === 4 && ip.startsWith('127.')) || ip === '::1';
  if (!isLoopback) throw new GateUnavailableError('not_proved', `${address} is not on this machine.`);
  try {
    return {
      socket: await connected({ host: ip, port: Number(address.slice(colon + 1)) }),
      host: address,
      address,
    };
  } catch (error) {
    throw new GateUnavailableError('not_running', 'Handraise is not running. Start it, then try again.', {
      cause: error,
    });
  }
}

function connected(where: { path: string } | { host: string; port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(where);
    const failed = (error: Error) => reject(new ConnectionLost(error.message));
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}
