import { randomUUID } from 'node:crypto';

import { GateUnavailableError } from '../errors.js';
import type {
  ApprovalRequest,
  ApprovalResult,
  BatchRequest,
  EvaluationResult,
  JsonValue,
  QuestionRequest,
  QuestionResult,
} from '../generated/protocol.js';
import { type Arguments, argumentsHash, isObject, snapshot } from '../json.js';
import { type JsonResponse, Caller, type ConnectOptions } from '../transport/caller.js';
import type { Credential } from '../transport/token.js';
import { type EventsOptions, type StreamedEvent, listen } from './events.js';
import { readQuestion } from './questions.js';
import { readResult } from './result.js';

/** How a {@link Client} reaches the gate, and as whom. */
export interface ClientOptions extends ConnectOptions {
  /** A requester's token; default the one called `default`. */
  credential?: Credential;
}

/** How long to wait, and how to stop. */
export interface WaitOptions {
  /** Seconds to wait; after that the result is `pending`. Absent: until it ends. */
  wait?: number;
  /** Stops waiting. */
  signal?: AbortSignal;
}

/** How to stop. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** How long a hook may take, and how to stop. */
export interface HookOptions extends CallOptions {
  /** Seconds until the caller gives up. A person's time ends a little before. */
  wait?: number;
}

/** Longest time that the gate waits within one request, in seconds. */
const MAX_WAIT = 86_400;

/**
 * Speaks to the running gate as a requester. Every method throws a {@link GateUnavailableError}
 * when the gate cannot be asked and a {@link GateRefusedError} when it does not take the request;
 * a denial is a result, and {@link assertApproved} makes an error of it.
 */
export class Client {
  readonly #caller: Caller;

  constructor(options: ClientOptions = {}) {
    this.#caller = new Caller(options.credential ?? { name: 'default' }, options);
  }

  /**
   * Has a call decided, and waits for it. The request lives as long as this waiting: when `signal`
   * is aborted, or this program goes away, it is withdrawn from every surface. With `wait` it
   * outlives that time, and {@link Client.wait} goes on waiting.
   */
  async request(call: ApprovalRequest, options: WaitOptions = {}): Promise<Readonly<ApprovalResult>> {
    const request = prepared(call);
    const submit = (wait: number | undefined, signal?: AbortSignal) =>
      this.#post(`/v1/approvals${query(wait)}`, request, signal);
    options.signal?.throwIfAborted();
    try {
      // The hash is made while the gate decides, not after it.
      const hashing = async () => argumentsHash(request.arguments);
      const [{ body }, hash] = await Promise.all([submit(options.wait, options.signal), hashing()]);
      return readResult(body, hash);
    } catch (error) {
      const again = async () => [readResult((await submit(0)).body)];
      if (options.signal?.aborted) await this.#withdraw(again, '/v1/approvals');
      throw error;
    }
  }

  /** Has a call decided without waiting: the result is `pending` when a person is asked. */
  submit(call: ApprovalRequest, options: CallOptions = {}): Promise<Readonly<ApprovalResult>> {
    return this.request(call, { ...options, wait: 0 });
  }

