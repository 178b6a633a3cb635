import { describe, expect, it } from 'vitest';
import type { FindingView } from '../../../generated/protocol';
import { argumentOf, warningsOf } from './findings';

const finding = (sentence: string, field: string, misleads = true): FindingView => ({
  kind: misleads ? 'bidi' : 'markup',
  sentence,
  field,
  misleads,
});

describe('the warnings of a request', () => {
  it('put what reaches far in front, without a field', () => {
    const far = { ...finding('A shell runs it.', 'reach'), kind: 'acts-later' as const, misleads: false };
    const note = { ...finding('Markup.', 'tool'), misleads: false };
    expect(warningsOf({ findings: [note, far] }).map(({ fields, weighs }) => [fields, weighs])).toEqual([
      [[], true],
      [['tool'], false],
    ]);
  });

  it('are none for ordinary text', () => {
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ findings: [] })).toEqual([]);
  });

  it('begin with what misleads', () => {
    const warnings = warningsOf({
      findings: [
        finding('Markup.', 'intent', false),
        finding('Reordered.', 'arguments.command'),
        finding('Nested.', 'summary', false),
      ],
    });
    expect(warnings.map(({ sentence }) => sentence)).toEqual(['Reordered.', 'Markup.', 'Nested.']);
    expect(warnings.map(({ misleads }) => misleads)).toEqual([true, false, false]);
  });

  it('say the same sentence once, with every field', () => {
    const warnings = warningsOf({
      findings: [finding('Reordered.', 'tool'), finding('Reordered.', 'cwd'), finding('Reordered.', 'tool')],
    });
    expect(warnings).toEqual([
      { sentence: 'Reordered.', fields: ['tool', 'cwd'], misleads: true, weighs: true },
    ]);
  });

  it('name an argument by its own name', () => {
    expect(argumentOf('arguments.a.b')).toBe('a.b');
    expect(argumentOf('arguments')).toBeUndefined();
    expect(argumentOf('cwd')).toBeUndefined();
  });
});
