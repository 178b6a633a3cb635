import type { AnswerRequest, Question } from '../../../generated/protocol';

/** What a person has chosen and written for a question, and not sent yet. */
export type Draft = { selected: string[]; words: string };

/** Nothing yet. */
export const EMPTY_DRAFT: Draft = { selected: [], words: '' };

/** The labels that are chosen after one was taken or left: of several, or instead of the one before. */
export function choose(question: Question, draft: Draft, label: string, chosen: boolean): string[] {
  const others = draft.selected.filter((other) => other !== label);
  if (!chosen) return others;
  return question.multiple ? [...others, label] : [label];
}

/** The draft as an answer; `null` as long as there is nothing in it. */
export function answerOf(question: Question, { selected, words }: Draft): AnswerRequest | null {
  const known = selected.filter((label) => question.choices.some((choice) => choice.label === label));
  const custom = question.custom ? words.trim() : '';
  if (known.length === 0 && custom === '') return null;
  return { ...(known.length > 0 && { selected: known }), ...(custom !== '' && { custom }) };
}

/** No answer; what was written goes along as the reason. */
export function declined({ words }: Draft): AnswerRequest {
  const reason = words.trim();
  return { decline: true, ...(reason !== '' && { reason }) };
}
