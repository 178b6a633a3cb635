import { describe, expect, it } from 'vitest';
import { linesOf } from './marks';
import { isPlain, segments } from './segments';

const marks = (text: string) => linesOf([{ kind: 'text', text }]).flat();
const drawn = (
  text: string,
  ...rest: [Parameters<typeof segments>[1], Parameters<typeof segments>[2]]
): string[] =>
  segments(marks(text), ...rest).map((segment) => {
    const words = segment.marks.map((mark) => ('text' in mark ? mark.text : `<${mark.kind}>`)).join('');
    return `${segment.token ?? ''}${segment.changed ? '!' : ''}:${words}`;
  });

describe('the segments of a line', () => {
  it('are cut where something else is said', () => {
    const changed = [
      { length: 4, said: false },
      { length: 3, said: true },
    ];
    const tokens = [
      { length: 3, said: 'keyword' },
      { length: 1, said: null },
      { length: 3, said: 'name' },
    ];
    expect(drawn('let abc = 1', changed, tokens)).toEqual(['keyword:let', ': ', 'name!:abc', ': = 1']);
  });

  it('never cut what warns or stands for several characters', () => {
    const tokens = [
      { length: 2, said: 'keyword' },
      { length: 90, said: 'string' },
    ];
    expect(drawn('p\u0430ypal', [], tokens)).toEqual(['keyword:p\u0430ypal']);
    expect(drawn(`a${' '.repeat(40)}b`, [], tokens)).toEqual(['keyword:a<blanks>', 'string:b']);
  });

  it('never change the text', () => {
    const tokens = Array.from({ length: 9 }, (_, index) => ({ length: index, said: String(index) }));
    expect(
      drawn('f(\t"ä", 😀, 3)', [], tokens)
        .map((one) => one.split(':')[1])
        .join(''),
    ).toBe('f(<tab>"ä", 😀, 3)');
  });

  it('are not made of lines whose marks hide how long they are', () => {
    expect(isPlain(marks('plain\ttext'))).toBe(true);
    expect(isPlain([{ kind: 'hidden', label: 'U+200B' }])).toBe(false);
  });
});
