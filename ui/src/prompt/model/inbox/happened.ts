import { m } from '../../../paraglide/messages.js';
import { asProblem } from '../../../platform';
import type { Approval, DesktopState, Question } from '../../../generated/protocol';
import { asLabel } from '../../../text/marks';
import type { End, EndNotice } from './inbox';
import { isQuestion } from '../request/waiting';

/** The person's last answer, and when it was given. */
export type LastAnswer = { decision: 'approve' | 'deny' | 'answer' | 'decline'; title: string; at: number };

/** What is read aloud. The same words, said once more, are another announcement. */
export type Announcement = { text: string };

/** These words, to be read aloud. */
export const said = (text: string): Announcement => ({ text });

function wordsOf(end: End): { title: string; detail?: string } {
  const words: Record<End, () => { title: string; detail?: string }> = {
    approved: () => ({ title: m.ended_elsewhere(), detail: m.ended_approved() }),
    denied: () => ({ title: m.ended_elsewhere(), detail: m.ended_denied() }),
    agent_gone: () => ({ title: m.ended_agent_gone() }),
    timeout: () => ({ title: m.ended_timeout(), detail: m.ended_timeout_detail() }),
    grant: () => ({ title: m.ended_grant() }),
    policy: () => ({ title: m.ended_policy() }),
    shutdown: () => ({ title: m.ended_shutdown() }),
    unknown: () => ({ title: m.ended_unknown(), detail: m.ended_unknown_detail() }),
    question_answered: () => ({ title: m.ended_elsewhere() }),
    question_declined: () => ({ title: m.ended_declined() }),
    question_timeout: () => ({ title: m.ended_timeout(), detail: m.ended_timeout_detail() }),
    question_cancelled: () => ({ title: m.ended_agent_gone() }),
    too_late: () => ({ title: m.too_late(), detail: m.too_late_detail() }),
  };
  return words[end]();
}

/** How a request ended without this window, in a sentence or two. */
export function endWords({ end, why }: EndNotice): string {
  const { title, detail } = wordsOf(end);
  const more = end === 'agent_gone' ? why : detail;
  return more ? m.end_words({ title, detail: more }) : title;
}

/** The person's own answer in one word. */
export function answerWord({ decision }: LastAnswer): string {
  return {
    approve: m.decided_approved(),
    deny: m.decided_denied(),
    answer: m.decided_answered(),
    decline: m.decided_declined(),
  }[decision];
}

/** What is said of the latest of what waits now and is not among `open`. */
export function arrivalWords(
  open: readonly (Approval | Question)[],
  { pending, questions }: DesktopState,
): Announcement | undefined {
  const known = new Set(open.map(({ id }) => id));
  const latest = [...pending, ...questions].findLast(({ id }) => !known.has(id));
  if (latest === undefined) return undefined;
  const title = asLabel(latest.title);
  return said(isQuestion(latest) ? m.announce_question({ title }) : m.announce_new({ title }));
}

/** Why something failed, in the words of whoever says so. */
export function problemWords(error: unknown): string {
  return asProblem(error).detail || m.problem_unknown();
}
