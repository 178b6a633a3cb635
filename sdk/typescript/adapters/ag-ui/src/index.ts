// AG-UI interrupts (tried with `@ag-ui/core` and `@ag-ui/client` 1.0.0), on both sides of a run.

import { randomUUID } from 'node:crypto';

import { type Arguments, type CallContext, Gate, type PauseSignal, type ToolCall } from 'handraise';
import { NOT_READABLE, type Decision, decide, readArguments } from 'handraise/adapter';

/** What a run waits for. */
export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** The answer to an interrupt, in the next run's `resume`. */
export interface AgUiResume {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: AgUiPayload;
}

/** What an agent reads of a decision, when it goes on. */
export type AgUiPayload = { approved: true; arguments?: Arguments } | { approved: false; reason: string };

/** A message of a thread, as far as it is looked at. */
interface AgUiMessage {
  readonly role: string;
  readonly toolCalls?: readonly { id: string; function: { name: string; arguments: string } }[] | undefined;
}

/** How interrupts are answered. */
export interface AgUiOptions extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
  /** The thread's messages: the calls that interrupts are about. */
  messages: readonly AgUiMessage[];
  signal?: AbortSignal | undefined;
}

/**
 * Answers the interrupts of a run that are about tool calls, on the side of the client. All are shown together.
 *
 * @example
 * while (agent.pendingInterrupts.length > 0) {
 *   const resume = await answerInterrupts(agent.pendingInterrupts, { gate, messages: agent.messages });
 *   await agent.runAgent({ resume });
 * }
 *
 * An interrupt whose call is not among the messages is `cancelled`: nobody can decide about what they do not see.
 */
export async function answerInterrupts(
  interrupts: readonly AgUiInterrupt[],
  { gate: given, messages, signal, ...context }: AgUiOptions,
): Promise<AgUiResume[]> {
  const gate = (given ?? new Gate()).with(context);
  const batch = randomUUID();
  return Promise.all(
    interrupts.map(async ({ id, toolCallId, message }): Promise<AgUiResume> => {
      const call = callIn(messages, toolCallId);
      if (call === undefined) return { interruptId: id, status: 'cancelled' };
      const decision: Decision =
        call.arguments === undefined
          ? NOT_READABLE
          : await decide(gate, { ...call, batch, traceId: toolCallId, intent: message }, signal);
      return { interruptId: id, status: 'resolved', payload: payloadOf(decision) };
    }),
  );
}

/** The interrupt that a paused call is ({@link Gate.pauseOrRun}), on the side of the agent. */
export function interruptOf(pause: PauseSignal, toolCallId?: string): AgUiInterrupt {
  return {
    id: pause.metadata.approvalId,
    reason: 'handraise:approval',
    message: pause.prompt,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    expiresAt: new Date(Date.now() + pause.ttlMs).toISOString(),
  };
}

/**
 * Goes on with a call after {@link interruptOf}, on the side of the agent: waits for Handraise, whatever the client says.
 * A client that answers `resolved` approves nothing by that; one that answers `cancelled` takes the request back.
 *
 * @throws {@link ApprovalError} when the call is not approved.
 */
export async function resumeInterrupt<T>(
  gate: Gate,
  { interruptId, status }: { interruptId: string; status: string },
  call: ToolCall,
  execute: (args: Arguments) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (status !== 'resolved') await gate.client.cancel(interruptId);
  return gate.resume(interruptId, call, execute, signal ? { signal } : {});
}

function callIn(messages: readonly AgUiMessage[], id: string | undefined) {
  const calls = messages.flatMap(({ role, toolCalls }) => (role === 'assistant' ? (toolCalls ?? []) : []));
  const found = id === undefined ? undefined : calls.findLast((call) => call.id === id);
  if (found === undefined) return undefined;
  return { tool: found.function.name, arguments: readArguments(found.function.arguments) };
}

function payloadOf(decision: Decision): AgUiPayload {
  if (!decision.isApproved) return { approved: false, reason: decision.reason };
  return { approved: true, ...(decision.isChanged ? { arguments: decision.arguments } : {}) };
}
