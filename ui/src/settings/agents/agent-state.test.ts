import { describe, expect, it } from 'vitest';
import type { AgentConnection, AgentOverview } from '../../generated/protocol';
import { asksAlways, divide, stateOf } from './agent-state';

function agent(name: string, more: Partial<AgentOverview> = {}): AgentOverview {
  const none = { is_installed: false, has_own_questions: false, connections: [], stays_open: [] };
  return { name, display_name: name, ...none, ...more };
}

function connection(state: AgentConnection['state'], every_call = true): AgentConnection {
  return { level: 'user', file: '/f', every_call, state };
}

describe('the state of an agent', () => {
  it('is that of its worst connection', () => {
    expect(stateOf(agent('a'))).toBe('not_connected');
    expect(stateOf(agent('a', { connections: [connection('up_to_date')] }))).toBe('up_to_date');
    const both = [connection('up_to_date'), connection('out_of_date')];
    expect(stateOf(agent('a', { connections: both }))).toBe('out_of_date');
    expect(stateOf(agent('a', { connections: [...both, connection('switched_off')] }))).toBe('switched_off');
    expect(stateOf(agent('a', { connections: both, problem: 'no' }))).toBe('unreadable');
  });

  it('says that every call is asked about only when no place says otherwise', () => {
    expect(asksAlways(agent('a'))).toBe(false);
    expect(asksAlways(agent('a', { connections: [connection('up_to_date')] }))).toBe(true);
    const both = [connection('up_to_date'), connection('up_to_date', false)];
    expect(asksAlways(agent('a', { connections: both }))).toBe(false);
  });
});

describe('the list of agents', () => {
  it('shows what is there first, and counts a connection or an unreadable file as being there', () => {
    const all = [
      agent('d'),
      agent('c', { is_installed: true }),
      agent('b', { connections: [connection('up_to_date')] }),
      agent('a', { problem: 'no' }),
    ];
    const { found, missing } = divide(all);
    expect(found.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(missing.map(({ name }) => name)).toEqual(['d']);
  });
});
