// The questions that a form becomes, by the vectors that `handraise acp` is held to as well.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { Said } from '../src/mcp/elicitation/field.js';
import { Form, Page, type Words } from '../src/mcp/elicitation/form.js';

interface Case {
  id: string;
  message: string;
  schema: unknown;
  asked?: Words[];
  answers?: Said[];
  content?: Record<string, unknown>;
  unusable?: boolean;
}

const cases = readFileSync('../vectors/elicitation.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

test('a form becomes the questions that the vectors say', () => {
  assert.ok(cases.length >= 40, `only ${cases.length} vectors`);
  for (const { id, message, schema, asked = [], answers = [], content, unusable } of cases) {
    const form = Form.read(message, schema);
    assert.equal(form === undefined, unusable ?? false, id);
    if (form === undefined) continue;
    const questions = answers.map((said) => {
      const question = form.question();
      form.answer(said);
      return question;
    });
    assert.deepEqual(questions, asked, id);
    assert.equal(form.question(), undefined, id);
    assert.equal(JSON.stringify(form.content), JSON.stringify(content), id);
  }
});

test('an address is shown whole, with its host', () => {
  for (const [url, host] of [
    ['https://a.example/sign-in?x=1', 'It is at a.example.'],
    ['https://bank.example@evil.example:8443/', 'It is at evil.example:8443.'],
    ['HTTPS://a.example', 'It is at a.example.'],
    ['file:///etc/passwd', 'This is no web address.'],
  ] as const) {
    const page = new Page('Sign in', url);
    assert.deepEqual(page.question(), {
      question: `Sign in\n\n${url}\n${host}`,
      choices: [{ label: 'I open it' }],
      multiple: false,
      custom: false,
    });
    page.answer();
    assert.equal(page.question(), undefined);
  }
});
