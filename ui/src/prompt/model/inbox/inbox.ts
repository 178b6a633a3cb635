import type {
  Approval,
  ApprovalResult,
  DesktopState,
  Mode,
  Question,
  QuestionResult,
  RequestId,
} from '../../../generated/protocol';
import { inLanes } from './lanes';
import { isQuestion, type Waiting } from '../request/waiting';

/** How long the window says that a request ended elsewhere, in milliseconds. */
export const END_NOTICE_MILLISECONDS = 6000;

/** How a request ended without this window. */
export type End =
  | 'approved'
  | 'denied'
  | 'agent_gone'
  | 'timeout'
  | 'grant'
  | 'policy'
  | 'shutdown'
  | 'unknown'
  | 'too_late'
  | 'question_answered'
  | 'question_declined'
  | 'question_timeout'
  | 'question_cancelled';

/** That a selected request ended elsewhere. The next one has taken its place. */
export type EndNotice = {
  about: Waiting;
  end: End;
  until: number;
  /** Why the requester took it back, in a sentence. */
  why?: string | undefined;
};

/** What the prompt window shows, and where the person is in it. */
export type Inbox = {
  mode: Mode;
  /** When a pause ends by itself. */
  modeUntil?: string | undefined;
  /** Open requests, oldest first. */
  pending: Approval[];
  /** Open questions, oldest first. */
  questions: Question[];
  /** Requests that nobody answered in time. */
  missed: Approval[];
  selected: RequestId | null;
  endNotice: EndNotice | null;
  /** Answered here; not shown again although the state that arrives may still hold them. */
  answered: RequestId[];
  /** Missed requests whose retry was approved here. */
  retried: RequestId[];
  /** How requests ended, as far as it was told. */
  results: (ApprovalResult | QuestionResult)[];
};

const KEPT_RESULTS = 50;

/** Nothing has arrived yet. */
export const EMPTY_INBOX: Inbox = {
  mode: 'normal',
  pending: [],
  questions: [],
  missed: [],
  selected: null,
  endNotice: null,
  answered: [],
  retried: [],
  results: [],
};

/** The selected request, open or missed. */
export function selectedApproval(inbox: Inbox): Approval | undefined {
  return [...inbox.pending, ...inbox.missed].find((approval) => approval.id === inbox.selected);
}

/** The selected question. */
export function selectedQuestion(inbox: Inbox): Question | undefined {
  return inbox.questions.find((question) => question.id === inbox.selected);
}

/** Everything that is open, by who asks: the agent and the session that have waited longest come first. */
export function openOnes({ pending, questions }: Pick<Inbox, 'pending' | 'questions'>): Waiting[] {
  // A sort that is stable keeps requests of the same moment as they came.
  return inLanes([...pending, ...questions].sort((one, other) => askedAt(one) - askedAt(other)));
}

function askedAt(waiting: Waiting): number {
  return Date.parse(isQuestion(waiting) ? waiting.asked_at : waiting.requested_at) || 0;
}

/** Takes in what the desktop says is open now. The selection never moves because something arrived. */
export function received(inbox: Inbox, state: DesktopState, now: number): Inbox {
  const open = new Set([...state.pending, ...state.questions].map(({ id }) => id));
  const answered = inbox.answered.filter((id) => open.has(id));
  const pending = state.pending.filter((approval) => !answered.includes(approval.id));
  const questions = state.questions.filter((question) => !answered.includes(question.id));
  const retried = inbox.retried.filter((id) => state.missed.some((approval) => approval.id === id));
  const { mode, missed: late } = state;
  const modeUntil = state.mode_until;
  const next: Inbox = { ...inbox, mode, modeUntil, pending, questions, missed: late, answered, retried };
  const gone = openOnes(inbox).find((one) => one.id === inbox.selected);
  if (gone && !openOnes(next).some((one) => one.id === gone.id)) {
    const missed = state.missed.some((approval) => approval.id === gone.id);
    const result = inbox.results.find((one) => one.id === gone.id);
    const end = missed ? 'timeout' : endOf(result);
    const endNotice: EndNotice = {
      about: gone,
      end,
      until: now + END_NOTICE_MILLISECONDS,
      why: result?.reason,
    };
    return withSelection({ ...next, selected: null, endNotice }, indexOfSelected(inbox));
  }
  return withSelection(next, indexOfSelected(inbox));
}

