import type { Approval } from '../generated/protocol';

/** Calls of one batch stand together, where the first of them stood; everything else keeps its order. */
export function byStep(approvals: readonly Approval[]): Approval[] {
  const first = (approval: Approval): number =>
    approval.batch === undefined
      ? approvals.indexOf(approval)
      : approvals.findIndex((other) => other.batch === approval.batch);
  return [...approvals].sort((one, other) => first(one) - first(other));
}

/** The open calls of the batch that `approval` belongs to; empty when there is no other one. */
export function stepOf(pending: readonly Approval[], approval: Approval): Approval[] {
  const step = pending.filter((other) => other.batch !== undefined && other.batch === approval.batch);
  return step.length > 1 && step.some((other) => other.id === approval.id) ? step : [];
}

/** The open calls of the agent that asks `approval`; empty when there is no other one, or nobody knows who asks. */
export function sameAgent(pending: readonly Approval[], approval: Approval): Approval[] {
  const all = pending.filter(
    ({ agent, agent_verified: verified }) =>
      agent !== undefined && agent === approval.agent && verified === approval.agent_verified,
  );
  return all.length > 1 && all.some((other) => other.id === approval.id) ? all : [];
}
