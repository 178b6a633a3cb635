import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circles, folderCircles, sources } from './sources';

const all = sources();
const product = all.filter(({ path }) => !path.endsWith('.test.ts') && !path.startsWith('platform/fixture/'));
const paths = (found: typeof all): string[] => found.map(({ path }) => path);

describe('the user interface', () => {
  it('has sources to look at', () => {
    expect(all.length).toBeGreaterThan(40);
  });

  it('reaches the Tauri API only through the platform', () => {
    const users = all.filter(({ text }) => text.includes('@tauri-apps/'));
    expect(paths(users)).toEqual(['platform/tauri.ts']);
  });

  it('writes agent text as text and never as markup', () => {
    const pattern = /\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write/;
    expect(paths(product.filter(({ text }) => pattern.test(text)))).toEqual([]);
  });

  it('has no style that its content security policy would refuse', () => {
    const pattern = /<[a-zA-Z][^>]*\sstyle=|setAttribute\('style'|transition:|in:fade|out:fade/;
    const components = product.filter(({ path }) => path.endsWith('.svelte'));
    const markup = components.map(({ path, text }) => ({
      path,
      text: text.replace(/<style>[\s\S]*<\/style>/, ''),
    }));
    expect(paths(markup.filter(({ text }) => pattern.test(text)))).toEqual([]);
  });

  it('names colours only in its tokens, the mark of the application aside', () => {
    const pattern = /#[0-9a-f]{3,8}\b(?=[;,)\s])/i;
    const users = product.filter(({ path, text }) => /\.(svelte|css)$/.test(path) && pattern.test(text));
    expect(paths(users).toSorted()).toEqual(['settings/AboutSection.svelte', 'styles/tokens.css']);
  });

  it('has no files that import each other in a circle', () => {
    expect(circles(all)).toEqual([]);
  });

  it('has no folders that import each other in a circle', () => {
    expect(folderCircles(all)).toEqual([]);
  });

  it('finds a circle of folders whose files make none', () => {
    const made = [
      { path: 'a/one.ts', text: "import '../b/one';" },
      { path: 'b/one.ts', text: '' },
      { path: 'b/two.ts', text: "import { x } from '../a/two';" },
      { path: 'a/two.ts', text: '' },
    ];
    expect(circles(made)).toEqual([]);
    expect(folderCircles(made)).toEqual(['a → b → a']);
  });

  it('has folders that one screen shows', () => {
    const count = new Map<string, number>();
    for (const { path } of all) count.set(dirname(path), (count.get(dirname(path)) ?? 0) + 1);
    expect([...count].filter(([, files]) => files > 30)).toEqual([]);
  });

  it('reads time and randomness in the models and components, never in the rules', () => {
    const rules = product.filter(({ path }) => path.endsWith('.ts') && !/\.svelte\.ts$|main\.ts$/.test(path));
    expect(paths(rules.filter(({ text }) => /Date\.now|performance\.now|Math\.random/.test(text)))).toEqual(
      [],
    );
  });
});

describe('the strings', () => {
  const catalogue = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', 'messages', 'en.json'), 'utf8'),
  ) as Record<string, unknown>;
  const used = new Set(
    product.flatMap(({ text }) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map((match) => match[1])),
  );

  it('are a flat table of texts', () => {
    expect(Object.values(catalogue).every((text) => typeof text === 'string' && text !== '')).toBe(true);
  });

  it('are all used, here or by the tray and the notifications', () => {
    const unused = Object.keys(catalogue).filter(
      (key) => !used.has(key) && !/^(tray|notification)_/.test(key),
    );
    expect(unused).toEqual([]);
  });

  it('are the only words in the components', () => {
    const words = />\s*[A-Z][a-z]+ [a-z]+[^<{]*</;
    const markup = product
      .filter(({ path }) => path.endsWith('.svelte'))
      .map(({ path, text }) => ({
        path,
        text: text.replace(/<!--[\s\S]*?-->|<script[\s\S]*?<\/script>/g, ''),
      }));
    expect(paths(markup.filter(({ text }) => words.test(text)))).toEqual([]);
  });
});
