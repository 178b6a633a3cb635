// docs/requirements.md has the text of each requirement and the tests that show it, and SECURITY.md those that show each
// promise: all of them have to be there.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve('../..');
const PAGE = readFileSync(join(ROOT, 'docs/requirements.md'), 'utf8');
/** How many numbers each source design has. */
const NUMBERS = { '000': 25, '001': 17, '002': 50, '003': 24, '004': 27 };
const RESOLUTIONS = 19;

interface Row {
  number: string;
  shown: string;
}

/** What is required, and the lines below it: where it is shown. */
const entries = [...PAGE.matchAll(/^- \*\*(\S[^*]*)\*\* (.*)\n((?: {2}- .*\n)*)/gm)].map(
  ([, number = '', text = '', below = '']) => ({
    number,
    text,
    lines: [...below.matchAll(/^ {2}- (?:Python: )?(.*)$/gm)].map(([, line = '']) => line),
  }),
);

const rows: Row[] = entries.flatMap(({ number, lines }) => lines.map((shown) => ({ number, shown })));

const promises: Row[] = [
  ...readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').matchAll(/^\| (\S[^|]*) \| ([^|]*) \| [^|]*\|$/gm),
]
  .map(([, number = '', shown = '']) => ({ number, shown }))
  .filter(({ number }) => number !== 'promise' && number !== '---');

/** All text of the files of `folder` (or of a file) whose names end with `end`. */
const texts = new Map<string, string>();
function textIn(path: string, end: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const names = path.endsWith(end) ? [''] : (readdirSync(path, { recursive: true }) as string[]);
  const text = names
    .filter((name) => join(path, name).endsWith(end) && !/(^|\/)(target|node_modules)\//.test(name))
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
  texts.set(path, text);
  return text;
}

/** What is wrong with `tests` of `place`; both are as the page has them. */
function problem(place: string, tests: string): string | undefined {
  const [kind = '', rest = ''] = place.split(/ (.*)/s);
  if (kind === 'ts') {
    const path = join(ROOT, `sdk/typescript/tests/${rest}.test.ts`);
    if (!existsSync(path)) return `there is no ${path}`;
    const titles = [...readFileSync(path, 'utf8').matchAll(/^test\(\s*['"](.*)['"],/gm)].map(
      ([, title]) => title,
    );
    // Long titles are cut.
    const isTitle = (title = '') =>
      title === tests || (title.startsWith(tests) && ',:;'.includes(title[tests.length] ?? ' '));
    return tests === '' || titles.some(isTitle) ? undefined : `${place} has no test "${tests}"`;
  }
  if (kind === 'py') {
    const path = join(ROOT, `sdk/python/tests/test_${rest}.py`);
    if (!existsSync(path)) return `there is no ${path}`;
    if (tests === 'vectors')
      return existsSync(join(ROOT, 'sdk/vectors/policy.jsonl')) ? undefined : 'no vectors';
    const isThere = tests === '' || new RegExp(`def test_${tests}\\b`).test(readFileSync(path, 'utf8'));
    return isThere ? undefined : `${place} has no test "${tests}"`;
  }
  if (kind === 'ui') {
    const files = readdirSync(join(ROOT, 'ui/src'), { recursive: true }) as string[];
    return files.some((file) => file.endsWith(`/${tests}`)) ? undefined : `ui has no ${tests}`;
  }
  return rustProblem(kind, rest, tests);
}

/** A place is a crate or a file of `tests/tests`, and perhaps a module of it. */
function rustProblem(name: string, module: string, tests: string): string | undefined {
  const candidates = [`crates/${name}`, `tests/tests/${name}`, `tests/tests/${name}.rs`].map((path) =>
    join(ROOT, path),
  );
  const base = candidates.find((path) => existsSync(path));
  if (base === undefined) return `there is no crate and no test "${name}"`;
  const within = module.replaceAll('::', '/');
  const paths = [within, `${within}.rs`, `src/${within}`, `src/${within}.rs`, `tests/${within}.rs`].map(
    (path) => join(base, path),
  );
  const path = module === '' ? base : paths.find((path) => existsSync(path));
  if (path === undefined) return `${name} has no ${module}`;
  for (const test of tests === '' ? [] : tests.split(', ')) {
    const last = test.split('::').at(-1) ?? '';
    if (!/^[a-z0-9_]+$/.test(last)) return `"${test}" is no name of a test`;
    if (!new RegExp(`fn ${last}\\(`).test(textIn(path, '.rs')))
      return `${name} ${module} has no test "${test}"`;
  }
  return undefined;
}

test('every number is there once, with what it requires and where that is shown', () => {
  const wanted = [
    ...Object.entries(NUMBERS).flatMap(([design, count]) =>
      Array.from({ length: count }, (_, index) => `${design}-${String(index + 1).padStart(2, '0')}`),
    ),
    ...Array.from({ length: RESOLUTIONS }, (_, index) => `resolution ${index + 1}`),
  ];
  const found = entries.map(({ number }) => number).filter((number) => /\d$/.test(number));
  assert.deepEqual(found.sort(), wanted.sort());
  const bare = entries.filter(({ text, lines }) => !/\p{L}{3}/u.test(text) || lines.length === 0);
  assert.deepEqual(bare, [], 'what is required, and where it is shown');
});

test('the tests that it names exist', () => {
  assert.ok(promises.length > 20, 'the promises were not found');
  assert.ok(rows.length > 200, 'the tests were not found');
  const problems: string[] = [];
  for (const { number, shown } of [...rows, ...promises]) {
    let place: string | undefined;
    // What stands in brackets is said about a test, and names none.
    for (const part of shown.replaceAll(/ ?\([^()]*\)/g, '').split('; ')) {
      const [, named, rest = ''] = /^`([^`]+)` ?(.*)$/.exec(part) ?? [undefined, undefined, part];
      const isPlace =
        named !== undefined &&
        /^(ts|py|gate|redaction|display|server|protocol|agents|cli|self_approval|desktop_journeys|http_attacks) |^[a-z_]+$/.test(
          named,
        );
      if (named !== undefined) place = isPlace ? named : undefined;
      if (place === undefined) continue;
      const wrong = problem(place, rest.trim());
      if (wrong !== undefined) problems.push(`${number}: ${wrong}`);
    }
  }
  assert.deepEqual(problems, []);
});
