import { setTimeout as delay } from 'node:timers/promises';

import { GateRefusedError, GateUnavailableError, deepFreeze } from '../errors.js';
import type { Problem } from '../generated/protocol.js';
import { isObject } from '../json.js';
import { Connections, type ProvedConnection } from './connections.js';
import { ConnectionLost, type HttpRequest, type HttpResponse } from './http.js';
import type { Folders } from './locations.js';
import type { Credential } from './token.js';

/** How a client reaches the gate. */
export interface ConnectOptions {
  /** Folders that are not where the user's are; never taken from the environment. */
  folders?: Partial<Folders>;
  /**
   * How long a connection that broke off is tried again, in seconds; default 20. The gate keeps a
   * request open for 30 seconds after its requester went away. A gate that was not there in the
   * first place is not waited for.
   */
  reconnectSeconds?: number;
}

/** One request to the gate. */
export interface Call extends HttpRequest {
  /** Sending it twice does the same as sending it once, so a broken connection is no reason to give up. */
  isRepeatable: boolean;
}

/** A response without an error. */
export interface JsonResponse {
  status: number;
  /** JSON; `undefined` where there is none. */
  body: unknown;
}

const DEFAULT_RECONNECT_SECONDS = 20;
const FIRST_PAUSE = 50;
const MAX_PAUSE = 1000;

/** Sends requests with one credential. */
export class Caller {
  readonly #connections: Connections;
  readonly #reconnectMilliseconds: number;

  constructor(credential: Credential, options: ConnectOptions) {
    this.#connections = new Connections(credential, options.folders ?? {});
    this.#reconnectMilliseconds = (options.reconnectSeconds ?? DEFAULT_RECONNECT_SECONDS) * 1000;
  }

  /** Closes the connections that wait for the next request. */
  close(): void {
    this.#connections.close();
  }

  /**
   * Sends one request and reads its answer.
   *
   * @throws {@link GateUnavailableError} when the gate cannot be asked, {@link GateRefusedError}
   * when it refuses; the reason of `signal` when that is aborted.
   */
  async call(call: Call, signal?: AbortSignal): Promise<JsonResponse> {
    return this.#trying(call.isRepeatable, signal, async (connection) => {
      const response = await send(connection, call, signal);
      const answer = { status: response.status, body: parsed(await response.text()) };
      this.#connections.give(connection);
      return successful(answer);
    });
  }

  /** Opens a stream of answers: `GET` with an answer that does not end. */
  async stream(path: string, headers: Record<string, string>, signal?: AbortSignal): Promise<HttpResponse> {
    return this.#trying(true, signal, async (connection) => {
      const call = { method: 'GET', path, headers: { ...headers, Accept: 'text/event-stream' } };
      const response = await send(connection, call, signal);
      if (response.status !== 200)
        successful({ status: response.status, body: parsed(await response.text()) });
      return response;
    });
  }

  /** A fresh connection, unless `signal` is aborted first: proving may take long. */
  async #open(signal: AbortSignal | undefined): Promise<ProvedConnection> {
    const taking = this.#connections.open();
    if (!signal) return taking;
    return new Promise((resolve, reject) => {
      const abort = () => {
        reject(signal.reason as Error);
        taking.then((connection) => this.#connections.give(connection)).catch(() => undefined);
      };
      signal.addEventListener('abort', abort, { once: true });
      taking.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  async #trying<T>(
    isRepeatable: boolean,
    signal: AbortSignal | undefined,
    attempt: (connection: ProvedConnection) => Promise<T>,
  ): Promise<T> {
    let pause = FIRST_PAUSE;
    let brokeOffAt: number | undefined;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const kept = isRepeatable ? this.#connections.takeKept() : undefined;
        return await attempt(kept ?? (await this.#open(signal)));
      } catch (error) {
        signal?.throwIfAborted();
        const brokeOff = error instanceof ConnectionLost || isShuttingDown(error);
        if (!brokeOff && !(isAway(error) && brokeOffAt !== undefined)) throw error;
        brokeOffAt ??= performance.now();
        if (!isRepeatable || performance.now() - brokeOffAt + pause > this.#reconnectMilliseconds) {
          throw new GateUnavailableError(
            'interrupted',
            'The connection to Handraise broke off. Look whether it still runs (`handraise doctor`), then try again.',
            { cause: error },
          );
        }
      }
      await delay(pause, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
      pause = Math.min(pause * 2, MAX_PAUSE);
    }
  }
}

/** Whether nobody listens, or who listened went away before the proof: a gate that ends does so. */
function isAway(error: unknown): boolean {
  if (!(error instanceof GateUnavailableError)) return false;
  return error.why === 'not_running' || error.cause instanceof ConnectionLost;
}

function send(
  { http, token }: ProvedConnection,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  return http.send(
    { ...request, headers: { ...request.headers, Authorization: token.authorization() } },
    signal,
  );
}

function successful(answer: JsonResponse): JsonResponse {
  if (answer.status >= 200 && answer.status < 300) return answer;
  if (isObject(answer.body) && typeof answer.body['code'] === 'string') {
    throw new GateRefusedError(deepFreeze(answer.body as unknown as Problem));
  }
  throw new GateUnavailableError('answer', `Handraise answered with the HTTP status ${answer.status}.`);
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GateUnavailableError('answer', 'Handraise answered something that cannot be understood.', {
      cause,
    });
  }
}

/** The gate is going away and may come back: as good as a broken connection. */
function isShuttingDown(error: unknown): boolean {
  return error instanceof GateRefusedError && error.problem.code === 'shutting_down';
}
