import type { ApprovalRequest, ApprovalResult } from '../generated/protocol.js';

/** Returned as a tool's result, it stops a run until a person has decided. */
export interface PauseSignal {
  readonly __pause: true;
  readonly prompt: string;
  readonly metadata: {
    readonly toolId: string;
    readonly intentId?: string;
    readonly agentId?: string;
    readonly approvalRequest: true;
    /** Goes on with this. */
    readonly approvalId: string;
  };
  /** How long the person has, in milliseconds. */
  readonly ttlMs: number;
}

/** The signal for a request that a person has to decide. */
export function pauseSignal(request: ApprovalRequest, result: ApprovalResult): PauseSignal {
  const { tool, intent, agent } = request;
  return {
    __pause: true,
    prompt: pausePrompt(tool, intent, agent),
    metadata: {
      toolId: tool,
      ...(intent === undefined ? {} : { intentId: intent }),
      ...(agent === undefined ? {} : { agentId: agent }),
      approvalRequest: true,
      approvalId: result.id,
    },
    ttlMs: Math.max(0, Date.parse(result.expires_at) - Date.parse(result.requested_at)),
  };
}

/** The words of a pause. */
export function pausePrompt(tool: string, intent: string | undefined, agent: string | undefined): string {
  return `Tool '${tool}' requires approval. Intent: ${intent ?? 'unknown'}, Agent: ${agent ?? 'unknown'}.`;
}

/** Whether a tool's result is a signal to stop on. */
export function isPause(value: unknown): value is PauseSignal {
  return typeof value === 'object' && value !== null && (value as { __pause?: unknown }).__pause === true;
}
