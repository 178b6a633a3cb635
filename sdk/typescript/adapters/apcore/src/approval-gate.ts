import {
  ApprovalDeniedError,
  type ApprovalError,
  ApprovalPendingError,
  ApprovalTimeoutError,
  type Arguments,
  argumentsHash,
} from 'handraise';
import { callAtGate, isResumable, requiresApproval, snapshot } from 'handraise/adapter';
import {
  type ApprovalHandler,
  type ApprovalResult,
  createApprovalRequest,
  createApprovalResult,
  isApprovalHandler,
} from 'handraise/handlers';

/** A call on its way to a module. */
export interface ModuleCall {
  moduleId: string;
  /** As they came; `_approval_token` among them resumes a pending call. Never changed. */
  arguments: Readonly<Record<string, unknown>>;
  /** The module's annotations: typed, or a plain dictionary. */
  annotations?: unknown;
  /** An access rule demands an approval (`approval: required`). */
  isRequired?: boolean;
  context?: unknown;
  description?: string | null;
  tags?: readonly string[];
  callerId?: string | null;
  traceId?: string;
}

/** What was decided, for a log: the event `apcore.approval.decision`. */
export interface ApprovalDecisionEvent {
  event: 'apcore.approval.decision';
  severity: 'info' | 'warn';
  module_id: string;
  status: string;
  approved_by: string | null;
  reason: string | null;
  approval_id: string | null;
  trace_id: string | null;
}

/** How an {@link ApprovalGate} works. */
export interface ApprovalGateOptions {
  /** Without one there is no gate: every call passes. */
  handler?: ApprovalHandler | undefined;
  /** Every module is asked about, annotated or not. */
  strict?: boolean;
  /** Modules that are annotated as destructive are asked about. */
  gateDestructive?: boolean;
  /** Hears of every decision. What it throws changes nothing. */
  onDecision?: (event: ApprovalDecisionEvent) => void;
  /** Default: the console. */
  log?: Pick<Console, 'info' | 'warn'>;
}

/** What a caller sent cannot be taken. */
export class InvalidInputError extends Error {
  readonly code = 'GENERAL_INVALID_INPUT';
  override readonly name = 'InvalidInputError';
}

const TOKEN = '_approval_token';
/** Pending approvals that are remembered; the oldest is forgotten first. */
const REMEMBERED = 10_000;
/** How long a pending approval can be resumed, in milliseconds. */
const PENDING_FOR = 3600 * 1000;

interface Pending {
  moduleId: string;
  hash: string;
  until: number;
}

/**
 * The approval step of an executor in the manner of apcore: after access control, before input
 * validation and middleware. A token resumes the call that it was given out for: the same module
 * with the same arguments, once.
 */
export class ApprovalGate {
  readonly #options: ApprovalGateOptions;
  #handler: ApprovalHandler | undefined;
  readonly #pending = new Map<string, Pending>();

  constructor(options: ApprovalGateOptions = {}) {
    this.#options = options;
    this.setApprovalHandler(options.handler);
  }

  /**
   * Puts another handler in place.
   *
   * @throws TypeError when it is none.
   */
  setApprovalHandler(handler: ApprovalHandler | undefined): void {
    if (handler !== undefined && !isApprovalHandler(handler)) {
      throw new TypeError('an approval handler has the methods requestApproval and checkApproval');
    }
    this.#handler = handler;
  }

  /**
   * The arguments to run the module with, without the token.
   *
   * @throws {@link ApprovalError} unless the call is approved. What the handler throws is thrown.
   */
  async check(call: ModuleCall): Promise<Record<string, unknown>> {
    const { [TOKEN]: token, ...inputs } = call.arguments;
    if (token !== undefined && typeof token !== 'string')
      throw new InvalidInputError(`${TOKEN} must be a string`);
    if (!this.#handler || !this.#asks(call)) return inputs;

    const decided = snapshot(inputs);
    const result =
      token === undefined ? await this.#request(call, decided) : await this.#resume(call, decided, token);
    this.#tell(call, result);
    if (result.status !== 'approved') throw moduleError(call.moduleId, result);
    // What was decided about is what runs, whatever became of the caller's object meanwhile.
    const changed = result.metadata?.['arguments'];
    return snapshot(changed ?? decided);
  }

  #asks({ annotations, isRequired }: ModuleCall): boolean {
    const isDestructive = (annotations as { destructive?: unknown } | null | undefined)?.destructive === true;
    const byPolicy = this.#options.strict || (this.#options.gateDestructive && isDestructive);
    return byPolicy === true || isRequired === true || requiresApproval(annotations);
  }

