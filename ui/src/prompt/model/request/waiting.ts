import type { Approval, Question } from '../../../generated/protocol';

/** What waits for a person: a call to decide about, or a question to answer. */
export type Waiting = Approval | Question;

/** Whether it is a question, and no call. */
export function isQuestion(waiting: Waiting): waiting is Question {
  return 'question' in waiting;
}
