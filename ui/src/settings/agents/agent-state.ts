import type { AgentOverview, ConnectionState } from '../../generated/protocol';

/** What can be said of an agent in one word. */
export type AgentState = ConnectionState | 'not_connected' | 'unreadable';

/** The worst of its connections counts: one that does not work leaves a gap. */
const WORST_FIRST: ConnectionState[] = ['switched_off', 'out_of_date', 'up_to_date'];

export function stateOf({ connections, problem }: AgentOverview): AgentState {
  if (problem) return 'unreadable';
  const states = connections.map(({ state }) => state);
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'not_connected';
}

/** Asked before every call in every place, and not only where the agent would ask itself. */
export function asksAlways({ connections }: AgentOverview): boolean {
  return connections.length > 0 && connections.every(({ every_call }) => every_call);
}

/** Agents that are there, or connected, in the order of their names; then the others. */
export function divide(agents: readonly AgentOverview[]): {
  found: AgentOverview[];
  missing: AgentOverview[];
} {
  const sorted = [...agents].sort((one, other) => one.display_name.localeCompare(other.display_name));
  const isThere = (agent: AgentOverview): boolean =>
    agent.is_installed || agent.connections.length > 0 || agent.problem !== undefined;
  return { found: sorted.filter(isThere), missing: sorted.filter((agent) => !isThere(agent)) };
}
