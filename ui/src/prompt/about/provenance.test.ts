import { describe, expect, it } from 'vitest';
import type { FindingKind, Provenance } from '../../generated/protocol';
import { isContradicted, provenanceFacts, otherProject, whereFrom } from './provenance';

const origin: Provenance = {
  summary: 'Claude Code in ledger-api (branch main) · GNOME Terminal',
  programs: [],
  terminal: 'GNOME Terminal, pts/3',
  folder: '/home/mira/code/ledger-api/src',
  repository: { folder: '/home/mira/code/ledger-api', branch: 'main' },
};

describe('where a request comes from', () => {
  it('has only the facts that are known, in a fixed order', () => {
    expect(provenanceFacts(origin).map((fact) => fact.value)).toEqual([
      'GNOME Terminal, pts/3',
      '/home/mira/code/ledger-api/src',
      '/home/mira/code/ledger-api',
      'main',
    ]);
    const folder = '/home/mira/code/ledger-api';
    expect(provenanceFacts({ ...origin, folder }).filter((fact) => fact.value === folder)).toHaveLength(1);
    expect(provenanceFacts({ summary: 'A program', programs: [] })).toEqual([]);
  });

  it('names the project once', () => {
    expect(otherProject({ project: 'ledger-api', origin })).toBeUndefined();
    expect(otherProject({ project: 'infra', origin })).toBe('infra');
    expect(otherProject({ project: 'infra' })).toBe('infra');
  });

  it('is contradicted only by a finding that says so', () => {
    const finding = (kind: FindingKind) => ({ kind, sentence: 's', field: 'agent', misleads: true });
    expect(isContradicted({})).toBe(false);
    expect(isContradicted({ findings: [finding('bidi')] })).toBe(false);
    expect(isContradicted({ findings: [finding('bidi'), finding('contradiction')] })).toBe(true);
  });
});

describe('where a request comes from', () => {
  it('does not repeat the name of the agent, and leaves every other name', () => {
    expect(whereFrom('Claude Code', origin)).toBe('in ledger-api (branch main) · GNOME Terminal');
    expect(whereFrom('“Claude Code”', origin)).toBe(origin.summary);
    expect(whereFrom('Claude', { ...origin, summary: 'ClaudeX in a' })).toBe('ClaudeX in a');
  });
});
