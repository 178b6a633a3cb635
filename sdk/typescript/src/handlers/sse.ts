import { randomUUID } from 'node:crypto';

import { type DisplayOptions, displayArguments } from '../display.js';
import {
  type ApprovalHandler,
  type ApprovalRequest,
  type ApprovalResult,
  createApprovalResult,
} from './approval.js';
import { riskOf } from './risk-of.js';

/** A call that waits for an answer over the wire. */
export interface PendingApproval {
  readonly request_id: string;
  readonly tool_name: string;
  /** Without secrets, and cut. */
  readonly arguments: unknown;
  readonly risk_level: string;
  readonly agent_name: string;
}

/** An answer over the wire. What is not said is no. */
export interface WireDecision {
  approved?: boolean;
  /** Approve the tool for the session. */
  always?: boolean;
  reason?: string;
}

/** How an {@link SseApprovalHandler} asks. */
export interface SseOptions {
  /** How long an answer may take, in seconds; default 300. */
  timeoutSeconds?: number;
  agentName?: string;
  /** What is streamed of the arguments. */
  display?: DisplayOptions;
}

const DEFAULT_TIMEOUT_SECONDS = 300;

/**
 * Streams what waits as server-sent events, and takes the answers by id. Who may open the stream
 * and who may answer is up to the server that it is put behind: an agent must not reach it.
 */
export class SseApprovalHandler implements ApprovalHandler {
  readonly #options: SseOptions;
  readonly #pending = new Map<string, { shown: PendingApproval; settle: (result: ApprovalResult) => void }>();
  readonly #listeners = new Set<(frame: string) => void>();

  constructor(options: SseOptions = {}) {
    this.#options = options;
  }

  /** What waits, oldest first. */
  get pending(): PendingApproval[] {
    return [...this.#pending.values()].map(({ shown }) => shown);
  }

  requestApproval(request: ApprovalRequest): Promise<ApprovalResult> {
    const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, agentName = '', display } = this.#options;
    const id = randomUUID();
    const shown = {
      request_id: id,
      tool_name: request.moduleId,
      arguments: displayArguments(request.arguments, display),
      risk_level: riskOf(request),
      agent_name: agentName,
    };
    return new Promise((answer) => {
      const timeout = createApprovalResult({
        status: 'timeout',
        reason: 'Nobody answered in time',
        approvalId: id,
      });
      const timer = setTimeout(() => this.#settle(id, timeout), timeoutSeconds * 1000);
      const settle = (result: ApprovalResult) => {
        clearTimeout(timer);
        answer(result);
      };
      this.#pending.set(id, { shown, settle });
      this.#send('ApprovalRequestEvent', shown);
    });
  }

  async checkApproval(approvalId: string): Promise<ApprovalResult> {
    const status = this.#pending.has(approvalId) ? 'pending' : 'rejected';
    return createApprovalResult({ status, approvalId });
  }

  /** Answers a call. An id that does not wait is ignored: `false`. */
  resolve(requestId: string, decision: WireDecision): boolean {
    const approved = decision.approved === true;
    const reason = typeof decision.reason === 'string' && decision.reason !== '' ? decision.reason : null;
    return this.#settle(
      requestId,
      createApprovalResult({
        status: approved ? 'approved' : 'rejected',
        approvedBy: 'sse',
        reason: reason ?? (approved ? null : 'Approval denied'),
        approvalId: requestId,
        metadata: approved && decision.always === true ? { always: true } : null,
      }),
    );
  }

  /** Frames of the stream, beginning with what waits already; ends when `signal` is aborted. */
  async *stream(signal?: AbortSignal): AsyncGenerator<string, void> {
    const frames = this.pending.map((shown) => sseFrame('ApprovalRequestEvent', shown));
    let wake: () => void = () => undefined;
    const listener = (frame: string) => {
      frames.push(frame);
      wake();
    };
    const stop = () => wake();
    this.#listeners.add(listener);
    signal?.addEventListener('abort', stop);
    try {
      while (!signal?.aborted) {
        const frame = frames.shift();
        if (frame !== undefined) yield frame;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal?.removeEventListener('abort', stop);
    }
  }

  #settle(id: string, result: ApprovalResult): boolean {
    const waiting = this.#pending.get(id);
    if (!waiting) return false;
    this.#pending.delete(id);
    const always = result.metadata?.['always'] === true;
    this.#send('ApprovalResultEvent', {
      request_id: id,
      tool_name: waiting.shown.tool_name,
      decision: result.status === 'approved' ? (always ? 'approved_always' : 'approved') : 'denied',
      reason: result.reason ?? '',
    });
    waiting.settle(result);
    return true;
  }

  #send(event: string, data: object): void {
    for (const listener of this.#listeners) listener(sseFrame(event, data));
  }
}

/** One server-sent event. */
export function sseFrame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
