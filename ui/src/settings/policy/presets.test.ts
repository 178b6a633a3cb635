import { describe, expect, it } from 'vitest';
import type { PresetComparison, ReplayedRow } from '../../generated/protocol';
import { presetFigures, replayedCalls } from './presets';

const row = (remembers: boolean, asked: number, change: Partial<ReplayedRow> = {}): ReplayedRow => ({
  calls: 'all',
  remembers,
  suggested: false,
  all: { calls: 300, asked, denied: 1, confined: 0 },
  refused: { calls: 0, asked: 0, denied: 0, confined: 0 },
  ...change,
});
const comparison = (...rows: ReplayedRow[]): PresetComparison => ({
  agents: [],
  presets: [{ preset: 'workspace', rows }],
});

describe('the figures of a preset', () => {
  it('are those of all calls, with and without a memory', () => {
    const rest = row(false, 299, { calls: 'rest' });
    const figures = presetFigures(comparison(rest, row(true, 12), row(false, 60)), 'workspace');
    expect(figures).toMatchObject({ asked: '20', calls: '60 of 300 calls' });
    expect(figures?.more[0]).toContain('4');
    expect(figures?.more[1]).toContain('<1');
    expect(replayedCalls(comparison(row(false, 1)))).toBe(300);
  });

  it('never call none what is there, or all what is not', () => {
    expect(presetFigures(comparison(row(false, 1)), 'workspace')?.asked).toBe('<1');
    expect(presetFigures(comparison(row(false, 0)), 'workspace')?.asked).toBe('0');
    expect(presetFigures(comparison(row(false, 299)), 'workspace')?.asked).toBe('>99');
    expect(presetFigures(comparison(row(false, 300)), 'workspace')?.asked).toBe('100');
  });

  it('say what would have become of refused calls; those in walls have passed', () => {
    const refused = (calls: number, asked: number, confined: number) =>
      presetFigures(
        comparison(row(false, 1, { refused: { calls, asked, denied: 1, confined } })),
        'workspace',
      )?.more.at(-1);
    expect(refused(5, 4, 0)).toContain('None of the 5');
    expect(refused(5, 2, 1)).toContain('2 of the 5');
  });

  it('are not there without calls', () => {
    const none = { calls: 0, asked: 0, denied: 0, confined: 0 };
    expect(presetFigures(comparison(row(false, 0, { all: none })), 'workspace')).toBeNull();
    expect(presetFigures({ agents: [], presets: [] }, 'workspace')).toBeNull();
    expect(replayedCalls({ agents: [], presets: [] })).toBe(0);
  });
});
