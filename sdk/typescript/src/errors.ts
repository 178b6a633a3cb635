import type { ApprovalResult, Problem } from './generated/protocol.js';

/** For programs. The values never change their meaning. */
export type ApprovalErrorCode =
  | 'APPROVAL_DENIED'
  | 'APPROVAL_TIMEOUT'
  | 'APPROVAL_CANCELLED'
  | 'APPROVAL_PENDING'
  | 'GATE_UNAVAILABLE'
  | 'GATE_REFUSED';

/** What every kind of result says: that of the gate, and that of a handler (`handraise/handlers`). */
export interface AnyResult {
  readonly status: string;
  readonly reason?: string | null | undefined;
  /** Identifies the request at the gate. */
  readonly id?: string;
  /** Identifies the request at a handler. */
  readonly approvalId?: string | null;
}

/** What an error knows besides its words. */
export interface ApprovalErrorOptions extends ErrorOptions {
  /** For programs: what the error is about. */
  details?: Record<string, unknown>;
}

/** Why a call must not run. Whatever the subclass: nothing was approved. */
export abstract class ApprovalError<R extends AnyResult = ApprovalResult> extends Error {
  abstract readonly code: ApprovalErrorCode;
  /** Trying again can help. */
  readonly retryable: boolean = false;
  /** How the request stands, frozen; absent when there is no request. */
  readonly result: Readonly<R> | undefined;
  /** For programs: what the error is about. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, result?: R, options: ApprovalErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.name = new.target.name;
    this.result = result === undefined ? undefined : deepFreeze(result);
    this.details = deepFreeze({ ...options.details });
  }

  /** Text for the model; never empty. */
  get reason(): string {
    return this.result?.reason || this.message;
  }

  /** Identifies the request; absent when there is none. */
  get approvalId(): string | undefined {
    return this.result?.id ?? this.result?.approvalId ?? undefined;
  }

  /** For logs and the wire; without what the result holds. */
  toJSON(): Record<string, unknown> {
    const { code, message, details, retryable } = this;
    return { code, message, details, retryable, user_fixable: false };
  }
}

/** A person, a rule or a remembered answer said no; or the answer is one that nobody knows. */
export class ApprovalDeniedError<R extends AnyResult = ApprovalResult> extends ApprovalError<R> {
  readonly code = 'APPROVAL_DENIED';
}

/** Nobody answered in time. */
export class ApprovalTimeoutError<R extends AnyResult = ApprovalResult> extends ApprovalError<R> {
  readonly code = 'APPROVAL_TIMEOUT';
  override readonly retryable = true;
}

/** The request was withdrawn before anybody answered. */
export class ApprovalCancelledError<R extends AnyResult = ApprovalResult> extends ApprovalError<R> {
  readonly code = 'APPROVAL_CANCELLED';
}

/** A person is still being asked. Come back with {@link ApprovalError.approvalId}. */
export class ApprovalPendingError<R extends AnyResult = ApprovalResult> extends ApprovalError<R> {
  readonly code = 'APPROVAL_PENDING';
}

/** What keeps the gate from being asked. */
export type UnavailableCause =
  /** No discovery file, or nobody listens where it points to. */
  | 'not_running'
  /** Somebody listens who does not know the token. Nothing but the token's public id was sent. */
  | 'not_proved'
  /** The token file is missing. */
  | 'no_token'
  /** The token file holds something else. */
  | 'damaged_token'
  /** A file is open to others, or cannot be read. */
  | 'file'
  /** The connection broke, and did not come back in time. */
  | 'interrupted'
  /** The answer cannot be understood, or belongs to another call. */
  | 'answer';

/** The gate cannot be asked, so nothing may run. */
export class GateUnavailableError extends ApprovalError {
  readonly code = 'GATE_UNAVAILABLE';
  override readonly retryable = true;

  constructor(
    /** What keeps the gate from being asked. */
    readonly why: UnavailableCause,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, undefined, options);
  }
}

/** The gate is there and does not take the request. */
export class GateRefusedError extends ApprovalError {
  readonly code = 'GATE_REFUSED';

  constructor(
    /** The gate's own words, with a stable code of its own. */
    readonly problem: Readonly<Problem>,
  ) {
    super(problem.detail || problem.title, problem.result);
  }
}

/**
 * The error that goes with a result that does not approve.
 *
 * @param about What was decided about, for the message: a tool's name.
 */
export function errorOf(result: ApprovalResult, about = 'the call'): ApprovalError {
  const because = result.reason ? `: ${result.reason}` : '';
  switch (result.status) {
    case 'pending':
      return new ApprovalPendingError(`Approval pending for ${about}`, result);
    case 'timeout':
      return new ApprovalTimeoutError(`Approval timed out for ${about}`, result);
    case 'cancelled':
      return new ApprovalCancelledError(`Approval cancelled for ${about}${because}`, result);
    default:
      return new ApprovalDeniedError(`Approval denied for ${about}${because}`, result);
  }
}

/** Throws unless `result` is an explicit approval. */
export function assertApproved(result: ApprovalResult, about?: string): void {
  if (result.status !== 'approved') throw errorOf(result, about);
}

/** Freezes a JSON value with all that is in it. */
export function deepFreeze<T>(value: T): Readonly<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