  async #request(call: ModuleCall, inputs: Arguments): Promise<ApprovalResult> {
    const handler = this.#handler!;
    const request = createApprovalRequest({ ...call, arguments: inputs });
    const result = await callAtGate.run(request, () => handler.requestApproval(request));
    this.#remember(call, inputs, result);
    return result;
  }

  async #resume(call: ModuleCall, inputs: Arguments, token: string): Promise<ApprovalResult> {
    const handler = this.#handler!;
    const pending = this.#pending.get(token);
    const rejected = (reason: string) =>
      createApprovalResult({ status: 'rejected', reason, approvalId: token });
    if (pending === undefined && !isResumable(handler)) return rejected('approval_id not found');
    if (pending && (pending.moduleId !== call.moduleId || pending.hash !== argumentsHash(inputs))) {
      return rejected('The approval is for another call');
    }
    if (pending && pending.until < Date.now()) {
      this.#pending.delete(token);
      return rejected('The approval has expired');
    }
    // Used up before the handler is asked: of two that come at once, one is too late.
    this.#pending.delete(token);
    const request = createApprovalRequest({ ...call, arguments: inputs });
    const result = await callAtGate.run(request, () =>
      isResumable(handler) ? handler.resumeApproval(token, request) : handler.checkApproval(token),
    );
    if (result.status === 'pending' && pending) this.#pending.set(token, pending);
    return result;
  }

  #remember(call: ModuleCall, inputs: Arguments, result: ApprovalResult): void {
    if (result.status !== 'pending' || result.approvalId === null) return;
    const oldest = this.#pending.keys().next();
    if (this.#pending.size >= REMEMBERED && !oldest.done) this.#pending.delete(oldest.value);
    const until = Date.now() + PENDING_FOR;
    this.#pending.set(result.approvalId, { moduleId: call.moduleId, hash: argumentsHash(inputs), until });
  }

  #tell(call: ModuleCall, result: ApprovalResult): void {
    const isFine = result.status === 'approved' || result.status === 'pending';
    const event: ApprovalDecisionEvent = {
      event: 'apcore.approval.decision',
      severity: isFine ? 'info' : 'warn',
      module_id: call.moduleId,
      status: result.status,
      approved_by: result.approvedBy,
      reason: result.reason,
      approval_id: result.approvalId,
      trace_id: call.traceId ?? null,
    };
    const log = this.#options.log ?? console;
    if (!KNOWN.includes(result.status)) {
      log.warn(
        `Unknown approval status ${JSON.stringify(result.status)} for module ${call.moduleId}: denied`,
      );
    }
    log.info(`Approval decision: module=${call.moduleId} status=${result.status}`);
    try {
      this.#options.onDecision?.(event);
    } catch (error) {
      log.warn(`A listener for approval decisions failed: ${String(error)}`);
    }
  }
}

const KNOWN: readonly string[] = ['approved', 'rejected', 'timeout', 'pending'];

function moduleError(moduleId: string, result: ApprovalResult): ApprovalError<ApprovalResult> {
  const about = `for module '${moduleId}'`;
  switch (result.status) {
    case 'pending':
      return new ApprovalPendingError(`Approval pending ${about}`, result, {
        details: { moduleId, approvalId: result.approvalId },
      });
    case 'timeout':
      return new ApprovalTimeoutError(`Approval timed out ${about}`, result, { details: { moduleId } });
    default: {
      const because = result.reason ? `: ${result.reason}` : '';
      return new ApprovalDeniedError(`Approval denied ${about}${because}`, result, { details: { moduleId } });
    }
  }
}
