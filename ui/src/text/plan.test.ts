import { describe, expect, it } from 'vitest';
import { blocksOf, type Block, type Words } from './plan';

const said = (words: Words[]): string => words.map(({ text }) => text).join('');
const all = (blocks: Block[]): string =>
  blocks
    .map((block): string => {
      if (block.kind === 'list') return block.items.map(all).join(' ');
      if (block.kind === 'quote') return all(block.blocks);
      if (block.kind === 'table') return block.rows.flat().map(said).join(' ');
      if (block.kind === 'code') return block.text;
      return block.kind === 'rule' ? '' : said(block.words);
    })
    .join('\n');

describe('a plan', () => {
  it('has headings, lists and code', () => {
    const found =
      blocksOf('# Steps\n\n1. Change `src/a.ts`\n2. Run **all** tests\n\n```sh\nnpm test\n```\n') ?? [];
    expect(found.map(({ kind }) => kind)).toEqual(['heading', 'list', 'code']);
    expect(all(found)).toContain('npm test');
    expect(found[1]).toMatchObject({
      start: 1,
      items: [[{ words: [{}, { text: 'src/a.ts', code: true }] }], [{}]],
    });
  });

  it('says where its links and images lead, and leads nowhere itself', () => {
    const text = all(
      blocksOf('[the docs](https://evil.example/x) ![pixel](https://evil.example/p.png)') ?? [],
    );
    expect(text).toContain('the docs (https://evil.example/x)');
    expect(text).toContain('https://evil.example/p.png');
  });

  it.each([
    ['<img src=x onerror=alert(1)>', 'onerror'],
    ['a <!-- hidden words --> b', 'hidden words'],
    ['<!-- a comment that is a block of its own -->', 'comment that is a block'],
    ['[x]: https://evil.example "hidden title"', 'hidden title'],
    ['&#8203;&nbsp;', '&#8203;'],
    ['```\nunclosed', 'unclosed'],
    ['- [ ] to do', 'to do'],
    ['~~gone~~ but there', 'gone'],
  ])('hides nothing of %s', (written, part) => {
    expect(all(blocksOf(written) ?? [])).toContain(part);
  });

  it('that is too long is shown as it is written', () => {
    expect(blocksOf('x'.repeat(70_000))).toBeNull();
  });

  it('that is nested very deeply is still read', () => {
    expect(all(blocksOf(`${'> '.repeat(60)}the end`) ?? [])).toContain('the end');
  });
});
