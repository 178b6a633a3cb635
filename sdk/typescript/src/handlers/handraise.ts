import { errorOf, GateRefusedError } from '../errors.js';
import type { CallContext, ToolCall } from '../gate/call.js';
import { Gate } from '../gate/gate.js';
import type { ApprovalResult as GateResult } from '../generated/protocol.js';
import {
  type ApprovalRequest,
  type ApprovalResult,
  type ResumableHandler,
  createApprovalResult,
} from './approval.js';
import { callAtGate } from './call-at-gate.js';
import { hintsOf } from './risk-of.js';

/** How a {@link HandraiseApprovalHandler} asks. */
export interface HandraiseHandlerOptions {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate;
  /**
   * `blocking` (default): waits for the person. `pending`: behind an `ApprovalGate` it answers at once with the
   * id of what is open, and the approval is given out once, later, for the same call. Behind another executor
   * it waits all the same: that would run any call with the id.
   */
  mode?: 'blocking' | 'pending';
  /** What a framework knows of the call: its session, its agent. */
  context?: (request: ApprovalRequest) => CallContext;
  /**
   * The framework runs `metadata.arguments` where they are given. Without this, an approval with
   * arguments that the person changed counts as rejected, for the wrong ones would run.
   */
  takesChangedArguments?: boolean;
}

/** Has a person decide through Handraise. A gate that cannot be asked throws: nothing runs. */
export class HandraiseApprovalHandler implements ResumableHandler {
  readonly #options: HandraiseHandlerOptions;
  readonly #gate: Gate;

  constructor(options: HandraiseHandlerOptions = {}) {
    this.#options = options;
    this.#gate = options.gate ?? new Gate();
  }

  async requestApproval(request: ApprovalRequest): Promise<ApprovalResult> {
    const isBound = callAtGate.getStore() !== undefined;
    const wait = this.#options.mode === 'pending' && isBound ? { wait: 0 } : {};
    return this.#result(await this.#gate.decide(this.#call(request), wait));
  }

  /**
   * How a request stands, for whoever looks. What is approved stays `pending` here, with the words that it can
   * be used: nothing tells which call an id is used for. {@link HandraiseApprovalHandler.resumeApproval} knows.
   */
  async checkApproval(approvalId: string): Promise<ApprovalResult> {
    let result: GateResult;
    try {
      result = await this.#gate.client.result(approvalId);
    } catch (error) {
      if (error instanceof GateRefusedError && error.problem.code === 'not_found')
        return unknownId(approvalId);
      throw error;
    }
    if (result.status !== 'approved') return this.#result(result);
    const reason = `Approved. Call the module again with the same arguments and _approval_token=${approvalId}.`;
    return createApprovalResult({ status: 'pending', reason, approvalId });
  }

  async resumeApproval(approvalId: string, request: ApprovalRequest): Promise<ApprovalResult> {
    return this.#resume(approvalId, this.#call(request));
  }

  async #resume(approvalId: string, call: ToolCall): Promise<ApprovalResult> {
    try {
      const result = await this.#gate.client.resume(approvalId, this.#gate.request(call), { wait: 0 });
      return this.#result(result);
    } catch (error) {
      if (!(error instanceof GateRefusedError)) throw error;
      if (error.problem.code === 'not_found') return unknownId(approvalId);
      return createApprovalResult({ status: 'rejected', reason: error.problem.detail, approvalId });
    }
  }

  #call(request: ApprovalRequest): ToolCall {
    return toolCallOf(request, this.#options.context);
  }

  #result(result: GateResult): ApprovalResult {
    const changed = result.arguments;
    if (result.status === 'approved' && changed && !this.#options.takesChangedArguments) {
      const reason = `Approved with other arguments: ${JSON.stringify(changed)}. Call again with these.`;
      return createApprovalResult({ status: 'rejected', reason, approvalId: result.id });
    }
    return createApprovalResult({
      status: STATUS[errorCode(result)],
      approvedBy: result.status === 'approved' ? (result.decided_by ?? null) : null,
      reason: result.reason ?? null,
      approvalId: result.id,
      metadata: {
        scope: result.scope ?? null,
        rule: result.rule ?? null,
        risk: result.risk,
        ...(changed ? { arguments: changed } : {}),
      },
    });
  }
}

/** The call that is asked about for a module; with what a framework knows of it. */
export function toolCallOf(
  request: ApprovalRequest,
  context?: (request: ApprovalRequest) => CallContext,
): ToolCall {
  const { moduleId, description, tags, callerId } = request;
  return {
    ...context?.(request),
    tool: moduleId,
    arguments: request.arguments,
    tags,
    annotations: hintsOf(request.annotations),
    description: description ?? undefined,
    intent: callerId === null ? undefined : `Called by ${callerId}`,
  };
}

const STATUS = {
  APPROVED: 'approved',
  APPROVAL_TIMEOUT: 'timeout',
  APPROVAL_PENDING: 'pending',
  APPROVAL_DENIED: 'rejected',
  APPROVAL_CANCELLED: 'rejected',
  GATE_UNAVAILABLE: 'rejected',
  GATE_REFUSED: 'rejected',
} as const;

function errorCode(result: GateResult): keyof typeof STATUS {
  return result.status === 'approved' ? 'APPROVED' : errorOf(result).code;
}

function unknownId(approvalId: string): ApprovalResult {
  return createApprovalResult({ status: 'rejected', reason: 'approval_id not found', approvalId });
}
