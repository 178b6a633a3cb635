import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approval, DecisionRequest, DesktopState, RequestId } from '../../generated/protocol';
import type { PromptPlatform } from '../../platform';
import { received } from './inbox/inbox';
import { PromptModel } from './prompt-model.svelte';

/** The page, whose colours are not looked at here. */
const documentElement = {
  removeAttribute: () => undefined,
  setAttribute: () => undefined,
  toggleAttribute: () => false,
  style: { setProperty: () => undefined },
};

const approval = (id: string, batch?: string): Approval =>
  ({
    id,
    title: id,
    batch,
    arguments_hash: `hash of ${id}`,
    risk: { level: 'write' },
    subject: { kind: 'arguments' },
  }) as unknown as Approval;

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
  const state: DesktopState = {
    mode: 'normal',
    appearance: 'system',
    locale: 'en',
    pending,
    questions: [],
    missed: [],
    notifications_changed: false,
    keyboard_unasked: false,
    came_by_itself: false,
    stage: 'on_screen',
    opening: 1,
    revision: 1,
  };
  model.stage = 'on_screen';
  model.inbox = received(model.inbox, state, 0);
  return { model, sent };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const left = (model: PromptModel): string[] => model.inbox.pending.map((one) => one.id);

describe('a call that can run inside walls', () => {
  const walls = (hash: string) => ({ confinement: { hash, walls: { sentence: 'no network' } } });
  const confinable = (hash: string) => ({ ...approval('a'), ...walls(hash) }) as Approval;

  it('runs there when the person has chosen it, and only then', async () => {
    for (const confined of [true, false]) {
      const { model, sent } = opened([confinable('w1')]);
      model.confine(confined);
      await model.approve();
      expect(sent.map(([, decision]) => decision.confined)).toEqual([confined ? 'w1' : undefined]);
    }
    const { model, sent } = opened([approval('b')]);
    model.confine(true);
    expect(model.walled).toBe(false);
    await model.approve();
    expect(sent[0]?.[1]).not.toHaveProperty('confined');
  });

  it('is not confined once another reach is chosen', async () => {
    const { model, sent } = opened([confinable('w1')]);
    model.confine(true);
    model.reach = { scope: 'session', breadth: 'exact', remembers: 'x' };
    await model.approve();
    expect(sent[0]?.[1]).toMatchObject({ scope: 'session' });
    expect(sent[0]?.[1]).not.toHaveProperty('confined');
  });

  it('has to be chosen and read again when its walls have changed', () => {
    const { model } = opened([confinable('w1')]);
    model.confine(true);
    model.sees(true);
    const state: DesktopState = {
      mode: 'normal',
      appearance: 'system',
      locale: 'en',
      pending: [confinable('w2')],
      questions: [],
      missed: [],
      notifications_changed: false,
      keyboard_unasked: false,
      came_by_itself: false,
      stage: 'on_screen',
      opening: 1,
      revision: 1,
    };
    const turn = model.turn;
    vi.stubGlobal('document', {
      documentElement,
    });
    (model as unknown as { receive: (state: DesktopState) => void }).receive(state);
    expect([model.walled, model.whole, model.turn]).toEqual([false, false, turn + 1]);
  });
});

describe('denying a whole step', () => {
  it('denies each of its calls as it was shown, and no other', async () => {
    const { model, sent } = opened([
      approval('a', 'x'),
      approval('b'),
      approval('c', 'x'),
      approval('over', 'x'),
    ]);
    await model.decideAll(model.step, 'deny');
    expect(
      sent.map(([id, decision]) => [id, decision.decision, decision.scope, decision.arguments_hash]),
    ).toEqual(['a', 'c', 'over'].map((id) => [id, 'deny', 'once', `hash of ${id}`]));
    expect(left(model)).toEqual(['b']);
    expect(model.problem).toBeNull();
  });

  it('keeps what could not be denied, and says why', async () => {
    const { model } = opened([approval('broken', 'x'), approval('a', 'x')]);
    await model.decideAll(model.step, 'deny');
    expect(left(model)).toEqual(['broken']);
    expect(model.problem).toContain('The disk is full.');
  });

  it('is nothing for a call of its own', async () => {
    const { model, sent } = opened([approval('a', 'x'), approval('b', 'y'), approval('c')]);
    await model.decideAll(model.step, 'deny');
    expect(sent).toEqual([]);
  });
});