/** Takes in how a request ended. */
export function ended(inbox: Inbox, result: ApprovalResult | QuestionResult): Inbox {
  const results = [result, ...inbox.results].slice(0, KEPT_RESULTS);
  const { endNotice } = inbox;
  if (endNotice?.about.id !== result.id || endNotice.end !== 'unknown') return { ...inbox, results };
  return { ...inbox, results, endNotice: { ...endNotice, end: endOf(result), why: result.reason } };
}

/** The person answered `id` here: it goes, and the one after it takes its place. */
export function answeredHere(inbox: Inbox, id: RequestId): Inbox {
  const index = openOnes(inbox).findIndex((one) => one.id === id);
  if (index < 0) return inbox;
  const pending = inbox.pending.filter((approval) => approval.id !== id);
  const questions = inbox.questions.filter((question) => question.id !== id);
  const selected = inbox.selected === id ? null : inbox.selected;
  return withSelection({ ...inbox, pending, questions, selected, answered: [...inbox.answered, id] }, index);
}

/** The answer to `id` came too late. */
export function tooLate(inbox: Inbox, id: RequestId, now: number): Inbox {
  const about =
    [...openOnes(inbox), ...inbox.missed].find((other) => other.id === id) ?? inbox.endNotice?.about;
  const without = answeredHere(inbox, id);
  if (about?.id !== id) return without;
  return {
    ...without,
    endNotice: { about, end: 'too_late', until: now + END_NOTICE_MILLISECONDS },
  };
}

/** The retry of a missed request was approved here. */
export function retriedHere(inbox: Inbox, id: RequestId): Inbox {
  return { ...inbox, retried: [...inbox.retried, id] };
}

/** The person chose a request. */
export function select(inbox: Inbox, id: RequestId): Inbox {
  const known = [...openOnes(inbox), ...inbox.missed].some((one) => one.id === id);
  return known ? { ...inbox, selected: id } : inbox;
}

/** The person goes to the next or the previous request of those they look through; at the ends nothing happens. */
export function move(inbox: Inbox, step: 1 | -1, isListed: (one: Waiting) => boolean = () => true): Inbox {
  const all = [...openOnes(inbox), ...inbox.missed].filter(
    (one) => one.id === inbox.selected || isListed(one),
  );
  const index = all.findIndex((one) => one.id === inbox.selected);
  const target = index < 0 ? all[0] : all[index + step];
  return target ? select(inbox, target.id) : inbox;
}

/** Time has passed: a notice that was there long enough goes. */
export function passed(inbox: Inbox, now: number): Inbox {
  if (inbox.endNotice === null || now < inbox.endNotice.until) return inbox;
  return { ...inbox, endNotice: null };
}

/** Whether `after` is `before` with requests added to it: what was there is there, and in the same order. */
export function onlyAdded(before: readonly Waiting[], after: readonly Waiting[]): boolean {
  let found = 0;
  for (const one of after) if (one.id === before[found]?.id) found += 1;
  return found === before.length;
}

/** How a result reads from a window that did not give the answer. */
export function endOf(result: ApprovalResult | QuestionResult | undefined): End {
  if (result && 'selected' in result) return endOfQuestion(result);
  switch (result?.decided_by) {
    case 'person':
      return result.status === 'approved' ? 'approved' : 'denied';
    case 'requester':
      return 'agent_gone';
    case 'timeout':
    case 'grant':
    case 'policy':
    case 'shutdown':
      return result.decided_by;
    case undefined:
      return 'unknown';
  }
}

function endOfQuestion({ status }: QuestionResult): End {
  switch (status) {
    case 'answered':
    case 'declined':
    case 'timeout':
      return `question_${status}`;
    default:
      return 'question_cancelled';
  }
}

function indexOfSelected(inbox: Inbox): number {
  return Math.max(
    0,
    openOnes(inbox).findIndex((one) => one.id === inbox.selected),
  );
}

function withSelection(inbox: Inbox, index: number): Inbox {
  const isThere = selectedApproval(inbox) !== undefined || selectedQuestion(inbox) !== undefined;
  if (isThere) return inbox;
  const open = openOnes(inbox);
  const next = open[index] ?? open.at(-1);
  return { ...inbox, selected: next?.id ?? null };
}
