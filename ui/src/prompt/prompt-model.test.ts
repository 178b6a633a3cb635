import { describe, expect, it } from 'vitest';
import type { Approval, DecisionRequest, DesktopState, RequestId } from '../generated/protocol';
import type { PromptPlatform } from '../platform';
import { received } from './inbox';
import { PromptModel } from './prompt-model.svelte';

const approval = (id: string, batch?: string): Approval =>
  ({ id, title: id, batch, arguments_hash: `hash of ${id}`, risk: { level: 'write' } }) as Approval;

/** A window that shows `pending`, and what it has sent. `over` has ended already, `broken` cannot be decided. */
function opened(pending: Approval[]): { model: PromptModel; sent: [RequestId, DecisionRequest][] } {
  const sent: [RequestId, DecisionRequest][] = [];
  const platform = {
    decide: (id: RequestId, decision: DecisionRequest) => {
      sent.push([id, decision]);
      if (id === 'over') return Promise.reject({ code: 'already_over', detail: 'It is over.' });
      if (id === 'broken') return Promise.reject({ code: 'internal', detail: 'The disk is full.' });
      return Promise.resolve();
    },
  } as unknown as PromptPlatform;
  const model = new PromptModel(platform);
  const state: DesktopState = { mode: 'normal', appearance: 'system', pending, missed: [] };
  model.inbox = received(model.inbox, state, 0);
  return { model, sent };
}

const left = (model: PromptModel): string[] => model.inbox.pending.map((one) => one.id);

describe('denying a whole step', () => {
  it('denies each of its calls as it was shown, and no other', async () => {
    const { model, sent } = opened([
      approval('a', 'x'),
      approval('b'),
      approval('c', 'x'),
      approval('over', 'x'),
    ]);
    await model.denyStep();
    expect(
      sent.map(([id, decision]) => [id, decision.decision, decision.scope, decision.arguments_hash]),
    ).toEqual(['a', 'c', 'over'].map((id) => [id, 'deny', 'once', `hash of ${id}`]));
    expect(left(model)).toEqual(['b']);
    expect(model.problem).toBeNull();
  });

  it('keeps what could not be denied, and says why', async () => {
    const { model } = opened([approval('broken', 'x'), approval('a', 'x')]);
    await model.denyStep();
    expect(left(model)).toEqual(['broken']);
    expect(model.problem).toContain('The disk is full.');
  });

  it('is nothing for a call of its own', async () => {
    const { model, sent } = opened([approval('a', 'x'), approval('b', 'y'), approval('c')]);
    await model.denyStep();
    expect(sent).toEqual([]);
  });
});