/** A window whose desktop says `states`, one after the other. */
async function told(...states: Partial<DesktopState>[]): Promise<PromptModel> {
  let tell: (state: DesktopState) => void = () => undefined;
  const stop = () => Promise.resolve(() => undefined);
  const whole = (state: Partial<DesktopState>): DesktopState => ({
    mode: 'normal',
    appearance: 'system',
    locale: 'en',
    pending: [],
    questions: [],
    missed: [],
    notifications_changed: false,
    keyboard_unasked: false,
    came_by_itself: false,
    stage: 'on_screen',
    opening: 1,
    revision: 1,
    ...state,
  });
  const platform = {
    desktopState: () => Promise.resolve(whole(states[0] ?? {})),
    onDesktopState: (listener: (state: DesktopState) => void) => ((tell = listener), stop()),
    onRequestEnded: stop,
    onQuestionEnded: stop,
  } as unknown as PromptPlatform;
  vi.stubGlobal('document', {
    documentElement,
  });
  const model = new PromptModel(platform);
  (await model.start())();
  states.slice(1).forEach((state) => tell(whole(state)));
  return model;
}

describe('what the person asked to see', () => {
  const pending = [approval('a'), approval('b'), approval('c')];

  it('is shown, and no other', async () => {
    const model = await told({ pending, wanted: { id: 'c', number: 1 } });
    expect(model.selected?.id).toBe('c');
  });

  it('is shown again when it is asked for again, and only then', async () => {
    const wanted = { id: 'c', number: 1 };
    const model = await told({ pending, wanted });
    model.select('a');
    const again = await told({ pending }, { pending, wanted }, { pending, wanted: { id: 'b', number: 2 } });
    expect([model.selected?.id, again.selected?.id]).toEqual(['a', 'b']);
  });

  it('changes nothing when it is over', async () => {
    const model = await told({ pending, wanted: { id: 'gone', number: 1 } });
    expect(model.selected?.id).toBe('a');
  });
});

describe('what was not on the screen', () => {
  it('cannot be approved, whatever its risk; the button leads to it', () => {
    const { model } = opened([approval('a')]);
    expect([model.reading, model.readyNow()]).toEqual([true, false]);
    model.painted();
    vi.advanceTimersByTime(10_000);
    expect(model.readyNow()).toBe(false);
    let led = 0;
    model.readNext = () => (led += 1);
    model.readOn();
    expect(led).toBe(1);
    model.sees(true);
    expect([model.reading, model.readyNow()]).toEqual([false, false]);
    vi.advanceTimersByTime(1000);
    expect(model.readyNow()).toBe(true);
    model.sees(false);
    expect(model.readyNow()).toBe(false);
  });
});

describe('a window that comes up', () => {
  const told = (stage: DesktopState['stage'], came_by_itself = false): DesktopState => ({
    mode: 'normal',
    appearance: 'system',
    locale: 'en',
    pending: [approval('a')],
    questions: [],
    missed: [],
    notifications_changed: false,
    keyboard_unasked: false,
    came_by_itself,
    stage,
    opening: 2,
    revision: 1,
  });
  const receive = (model: PromptModel, state: DesktopState): void => {
    vi.stubGlobal('document', {
      documentElement,
    });
    (model as unknown as { receive: (state: DesktopState) => void }).receive(state);
  };

  it('tells the time left as it is then, however long it has waited unseen', () => {
    const { model } = opened([]);
    vi.advanceTimersByTime(60_000);
    receive(model, told('coming_up'));
    expect(model.now).toBe(Date.now());
  });

  it('shows nothing as long as nobody sees it', () => {
    const { model } = opened([]);
    receive(model, told('hidden'));
    expect([model.loaded, model.selected]).toEqual([false, undefined]);
  });

  it('lets nothing be approved before it is on the screen, and then waits', () => {
    const { model } = opened([]);
    receive(model, told('coming_up'));
    model.painted();
    model.sees(true);
    vi.advanceTimersByTime(5000);
    expect([model.selected?.id, model.readyNow()]).toEqual(['a', false]);
    receive(model, told('on_screen'));
    expect(model.readyNow()).toBe(false);
    model.painted();
    expect(model.readyNow()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(model.readyNow()).toBe(true);
  });

  it('by itself is not denied by a press that was meant for what was there before', async () => {
    for (const by_itself of [true, false]) {
      const { model, sent } = opened([]);
      receive(model, told('coming_up', by_itself));
      receive(model, told('on_screen', by_itself));
      await model.deny();
      expect(sent.length).toBe(by_itself ? 0 : 1);
      vi.advanceTimersByTime(1000);
      await model.deny();
      expect(sent.length).toBe(1);
    }
  });
});
