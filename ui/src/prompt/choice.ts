import type { Approval, DecisionRequest, JsonValue, ScopeChoice } from '../generated/protocol';
import { m } from '../paraglide/messages.js';

/** How far an answer reaches; `null` means this call only. */
export type Reach = ScopeChoice | null;

/** The narrowest choice that lasts for the session: exactly this call. */
export function sessionChoice(approval: Approval): ScopeChoice | undefined {
  return approval.scopes.find((choice) => choice.scope === 'session' && !choice.whole_tool);
}

/** Approves what was shown. */
export function approval(
  request: Approval,
  reach: Reach,
  edited?: { [key in string]: JsonValue },
): DecisionRequest {
  return {
    decision: 'approve',
    scope: reach?.scope ?? 'once',
    whole_tool: reach?.whole_tool ?? false,
    arguments_hash: request.arguments_hash,
    ...(edited === undefined ? {} : { arguments: edited }),
  };
}

/** Denies, with words for the model when there are any. */
export function denial(request: Approval, reach: Reach, reason: string): DecisionRequest {
  const words = reason.trim();
  return {
    decision: 'deny',
    scope: reach?.scope ?? 'once',
    whole_tool: reach?.whole_tool ?? false,
    arguments_hash: request.arguments_hash,
    ...(words === '' ? {} : { reason: words }),
  };
}

/** Approves the next identical retry of a request that has timed out. */
export function lateApproval(request: Approval): DecisionRequest {
  return { ...approval(request, null), late: true };
}

/** A choice in a few words. */
export function reachLabel(reach: Reach, tool: string): string {
  if (reach === null) return m.scope_once();
  if (reach.whole_tool)
    return reach.scope === 'minutes' ? m.scope_tool_minutes({ tool }) : m.scope_tool({ tool });
  return {
    once: m.scope_once(),
    minutes: m.scope_minutes(),
    session: m.scope_session(),
    project: m.scope_project(),
    always: m.scope_always(),
  }[reach.scope];
}

/** The words on the approve button for a choice. */
export function approveLabel(reach: Reach): string {
  if (reach === null || reach.scope === 'once') return m.approve_once();
  if (reach.whole_tool) return m.approve_tool();
  if (reach.scope === 'minutes') return m.approve_minutes();
  return reach.scope === 'session' ? m.approve_session() : m.approve();
}

/** Names a choice for tests. */
export function reachName(reach: Reach): string {
  if (reach === null) return 'once';
  if (!reach.whole_tool) return reach.scope;
  return reach.scope === 'session' ? 'tool' : `tool-${reach.scope}`;
}
