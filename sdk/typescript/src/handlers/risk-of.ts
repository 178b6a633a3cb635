import type { Annotations, RiskLevel } from '../generated/protocol.js';
import { isObject } from '../json.js';
import type { ApprovalRequest } from './approval.js';

/** A field under its name in TypeScript or in Python. */
function field(annotations: unknown, ...names: string[]): unknown {
  if (!isObject(annotations)) return undefined;
  return names.map((name) => annotations[name]).find((value) => value !== undefined);
}

/** Whether a module says that it needs an approval: typed annotations or a plain dictionary. */
export function requiresApproval(annotations: unknown): boolean {
  return field(annotations, 'requiresApproval', 'requires_approval') === true;
}

/** The annotations of a module as hints in the words of MCP. */
export function hintsOf(annotations: unknown): Annotations | undefined {
  const hints: Annotations = {};
  const take = (name: keyof Annotations, ...names: string[]) => {
    const value = field(annotations, name, ...names);
    if (typeof value === 'boolean') hints[name] = value;
  };
  take('readOnlyHint', 'readonly');
  take('destructiveHint', 'destructive');
  take('idempotentHint', 'idempotent');
  take('openWorldHint', 'openWorld', 'open_world');
  return Object.keys(hints).length > 0 ? hints : undefined;
}

/** How dangerous a module says that it is. */
export function riskOf(request: ApprovalRequest): RiskLevel {
  const hints = hintsOf(request.annotations);
  if (hints?.destructiveHint) return 'destructive';
  return hints?.readOnlyHint ? 'read_only' : 'write';
}
