import type { Approval } from '../../../generated/protocol';

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
