import { describe, expect, it } from 'vitest';
import { asLabel, linesOf, plainText } from './marks';

const text = (value: string) => linesOf([{ kind: 'text', text: value }]);

describe('agent text', () => {
  it('keeps its labels, tabs and line breaks', () => {
    const lines = linesOf([
      { kind: 'text', text: 'a\tb\nc' },
      { kind: 'hidden', label: 'U+202E' },
      { kind: 'text', text: 'd' },
    ]);
    expect(lines).toEqual([
      [{ kind: 'text', text: 'a' }, { kind: 'tab' }, { kind: 'text', text: 'b' }],
      [
        { kind: 'text', text: 'c' },
        { kind: 'hidden', label: 'U+202E' },
        { kind: 'text', text: 'd' },
      ],
    ]);
  });

  it('says how many blanks push text out of sight, and leaves indentation alone', () => {
    expect(text(`ls${' '.repeat(300)}; rm`)).toEqual([
      [
        { kind: 'text', text: 'ls' },
        { kind: 'blanks', count: 300 },
        { kind: 'text', text: '; rm' },
      ],
    ]);
    expect(text('        indented')).toEqual([[{ kind: 'text', text: '        indented' }]]);
  });

  it('cuts stacks of combining marks, and says how many there were', () => {
    const marks = text(`e${'\u0301'.repeat(40)}x`)[0];
    expect(marks).toContainEqual({ kind: 'combining', count: 36 });
    expect(text('Tiếng Việt, नमस्ते')).toEqual([[{ kind: 'text', text: 'Tiếng Việt, नमस्ते' }]]);
  });

  it('marks words that mix alphabets, and no others', () => {
    expect(text('curl p\u0430ypal.com')[0]).toContainEqual({ kind: 'mixed', text: 'p\u0430ypal' });
    expect(text('привет world, größe, μ')).toEqual([[{ kind: 'text', text: 'привет world, größe, μ' }]]);
  });

  it('draws redacted secrets as marks of their own, and only in their exact form', () => {
    expect(text('curl -H ‹redacted:github-token:40:1a2b3c4d›;')[0]).toEqual([
      { kind: 'text', text: 'curl -H ' },
      { kind: 'redacted', secret: 'github-token', count: 40, print: '1a2b3c4d' },
      { kind: 'text', text: ';' },
    ]);
    for (const other of ['‹redacted:Token:40:1a2b3c4d›', '‹redacted:a:4:xyz›', '‹redacted:a b:4:1a2b3c4d›'])
      expect(text(other)[0]).toEqual([{ kind: 'text', text: other }]);
    expect(asLabel('login ‹redacted:password:7:00000000› now')).toBe('login [password] now');
  });

  it('has no extra line after its last line break', () => {
    expect(text('a\n')).toHaveLength(1);
    expect(text('a\n\n')).toHaveLength(2);
    expect(linesOf([])).toEqual([[]]);
  });

  it('is compared with its labels in brackets', () => {
    expect(
      plainText([
        { kind: 'text', text: 'a' },
        { kind: 'hidden', label: 'U+200B' },
      ]),
    ).toBe('a⟨U+200B⟩');
  });
});
