import { expect, test } from 'vitest';
import { spansOf } from './code-spans';

const code = (text: string) => ({ text, code: true });
const words = (text: string) => ({ text, code: false });

test('what stands between backticks is code', () => {
  expect(spansOf('No rule matches. May change something: `git push` changes the other side.')).toEqual([
    words('No rule matches. May change something: '),
    code('git push'),
    words(' changes the other side.'),
  ]);
  expect(spansOf('`a`, (`b c`): `d`')).toEqual([
    code('a'),
    words(', ('),
    code('b c'),
    words('): '),
    code('d'),
  ]);
  expect(spansOf('plain')).toEqual([words('plain')]);
  expect(spansOf('')).toEqual([]);
});

test('a backtick that may belong to a command stays', () => {
  for (const sentence of ['echo `date', 'it runs x=`id`y', '` a `', '``', 'a`b`']) {
    expect(spansOf(sentence)).toEqual([words(sentence)]);
  }
});

test('nothing but the backticks of spans is lost', () => {
  const sentence = '`a `b` c` and `rm -rf x`: `é` `';
  const joined = spansOf(sentence).map((span) => (span.code ? `\`${span.text}\`` : span.text));
  expect(joined.join('')).toBe(sentence);
});
