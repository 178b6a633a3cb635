// The server's proof, by the vectors that every language is held to.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Token, proofOf } from '../src/transport/token.js';

interface Case {
  token: string;
  nonce: string;
  address: string;
  proof?: string;
  refused?: string;
  because?: string;
}

const cases = readFileSync('../vectors/proof.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

async function accepts({ token, nonce, address }: Case, proof: unknown): Promise<boolean> {
  const read = await Token.read({ token }, { config: '', runtime: '' });
  return read.isProved(proof, { credential: read.id, nonce }, address);
}

test('a proof is what the vectors say', async () => {
  const right = cases.filter((one) => one.proof !== undefined);
  assert.ok(right.length >= 7);
  for (const one of right) {
    assert.equal(proofOf(one.token, one.nonce, one.address), one.proof, one.address);
    assert.ok(await accepts(one, one.proof), one.address);
  }
});

test('every other proof is refused', async () => {
  const wrong = cases.filter((one) => one.refused !== undefined);
  assert.ok(wrong.length >= 19);
  for (const one of wrong) assert.equal(await accepts(one, one.refused), false, one.because);
  const [one] = cases;
  assert.ok(one);
  for (const none of [undefined, null, 0, {}, [one.proof]]) assert.equal(await accepts(one, none), false);
});