  /** How a request stands. */
  async result(id: string, options: CallOptions = {}): Promise<Readonly<ApprovalResult>> {
    return readResult((await this.#get(`/v1/approvals/${encodeURIComponent(id)}`, options.signal)).body);
  }

  /** Waits for the end of a request. Aborting stops the waiting, and leaves the request open. */
  async wait(id: string, options: WaitOptions = {}): Promise<Readonly<ApprovalResult>> {
    const path = `/v1/approvals/${encodeURIComponent(id)}${query(options.wait ?? MAX_WAIT)}`;
    for (;;) {
      const result = readResult((await this.#get(path, options.signal)).body);
      if (result.status !== 'pending' || options.wait !== undefined) return result;
    }
  }

  /**
   * Uses an approval that was not waited for: once, and for the very call that was approved. Waits
   * for the end first. Another call, or a second use, is a {@link GateRefusedError} with the code
   * `not_redeemable`.
   */
  async resume(
    id: string,
    call: ApprovalRequest,
    options: WaitOptions = {},
  ): Promise<Readonly<ApprovalResult>> {
    const result = await this.wait(id, options);
    if (result.status !== 'approved') return result;
    const request = prepared(call);
    const { body } = await this.#caller.call(
      {
        method: 'POST',
        path: `/v1/approvals/${encodeURIComponent(id)}/redeem`,
        body: JSON.stringify(request),
        isRepeatable: false,
      },
      options.signal,
    );
    return readResult(body, argumentsHash(request.arguments));
  }

  /** Withdraws a request from every surface. A request that is over stays as it is. */
  async cancel(id: string): Promise<Readonly<ApprovalResult>> {
    return readResult((await this.#delete(`/v1/approvals/${encodeURIComponent(id)}`)).body);
  }

  /** What the policy would do, and why. Nothing is asked, changed or recorded. */
  async evaluate(call: ApprovalRequest, options: CallOptions = {}): Promise<EvaluationResult> {
    const { body } = await this.#post('/v1/evaluate', prepared(call), options.signal);
    if (isObject(body) && ['allow', 'ask', 'deny'].includes(String(body['action']))) {
      return body as unknown as EvaluationResult;
    }
    throw new GateUnavailableError('answer', 'Handraise answered something that is no evaluation.');
  }

  /**
   * Has the calls of one parallel batch (at most 64) decided together: all of them are taken, or
   * none. One result each, in their order, once the last has ended. Aborting withdraws them all.
   */
  async batch(batch: BatchRequest, options: WaitOptions = {}): Promise<Readonly<ApprovalResult>[]> {
    const requests = batch.requests.map(prepared);
    const body = { batch: batch.batch ?? randomUUID(), requests };
    const submit = async (wait: number | undefined, signal?: AbortSignal) => {
      const answer = await this.#post(`/v1/approvals/batch${query(wait)}`, body, signal);
      const results = isObject(answer.body) ? answer.body['results'] : undefined;
      if (!Array.isArray(results) || results.length !== requests.length) {
        throw new GateUnavailableError('answer', 'Handraise did not answer for every call of the batch.');
      }
      return requests.map((request, index) => readResult(results[index], argumentsHash(request.arguments)));
    };
    options.signal?.throwIfAborted();
    try {
      return await submit(options.wait, options.signal);
    } catch (error) {
      if (options.signal?.aborted) await this.#withdraw(() => submit(0), '/v1/approvals');
      throw error;
    }
  }

  /** Asks the person a question, and waits for the answer as {@link Client.request} does. */
  async ask(question: QuestionRequest, options: WaitOptions = {}): Promise<Readonly<QuestionResult>> {
    const request = { ...question, idempotency_key: question.idempotency_key ?? randomUUID() };
    const submit = (wait: number | undefined, signal?: AbortSignal) =>
      this.#post(`/v1/questions${query(wait)}`, request, signal);
    options.signal?.throwIfAborted();
    try {
      return readQuestion((await submit(options.wait, options.signal)).body);
    } catch (error) {
      const again = async () => [readQuestion((await submit(0)).body)];
      if (options.signal?.aborted) await this.#withdraw(again, '/v1/questions');
      throw error;
    }
  }

  /** Waits for the answer to a question; without `wait` until it ends. */
  async answer(id: string, options: WaitOptions = {}): Promise<Readonly<QuestionResult>> {
    const path = `/v1/questions/${encodeURIComponent(id)}${query(options.wait ?? MAX_WAIT)}`;
    for (;;) {
      const result = readQuestion((await this.#get(path, options.signal)).body);
      if (result.status !== 'pending' || options.wait !== undefined) return result;
    }
  }

  /** Takes a question back. */
  async cancelQuestion(id: string): Promise<Readonly<QuestionResult>> {
    return readQuestion((await this.#delete(`/v1/questions/${encodeURIComponent(id)}`)).body);
  }

  /**
   * Hands an agent's own hook message in and returns that agent's own answer, as the hook program does. Aborting
   * withdraws what is asked.
   *
   * @param agent Name of the agent, as `opencode`.
   */
  async hook(agent: string, message: object, options: HookOptions = {}): Promise<Record<string, unknown>> {
    const { body } = await this.#caller.call(
      {
        method: 'POST',
        path: `/v1/hooks/${encodeURIComponent(agent)}${query(options.wait)}`,
        body: JSON.stringify(message),
        isRepeatable: false,
      },
      options.signal,
    );
    if (isObject(body)) return body;
    throw new GateUnavailableError('answer', 'Handraise answered a hook with something that is no answer.');
  }

  /** What happens to this requester's own requests, as it happens. */
  events(options: EventsOptions = {}): AsyncGenerator<StreamedEvent, void> {
    return listen(this.#caller, options);
  }

  /** Closes the connections that wait for the next request. The client can still be used. */
  close(): void {
    this.#caller.close();
  }

  /** The same request again gives its id away; then it can be withdrawn. */
  async #withdraw(again: () => Promise<{ id: string; status: string }[]>, path: string): Promise<void> {
    try {
      const open = (await again()).filter(({ status }) => status === 'pending');
      await Promise.all(open.map(({ id }) => this.#delete(`${path}/${encodeURIComponent(id)}`)));
    } catch {
      // The gate withdraws it itself when its requester stays away.
    }
  }

  #get(path: string, signal?: AbortSignal): Promise<JsonResponse> {
    return this.#caller.call({ method: 'GET', path, isRepeatable: true }, signal);
  }

  /** What is posted carries an idempotency key or changes nothing. */
  #post(path: string, body: object, signal?: AbortSignal): Promise<JsonResponse> {
    return this.#caller.call(
      { method: 'POST', path, body: JSON.stringify(body), isRepeatable: true },
      signal,
    );
  }

  #delete(path: string): Promise<JsonResponse> {
    return this.#caller.call({ method: 'DELETE', path, isRepeatable: true });
  }
}

function prepared(
  call: ApprovalRequest,
): ApprovalRequest & { arguments: Arguments; idempotency_key: string } {
  return {
    ...call,
    arguments: snapshot(call.arguments as Record<string, JsonValue> | undefined),
    idempotency_key: call.idempotency_key ?? randomUUID(),
  };
}

function query(wait: number | undefined): string {
  return wait === undefined ? '' : `?wait=${Math.ceil(wait)}`;
}
