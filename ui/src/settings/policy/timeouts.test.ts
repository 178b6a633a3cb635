import { expect, it } from 'vitest';
import { timeoutChoices, timeoutWords } from './timeouts';

it('offers the time in force among the others, in order', () => {
  expect(timeoutChoices(300)).toContain(300);
  const choices = timeoutChoices(45);
  expect(choices.slice(0, 3)).toEqual([30, 45, 60]);
});

it('says times as a person does', () => {
  expect([45, 60, 300, 3600, 86_400].map(timeoutWords)).toEqual([
    '45 seconds',
    '1 minute',
    '5 minutes',
    '1 hour',
    '24 hours',
  ]);
});
