import type {
  Approval,
  Breadth,
  DecisionRequest,
  JsonValue,
  Scope,
  ScopeChoice,
  Widening,
} from '../../../generated/protocol';
import { m } from '../../../paraglide/messages.js';

/** How far an answer reaches; `null` means this call only. */
export type Reach = ScopeChoice | null;

const LONGER: readonly Scope[] = ['minutes', 'session', 'project', 'always'];
const WIDER: readonly Breadth[] = ['exact', 'prefix', 'folder', 'tool'];

/** The narrowest choice that lasts for the session: exactly this call. */
export function sessionChoice(approval: Approval): ScopeChoice | undefined {
  return approval.scopes.find((choice) => choice.scope === 'session' && choice.breadth === 'exact');
}

/** How long an answer can last, the shortest first; this call only is always among it. */
export function durations(approval: Approval): Scope[] {
  return ['once', ...LONGER.filter((scope) => approval.scopes.some((choice) => choice.scope === scope))];
}

/** How much an answer of this duration can cover, the narrowest first. */
export function breadths(approval: Approval, scope: Scope): ScopeChoice[] {
  return WIDER.flatMap((breadth) =>
    approval.scopes.filter(
      (choice) => choice.scope !== 'once' && choice.scope === scope && choice.breadth === breadth,
    ),
  );
}

/** What a duration means until a person widens it. */
export function narrowest(approval: Approval, scope: Scope): Reach {
  return breadths(approval, scope)[0] ?? null;
}

/** What a person has changed before approving: the arguments, or what the answer remembers. */
type Changed = {
  edited?: { [key in string]: JsonValue };
  rule?: string | null;
  /** The simple commands that the answer covers. */
  commands?: number[] | undefined;
};

/** Approves what was shown, as the person has changed it. */
export function approval(request: Approval, reach: Reach, changed: Changed = {}): DecisionRequest {
  const { edited, rule = null, commands } = changed;
  return {
    decision: 'approve',
    scope: reach?.scope ?? 'once',
    breadth: reach?.breadth ?? 'exact',
    arguments_hash: request.arguments_hash,
    ...(edited === undefined ? {} : { arguments: edited }),
    ...(rule === null ? {} : { rule }),
    ...(commands && { commands }),
  };
}

/** Approves what was shown, inside walls that were shown, this once: those of the call, or wider ones. */
export function confinedApproval(request: Approval, wider?: Widening): DecisionRequest {
  // Without walls nothing is approved: no walls have this name.
  return { ...approval(request, null), confined: wider?.hash ?? request.confinement?.hash ?? '' };
}

/** Denies, with words for the model when there are any. */
export function denial(request: Approval, reach: Reach, reason: string): DecisionRequest {
  const words = reason.trim();
  return {
    decision: 'deny',
    scope: reach?.scope ?? 'once',
    breadth: reach?.breadth ?? 'exact',
    arguments_hash: request.arguments_hash,
    ...(words === '' ? {} : { reason: words }),
  };
}

/** Approves the next identical retry of a request that has timed out. */
export function lateApproval(request: Approval): DecisionRequest {
  return { ...approval(request, null), late: true };
}

/** How long, in a few words. */
export function scopeLabel(scope: Scope): string {
  return {
    once: m.scope_once(),
    minutes: m.scope_minutes(),
    session: m.scope_session(),
    project: m.scope_project(),
    always: m.scope_always(),
  }[scope];
}

/** How much, in a few words. What lasts beyond the session becomes a rule, which says nothing about contents. */
export function breadthLabel(choice: ScopeChoice, request: Approval): string {
  const lasts = choice.scope === 'project' || choice.scope === 'always';
  const isFile = ['edit', 'write', 'read'].includes(request.subject.kind);
  return {
    exact: lasts && isFile ? m.breadth_file() : m.breadth_exact(),
    prefix: m.breadth_prefix(),
    folder: m.breadth_folder(),
    tool: m.breadth_tool({ tool: request.tool }),
  }[choice.breadth];
}

/** The words on the approve button for a choice: how long, and that it is more than this call. */
export function approveLabel(reach: Reach): string {
  if (reach === null || reach.scope === 'once') return m.approve_once();
  const wide = reach.breadth !== 'exact';
  switch (reach.scope) {
    case 'minutes':
      return wide ? m.approve_minutes_wide() : m.approve_minutes();
    case 'session':
      return wide ? m.approve_session_wide() : m.approve_session();
    case 'project':
      return wide ? m.approve_project_wide() : m.approve_project();
    case 'always':
      return wide ? m.approve_always_wide() : m.approve_always();
  }
}
