import type { ApprovalResult } from '../generated/protocol.js';
import { isObject } from '../json.js';
import type { ToolDefinition } from './definitions.js';

/** Whether a denial is marked as an error. */
export type DenialForm =
  /** Where the tool has an `outputSchema`: official clients throw there on a plain result. */
  'auto' | 'always' | 'never';

/** Why a call does not run. */
export interface Refusal {
  /** For programs. */
  status: 'denied' | 'timeout' | 'cancelled' | 'pending' | 'unavailable';
  /** For the model; never empty. */
  reason: string;
  /** How the request stands, when there is one. */
  result?: ApprovalResult;
}

/** The result of a tool that did not run. */
export interface RefusalResult {
  content: [{ type: 'text'; text: string }];
  isError: boolean;
  _meta: Record<string, unknown>;
  [name: string]: unknown;
}

/**
 * A refusal as the result of a tool call, so that the model can read it and go on.
 *
 * @param revision The revision of MCP that the request names.
 */
export function refusalResult(
  refusal: Refusal,
  definition: ToolDefinition | undefined,
  form: DenialForm = 'auto',
  revision?: string,
): RefusalResult {
  const hasOutputSchema = isObject(definition?.['outputSchema']);
  const { result, status, reason } = refusal;
  return {
    // Every result of a revision that requests name themselves says that it is whole.
    ...(revision === undefined ? {} : { resultType: 'complete' }),
    content: [{ type: 'text', text: refusalText(refusal) }],
    isError: form === 'always' || (form === 'auto' && hasOutputSchema),
    _meta: {
      ...(result === undefined ? {} : { approvalId: result.id }),
      'handraise/approval': {
        status,
        reason,
        ...(result === undefined ? {} : { id: result.id, risk: result.risk, expires_at: result.expires_at }),
        ...(result?.decided_by === undefined ? {} : { decided_by: result.decided_by }),
        ...(result?.rule === undefined ? {} : { rule: result.rule }),
      },
    },
  };
}

/** A refusal in words. */
export function refusalText({ status, reason, result }: Refusal): string {
  if (status !== 'pending' || result === undefined) return `Denied: ${reason}`;
  return (
    `Approval pending: a person is being asked; nothing has run. Call the same tool again with the same ` +
    `arguments and "_approval_token": "${result.id}" (or _meta.approvalId) to go on.`
  );
}
