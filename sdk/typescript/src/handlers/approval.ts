// The shapes of apcore's approval system; other frameworks have found the same.

import { deepFreeze } from '../errors.js';
import { snapshot } from '../json.js';

/** What a handler is asked. */
export interface ApprovalRequest {
  /** The module or tool. */
  readonly moduleId: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The framework's own context of the call, handed through. */
  readonly context: unknown;
  /** The module's annotations, in the framework's own form. */
  readonly annotations: unknown;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** The module that calls; `null` at the top level. */
  readonly callerId: string | null;
  /** What is to be done; the module's id unless said otherwise. */
  readonly action: string;
}

/** What a handler answers. Any status but `approved` keeps the call from running. */
export interface ApprovalResult {
  readonly status: 'approved' | 'rejected' | 'timeout' | 'pending';
  readonly approvedBy: string | null;
  readonly reason: string | null;
  /** Comes back with this, when pending. */
  readonly approvalId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Decides about calls, or asks somebody who does. */
export interface ApprovalHandler {
  /** Decides. May answer `pending` with an `approvalId`. */
  requestApproval(request: ApprovalRequest): Promise<ApprovalResult>;
  /** How a pending request stands. */
  checkApproval(approvalId: string): Promise<ApprovalResult>;
}

/** A handler that binds what it approves to the call, and gives each approval out once. */
export interface ResumableHandler extends ApprovalHandler {
  /** Uses the approval up, when it is one for this very call. */
  resumeApproval(approvalId: string, request: ApprovalRequest): Promise<ApprovalResult>;
}

/** A frozen request; its arguments are a copy. */
export function createApprovalRequest(
  request: Pick<ApprovalRequest, 'moduleId'> & { [Name in keyof ApprovalRequest]?: unknown },
): ApprovalRequest {
  const { moduleId, context = null, annotations = null, description, tags, callerId, action } = request;
  return Object.freeze({
    moduleId,
    arguments: deepFreeze(snapshot(request.arguments)),
    context,
    annotations,
    description: (description as string | undefined) ?? null,
    tags: Object.freeze([...((tags as readonly string[] | undefined) ?? [])]),
    callerId: (callerId as string | undefined) ?? null,
    action: (action as string | undefined) ?? moduleId,
  });
}

/** A frozen result. */
export function createApprovalResult(
  result: Pick<ApprovalResult, 'status'> & Partial<ApprovalResult>,
): ApprovalResult {
  const { status, approvedBy = null, reason = null, approvalId = null, metadata = null } = result;
  return Object.freeze({ status, approvedBy, reason, approvalId, metadata: deepFreeze(metadata) });
}

/** Whether `value` is a handler: told by its methods. */
export function isApprovalHandler(value: unknown): value is ApprovalHandler {
  const handler = value as Partial<ApprovalHandler> | null | undefined;
  return typeof handler?.requestApproval === 'function' && typeof handler.checkApproval === 'function';
}

/** Whether a handler binds its approvals itself. */
export function isResumable(handler: ApprovalHandler): handler is ResumableHandler {
  return typeof (handler as Partial<ResumableHandler>).resumeApproval === 'function';
}
