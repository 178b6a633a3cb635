import { describe, expect, it } from 'vitest';
import type {
  Approval,
  ApprovalResult,
  DesktopState,
  Question,
  QuestionResult,
} from '../../../generated/protocol';
import {
  answeredHere,
  EMPTY_INBOX,
  ended,
  endOf,
  END_NOTICE_MILLISECONDS,
  move,
  onlyAdded,
  openOnes,
  passed,
  received,
  retriedHere,
  select,
  selectedApproval,
  selectedQuestion,
  tooLate,
} from './inbox';

const approval = (id: string): Approval =>
  ({ id, title: id, risk: { level: 'write' }, subject: { kind: 'arguments' } }) as unknown as Approval;
const state = (pending: string[], missed: string[] = []): DesktopState => ({
  mode: 'normal',
  appearance: 'system',
  locale: 'en',
  notifications_changed: false,
  keyboard_unasked: false,
  came_by_itself: false,
  stage: 'on_screen',
  opening: 1,
  revision: 1,
  pending: pending.map(approval),
  questions: [],
  missed: missed.map(approval),
});
const result = (id: string, change: Partial<ApprovalResult>): ApprovalResult =>
  ({ id, ...change }) as ApprovalResult;
const three = received(EMPTY_INBOX, state(['a', 'b', 'c']), 0);

describe('what arrives', () => {
  it('selects the oldest request and leaves a selection alone', () => {
    expect(three.selected).toBe('a');
    expect(received(select(three, 'c'), state(['a', 'b', 'c', 'd']), 0).selected).toBe('c');
  });

  it('does not bring back what was answered here', () => {
    const answered = answeredHere(three, 'a');
    expect(received(answered, state(['a', 'b', 'c']), 0).pending.map((one) => one.id)).toEqual(['b', 'c']);
  });
});

describe('an answer given here', () => {
  it('goes on to the request after it, at the end to the one before', () => {
    expect(answeredHere(select(three, 'b'), 'b').selected).toBe('c');
    expect(answeredHere(select(three, 'c'), 'c').selected).toBe('b');
    expect(answeredHere(received(EMPTY_INBOX, state(['a']), 0), 'a').selected).toBeNull();
  });

  it('that came too late says so, and goes on', () => {
    const late = tooLate(select(three, 'b'), 'b', 100);
    expect(late.endNotice).toMatchObject({ end: 'too_late', until: 100 + END_NOTICE_MILLISECONDS });
    expect(late.selected).toBe('c');
  });

  it('to a missed request is kept as long as that one is shown', () => {
    const missed = retriedHere(received(EMPTY_INBOX, state([], ['m']), 0), 'm');
    expect(received(missed, state([], ['m']), 0).retried).toEqual(['m']);
    expect(received(missed, state([]), 0).retried).toEqual([]);
  });
});

describe('a selected request that ends elsewhere', () => {
  it('makes room for the one after it, and is spoken of for a moment', () => {
    const gone = received(three, state(['b', 'c']), 1000);
    expect(gone).toMatchObject({ selected: 'b', endNotice: { end: 'unknown', about: { id: 'a' } } });
    expect(passed(gone, 1000 + END_NOTICE_MILLISECONDS - 1)).toBe(gone);
    expect(passed(gone, 1000 + END_NOTICE_MILLISECONDS)).toMatchObject({ selected: 'b', endNotice: null });
  });

  it('says that it timed out when it is among the missed', () => {
    expect(received(three, state(['b', 'c'], ['a']), 0).endNotice?.end).toBe('timeout');
  });

  it('says how it ended, whether that is told before or after it goes', () => {
    const told = result('a', { decided_by: 'requester', status: 'cancelled' });
    const words = result('a', { decided_by: 'requester', reason: 'It was answered in the agent itself.' });
    expect(received(ended(three, words), state(['b', 'c']), 0).endNotice?.why).toBe(words.reason);
    expect(received(ended(three, told), state(['b', 'c']), 0).endNotice?.end).toBe('agent_gone');
    expect(ended(received(three, state(['b', 'c']), 0), told).endNotice?.end).toBe('agent_gone');
  });

  it('that is not selected goes without a word', () => {
    expect(received(three, state(['a', 'c']), 0)).toMatchObject({ selected: 'a', endNotice: null });
  });

  it.each([
    [{ decided_by: 'person', status: 'approved' }, 'approved'],
    [{ decided_by: 'person', status: 'denied' }, 'denied'],
    [{ decided_by: 'grant', status: 'approved' }, 'grant'],
    [{ decided_by: 'shutdown', status: 'cancelled' }, 'shutdown'],
  ] as const)('ended by %o reads as %s', (change, end) => {
    expect(endOf(result('a', change))).toBe(end);
  });
});

describe('moving', () => {
  it('goes through the open and then the missed requests, and stops at the ends', () => {
    let inbox = received(EMPTY_INBOX, state(['a', 'b'], ['m']), 0);
    expect(move(inbox, -1).selected).toBe('a');
    inbox = move(move(inbox, 1), 1);
    expect(selectedApproval(inbox)?.id).toBe('m');
    expect(move(inbox, 1).selected).toBe('m');
  });

  it('knows when nothing on the screen moved', () => {
    const [one, two] = [state(['a', 'b']).pending, state(['a', 'b', 'c']).pending];
    expect(onlyAdded(one, two)).toBe(true);
    expect(onlyAdded(two, one)).toBe(false);
    expect(onlyAdded(two, state(['a', 'd', 'b', 'c']).pending)).toBe(true);
    expect(onlyAdded(state(['b', 'a']).pending, two)).toBe(false);
  });
});

describe('questions', () => {
  const at = (id: string, seconds: number): Question =>
    ({
      id,
      title: id,
      question: [],
      asked_at: new Date(seconds * 1000).toISOString(),
    }) as unknown as Question;
  const call = (id: string, seconds: number): Approval =>
    ({ ...approval(id), requested_at: new Date(seconds * 1000).toISOString() }) as Approval;
  const mixed: DesktopState = {
    ...state([]),
    pending: [call('a', 1), call('c', 3)],
    questions: [at('b', 2), at('d', 4)],
  };
  const inbox = received(EMPTY_INBOX, mixed, 0);

  it('wait among the requests, oldest first', () => {
    expect(openOnes(inbox).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(move(inbox, 1).selected).toBe('b');
    expect(selectedQuestion(move(inbox, 1))?.id).toBe('b');
    expect(selectedApproval(move(inbox, 1))).toBeUndefined();
  });

  it('make room for what comes after them', () => {
    expect(answeredHere(select(inbox, 'b'), 'b')).toMatchObject({ selected: 'c', answered: ['b'] });
  });

  it('say how they ended elsewhere', () => {
    const told = { id: 'b', status: 'declined', selected: [] } as unknown as QuestionResult;
    const gone = received(ended(select(inbox, 'b'), told), { ...mixed, questions: [at('d', 4)] }, 0);
    expect(gone.endNotice).toMatchObject({ end: 'question_declined', about: { id: 'b' } });
  });
});
