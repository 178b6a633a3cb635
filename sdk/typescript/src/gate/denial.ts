import { ApprovalError } from '../errors.js';
import type { ApprovalResult } from '../generated/protocol.js';

/**
 * What a model gets in the place of a tool's result when the call did not run. It is no error: the
 * model reads the reason and adapts. Shaped like a tool result of MCP, with the details in `_meta`.
 */
export interface DeniedToolResult {
  readonly denied: true;
  readonly isError: false;
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly _meta: {
    readonly status: Exclude<ApprovalResult['status'], 'approved'>;
    readonly approvalId?: string;
    readonly reason: string;
  };
  toString(): string;
}

/** The words for a model: `Denied: REASON`. A reason is never empty. */
export function denialText(reason: string | undefined): string {
  return `Denied: ${reason?.trim() || 'Approval denied'}`;
}

/** Makes the tool's result of a denial. */
export function deniedToolResult(denial: ApprovalError | ApprovalResult): DeniedToolResult {
  const result = denial instanceof ApprovalError ? denial.result : denial;
  const reason = (denial.reason ?? '').trim() || 'Approval denied';
  const text = denialText(reason);
  const status = result === undefined || result.status === 'approved' ? 'denied' : result.status;
  const denied: DeniedToolResult = {
    denied: true,
    isError: false,
    content: [{ type: 'text', text }],
    _meta: { status, reason, ...(result ? { approvalId: result.id } : {}) },
  };
  // A framework that turns results into text gets the words.
  Object.defineProperty(denied, 'toString', { value: () => text });
  return denied;
}

/** Whether a tool's result is one of {@link deniedToolResult}. */
export function isDenied(value: unknown): value is DeniedToolResult {
  return typeof value === 'object' && value !== null && (value as { denied?: unknown }).denied === true;
}
