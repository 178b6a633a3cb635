import { randomUUID } from 'node:crypto';

import { Client, type CallOptions, type WaitOptions } from '../client/client.js';
import { errorOf } from '../errors.js';
import type {
  ApprovalRequest,
  ApprovalResult,
  EvaluationResult,
  QuestionRequest,
  QuestionResult,
} from '../generated/protocol.js';
import { type BatchCall, type Outcome, runBatch } from './batch.js';
import { type CallContext, type ToolCall, requestOf } from './call.js';
import { type Conversation, sessionWithin } from './conversation.js';
import { type Execute, decided } from './decided.js';
import { type PauseSignal, pauseSignal } from './pause.js';

/** How a {@link Gate} reaches Handraise, and what all its calls have in common. */
export interface GateOptions extends CallContext {
  /** Default: a client with the `default` requester token. */
  client?: Client | undefined;
}

/** The one place that every tool call of an agent passes. */
export class Gate {
  readonly client: Client;
  readonly #context: CallContext;

  constructor({ client, ...context }: GateOptions = {}) {
    this.client = client ?? new Client();
    this.#context = context;
  }

  /** The same gate for another agent, session or tool. */
  with(context: CallContext): Gate {
    return new Gate({ ...this.#context, ...context, client: this.client });
  }

  /** The same gate for a conversation that a framework knows, within this gate's own session. */
  inConversation(conversation: Conversation): Gate {
    const { session, conversationId, user, ...rest } = this.#context;
    const id = sessionWithin(session ?? conversationId, conversation);
    // Without an id that can be told nothing is remembered: not for the session, and not for the user.
    if (id === undefined) return new Gate({ ...rest, client: this.client });
    return new Gate({ ...rest, session: id, ...(user === undefined ? {} : { user }), client: this.client });
  }

  /** What the policy would do, and why. Nothing is asked, changed or recorded. */
  evaluate(call: ToolCall, options: CallOptions = {}): Promise<EvaluationResult> {
    return this.client.evaluate(this.request(call), options);
  }

  /** Has a call decided. */
  decide(call: ToolCall, options: WaitOptions = {}): Promise<Readonly<ApprovalResult>> {
    return this.client.request(this.request(call), options);
  }

  /**
   * Has a call decided, and runs it when it is approved, with the arguments that were decided about.
   *
   * @throws {@link ApprovalError} when it is not approved. Then nothing was run.
   */
  async call<T>(call: ToolCall, execute: Execute<T>, options: CallOptions = {}): Promise<T> {
    const request = this.request(call);
    const result = await this.client.request(request, options);
    if (result.status !== 'approved') throw errorOf(result, request.tool);
    options.signal?.throwIfAborted();
    return execute(decided(request, result), result);
  }

  /**
   * Runs the calls of one parallel batch: at once when the policy allows them all, else one after
   * the other in their order. All that need a person are shown together. A denial does not stop the
   * others; a hand-off ends the batch. Never throws for a single call: see {@link Outcome}.
   */
  run<T>(calls: readonly BatchCall<T>[], options: CallOptions = {}): Promise<Outcome<T>[]> {
    return runBatch(
      { client: this.client, request: (call) => this.request(call) },
      randomUUID(),
      calls,
      options,
    );
  }

  /** Asks the person a question, in this gate's session, and waits for the answer. */
  ask(question: string | QuestionRequest, options: WaitOptions = {}): Promise<Readonly<QuestionResult>> {
    const { agent, session, conversationId, user, cwd } = this.#context;
    const context = { agent, session, conversation_id: conversationId, user, cwd };
    const known = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined));
    return this.client.ask(
      { ...known, ...(typeof question === 'string' ? { question } : question) },
      options,
    );
  }

  /**
   * For frameworks that save a run and go on later: runs the call when the policy allows it; a call
   * that a person has to decide gives a signal to stop on, to be handed to {@link Gate.resume}.
   *
   * @throws {@link ApprovalError} when it is denied at once.
   */
  async pauseOrRun<T>(
    call: ToolCall,
    execute: Execute<T>,
    options: CallOptions = {},
  ): Promise<T | PauseSignal> {
    const request = this.request(call);
    const result = await this.client.submit(request, options);
    if (result.status === 'pending') return pauseSignal(request, result);
    if (result.status !== 'approved') throw errorOf(result, request.tool);
    return execute(decided(request, result), result);
  }

  /**
   * Goes on after {@link Gate.pauseOrRun}: waits for the person, and runs the call once. It has to be
   * the very call that was paused.
   *
   * @throws {@link ApprovalError} when it is not approved, not the same call, or was run already.
   */
  async resume<T>(
    pause: PauseSignal | string,
    call: ToolCall,
    execute: Execute<T>,
    options: WaitOptions = {},
  ): Promise<T> {
    const id = typeof pause === 'string' ? pause : pause.metadata.approvalId;
    const request = this.request(call);
    const result = await this.client.resume(id, request, options);
    if (result.status !== 'approved') throw errorOf(result, request.tool);
    return execute(decided(request, result), result);
  }

  /** The request that goes with a call. */
  request(call: ToolCall): ApprovalRequest {
    return requestOf(call, this.#context);
  }
}
