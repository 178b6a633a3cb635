import { describe, expect, it } from 'vitest';
import { escapeInvisible, readEdited } from './edited';

describe('changed arguments', () => {
  it('are read as they are written', () => {
    expect(readEdited('{"command": "ls", "deep": [{"a": 1.5}]}')).toEqual({
      arguments: { command: 'ls', deep: [{ a: 1.5 }] },
    });
  });

  it.each(['', '{', '[]', '"text"', 'null', '3'])('that are no object are refused: %s', (text) => {
    expect(readEdited(text)).toHaveProperty('problem');
  });

  it('with a number that would be rounded are refused, with the number', () => {
    const read = readEdited('{"id": 12345678901234567890}');
    expect(read).toMatchObject({ problem: expect.stringContaining('12345678901234567890') as string });
    expect(readEdited('{"id": "12345678901234567890", "n": 1e3}')).toHaveProperty('arguments');
  });

  it('with a name that occurs twice in one object are refused', () => {
    expect(readEdited('{"command": "ls", "command": "rm"}')).toHaveProperty('problem');
    expect(readEdited('{"a": {"x": 1}, "b": {"x": 2}}')).toHaveProperty('arguments');
    expect(readEdited('{"a\\u0062": 1, "ab": 2}')).toHaveProperty('problem');
  });

  it('hold no invisible character, and still mean the same', () => {
    const json = JSON.stringify({ command: 'rm \u202efdp.exe\u200b \u{e0041} größe 日本' }, null, 2);
    const escaped = escapeInvisible(json);
    expect(escaped).toContain('\\u202e');
    expect(escaped).not.toMatch(/[\u202e\u200b]/u);
    expect(JSON.parse(escaped)).toEqual(JSON.parse(json));
  });
});
