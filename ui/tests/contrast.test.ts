import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrast } from './contrast';

const css = readFileSync(join(import.meta.dirname, '..', 'src', 'styles', 'tokens.css'), 'utf8');

/** The colours of a block of the tokens, by name. */
function colours(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map((found) => [found[1], found[2]]),
  );
}

const TEXT: [string, string[]][] = [
  [
    'text',
    ['ground', 'surface', 'sunken', 'raised', 'added-strong', 'removed-strong', 'accent-soft', 'write-soft'],
  ],
  ['quiet', ['ground', 'surface', 'sunken', 'raised', 'accent-soft', 'destroy-soft']],
  ['accent', ['ground', 'surface', 'accent-soft', 'raised']],
  ['on-accent', ['accent', 'accent-hover']],
  ['read', ['read-soft']],
  ['write', ['write-soft', 'raised', 'surface', 'ground', 'destroy-soft']],
  ['destroy', ['destroy-soft', 'ground', 'surface']],
  ['on-destroy', ['destroy-fill']],
  ['added', ['added-soft', 'surface']],
  ['removed', ['removed-soft', 'surface']],
  ...['keyword', 'string', 'number', 'name', 'comment'].map((kind): [string, string[]] => [
    `code-${kind}`,
    ['sunken', 'added-soft', 'removed-soft', 'added-strong', 'removed-strong'],
  ]),
  ['chip', ['chip-soft', 'surface', 'sunken']],
];
const SHAPES: [string, string[]][] = [
  ['edge', ['ground', 'surface', 'sunken', 'raised']],
  ['focus', ['ground', 'surface', 'sunken']],
  ['accent', ['surface', 'sunken']],
  ['destroy-fill', ['ground', 'surface', 'destroy-soft']],
];

describe.each([
  ['light', ':root'],
  ['dark', ":root[data-appearance='dark']"],
])('in %s', (_name, selector) => {
  const tokens = colours(selector);
  const check = (table: [string, string[]][], least: number): string[] =>
    table.flatMap(([ink, grounds]) =>
      grounds
        .map((ground) => ({ ground, ratio: contrast(tokens[ink] ?? '#000000', tokens[ground] ?? '#000000') }))
        .filter(({ ratio }) => ratio < least)
        .map(({ ground, ratio }) => `${ink} on ${ground}: ${ratio.toFixed(2)}`),
    );

  it('text has a contrast of at least 4.5', () => expect(check(TEXT, 4.5)).toEqual([]));
  it('edges and focus rings have a contrast of at least 3', () => expect(check(SHAPES, 3)).toEqual([]));
});

it('the dark colours are the same whether the system or the person asks for them', () => {
  expect(colours(":root:not([data-appearance='light'])")).toEqual(colours(":root[data-appearance='dark']"));
});
