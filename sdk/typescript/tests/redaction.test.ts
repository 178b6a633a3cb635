import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { displayArguments } from 'handraise';

import { secrecyOf } from '../src/secret-names.js';

type Case = { name: string; says: string | null } | { arguments: object; shown: object };

const cases = readFileSync('../vectors/redaction.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

test('names say what they say in every language', () => {
  const names = cases.filter((one) => 'name' in one);
  assert.ok(names.length > 80);
  for (const { name, says } of names) assert.equal(secrecyOf(name) ?? null, says, name);
});

test('what stands under the name of a secret is not shown, however deep and however spelled', () => {
  for (const one of cases)
    if ('shown' in one) assert.deepEqual(displayArguments(one.arguments, { maxDepth: 9 }), one.shown);
  const rules = [{ kind: 'redactKey' as const, key: 'homePhone', replacement: '***' }];
  const own = { HOME_PHONE: '1', 'home-phone': '2', contact: { 'my.home.phone': '3' }, text: 'home_phone=4' };
  assert.deepEqual(displayArguments(own, { rules }), {
    HOME_PHONE: '***',
    'home-phone': '***',
    contact: { 'my.home.phone': '***' },
    text: 'home_phone=***',
  });
});
