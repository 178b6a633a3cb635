import type { ApprovalRequest, ApprovalResult } from '../generated/protocol.js';
import { type Arguments, snapshot } from '../json.js';

/** Runs a call with the arguments that were decided about. */
export type Execute<T> = (args: Arguments, result: Readonly<ApprovalResult>) => T | Promise<T>;

/** What runs: a person's changed arguments, or a copy of those that were asked about. */
export function decided(request: ApprovalRequest, result: ApprovalResult): Arguments {
  return snapshot(result.arguments ?? request.arguments);
}
