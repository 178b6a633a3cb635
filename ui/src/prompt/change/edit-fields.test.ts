import { describe, expect, it } from 'vitest';
import { fieldsOf, withField } from './edit-fields';

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const line = [{ kind: 'text' as const, text: 'rm -rf build' }];

describe('arguments by field', () => {
  it('has the command line first, whatever it is called', () => {
    const fields = fieldsOf(json({ description: 'x', script: 'rm -rf build', timeout: 5 }), line);
    expect(fields?.texts.map((field) => [field.name, field.command])).toEqual([
      ['script', true],
      ['description', false],
    ]);
    expect(fields?.others).toEqual([['timeout', 5]]);
  });

  it('keeps what is not changed, in order', () => {
    const before = json({ a: 'one', b: { c: [1, null] }, d: 'two' });
    expect(withField(before, 'd', 'a "b"\n\tc')).toBe(
      json({ a: 'one', b: { c: [1, null] }, d: 'a "b"\n\tc' }),
    );
  });

  it('is not there for what could not be seen or kept in a field', () => {
    for (const text of [
      '{ "command": "a\\u200bb" }',
      '{ "com\\u202emand": "a" }',
      '{ "command": "a", "number": 12345678901234567890 }',
      '{ "command": "a", "command": "b" }',
      '{ "count": 1 }',
      '[]',
      '{',
    ])
      expect(fieldsOf(text), text).toBeNull();
  });

  it('shows an invisible character that was typed by its number', () => {
    const after = withField(json({ command: 'a' }), 'command', 'a\u200bb');
    expect(after).toContain('a\\u200bb');
    expect(fieldsOf(after)).toBeNull();
  });
});
