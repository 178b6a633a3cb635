import type { Approval, ApprovalResult, DesktopState, Mode, RequestId } from '../generated/protocol';
import { byStep } from './steps';

/** How long the place of a request that ended elsewhere says so, in milliseconds. */
export const FAREWELL_FOR = 2500;

/** How a request ended without this window. */
export type End =
  'approved' | 'denied' | 'agent_gone' | 'timeout' | 'grant' | 'policy' | 'shutdown' | 'unknown' | 'too_late';

/** What takes the place of a selected request that ended elsewhere. */
export type Farewell = {
  approval: Approval;
  end: End;
  until: number;
  /** Why the requester took it back, in a sentence. */
  why?: string | undefined;
};

/** What the prompt window shows, and where the person is in it. */
export type Inbox = {
  mode: Mode;
  /** Open requests, oldest first; those of one step together. */
  pending: Approval[];
  /** Requests that nobody answered in time. */
  missed: Approval[];
  selected: RequestId | null;
  farewell: Farewell | null;
  /** Answered here; not shown again although the state that arrives may still hold them. */
  answered: RequestId[];
  /** Missed requests whose retry was approved here. */
  retried: RequestId[];
  /** How requests ended, as far as it was told. */
  results: ApprovalResult[];
};

const KEPT_RESULTS = 50;

/** Nothing has arrived yet. */
export const EMPTY_INBOX: Inbox = {
  mode: 'normal',
  pending: [],
  missed: [],
  selected: null,
  farewell: null,
  answered: [],
  retried: [],
  results: [],
};

/** The selected request, open or missed. */
export function selectedApproval(inbox: Inbox): Approval | undefined {
  return [...inbox.pending, ...inbox.missed].find((approval) => approval.id === inbox.selected);
}

/** Takes in what the desktop says is open now. The selection never moves because something arrived. */
export function received(inbox: Inbox, state: DesktopState, now: number): Inbox {
  const answered = inbox.answered.filter((id) => state.pending.some((approval) => approval.id === id));
  const pending = byStep(state.pending.filter((approval) => !answered.includes(approval.id)));
  const retried = inbox.retried.filter((id) => state.missed.some((approval) => approval.id === id));
  const next: Inbox = { ...inbox, mode: state.mode, pending, missed: state.missed, answered, retried };
  const gone = inbox.pending.find((approval) => approval.id === inbox.selected);
  if (gone && !pending.some((approval) => approval.id === gone.id)) {
    const missed = state.missed.some((approval) => approval.id === gone.id);
    const result = inbox.results.find((one) => one.id === gone.id);
    const end = missed ? 'timeout' : endOf(result);
    const farewell: Farewell = { approval: gone, end, until: now + FAREWELL_FOR, why: result?.reason };
    return { ...next, selected: null, farewell };
  }
  return withSelection(next, indexOfSelected(inbox));
}

/** Takes in how a request ended. */
export function ended(inbox: Inbox, result: ApprovalResult): Inbox {
  const results = [result, ...inbox.results].slice(0, KEPT_RESULTS);
  const { farewell } = inbox;
  if (farewell?.approval.id !== result.id || farewell.end !== 'unknown') return { ...inbox, results };
  return { ...inbox, results, farewell: { ...farewell, end: endOf(result), why: result.reason } };
}

/** The person answered `id` here: it goes, and the one after it takes its place. */
export function answeredHere(inbox: Inbox, id: RequestId): Inbox {
  const index = inbox.pending.findIndex((approval) => approval.id === id);
  if (index < 0) return inbox;
  const pending = inbox.pending.filter((approval) => approval.id !== id);
  const selected = inbox.selected === id ? null : inbox.selected;
  return withSelection({ ...inbox, pending, selected, answered: [...inbox.answered, id] }, index);
}

/** The answer to `id` came too late. */
export function tooLate(inbox: Inbox, id: RequestId, now: number): Inbox {
  const approval =
    [...inbox.pending, ...inbox.missed].find((other) => other.id === id) ?? inbox.farewell?.approval;
  const without = answeredHere(inbox, id);
  if (approval?.id !== id) return without;
  return { ...without, selected: null, farewell: { approval, end: 'too_late', until: now + FAREWELL_FOR } };
}

/** The retry of a missed request was approved here. */
export function retriedHere(inbox: Inbox, id: RequestId): Inbox {
  return { ...inbox, retried: [...inbox.retried, id] };
}

/** The person chose a request. */
export function select(inbox: Inbox, id: RequestId): Inbox {
  const known = [...inbox.pending, ...inbox.missed].some((approval) => approval.id === id);
  return known ? { ...inbox, selected: id, farewell: null } : inbox;
}

/** The person goes to the next or the previous request; at the ends nothing happens. */
export function move(inbox: Inbox, step: 1 | -1): Inbox {
  const all = [...inbox.pending, ...inbox.missed];
  const index = all.findIndex((approval) => approval.id === inbox.selected);
  const target = index < 0 ? all[0] : all[index + step];
  return target ? select(inbox, target.id) : inbox;
}

/** Time has passed: a farewell that was long enough makes room. */
export function passed(inbox: Inbox, now: number): Inbox {
  if (inbox.farewell === null || now < inbox.farewell.until) return inbox;
  return withSelection({ ...inbox, farewell: null }, 0);
}

/** Whether `after` is `before` with requests added at the end: nothing on the screen moved. */
export function onlyAppended(before: readonly Approval[], after: readonly Approval[]): boolean {
  return before.every((approval, index) => after[index]?.id === approval.id);
}

/** How a result reads from a window that did not give the answer. */
export function endOf(result: ApprovalResult | undefined): End {
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

function indexOfSelected(inbox: Inbox): number {
  return Math.max(
    0,
    inbox.pending.findIndex((approval) => approval.id === inbox.selected),
  );
}

function withSelection(inbox: Inbox, index: number): Inbox {
  if (inbox.farewell !== null || selectedApproval(inbox) !== undefined) return inbox;
  const next = inbox.pending[index] ?? inbox.pending.at(-1);
  return { ...inbox, selected: next?.id ?? null };
}
