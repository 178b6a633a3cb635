import { GateUnavailableError, deepFreeze } from '../errors.js';
import { isObject } from '../json.js';

/** A question for the person, in the middle of a run. */
export interface QuestionRequest {
  /** What is asked. */
  question: string;
  /** A few words above it. */
  header?: string;
  /** What can be chosen; at most 25. */
  choices?: QuestionChoice[];
  /** More than one may be chosen. */
  multiple?: boolean;
  /** An answer in the person's own words is taken too. */
  custom?: boolean;
  /** What stands beside the field for it. */
  custom_label?: string;
  agent?: string;
  session?: string;
  conversation_id?: string;
  user?: string;
  cwd?: string;
  trace_id?: string;
  idempotency_key?: string;
  /** How long the person has, in seconds: 1 to 86 400. */
  timeout_seconds?: number;
}

/** One choice. */
export interface QuestionChoice {
  label: string;
  description?: string;
}

/** Where a question stands. */
export interface QuestionResult {
  id: string;
  status: 'answered' | 'declined' | 'timeout' | 'cancelled' | 'pending';
  /** The labels of what was chosen. */
  selected?: string[];
  /** The person's own words. */
  custom?: string;
  /** Both as one text. */
  answer?: string;
  /** Why there is no answer. */
  reason?: string;
  asked_at: string;
  answered_at?: string;
  expires_at: string;
  trace_id?: string;
}

const STATUSES: readonly string[] = ['answered', 'declined', 'timeout', 'cancelled', 'pending'];

/** Reads a question's result, frozen. A status that nobody knows is no answer. */
export function readQuestion(body: unknown): Readonly<QuestionResult> {
  if (!isObject(body) || typeof body['id'] !== 'string' || typeof body['status'] !== 'string') {
    throw new GateUnavailableError('answer', 'Handraise answered something that is no answer to a question.');
  }
  const result = body as unknown as QuestionResult;
  if (STATUSES.includes(result.status)) return deepFreeze(result);
  const { selected: _selected, custom: _custom, answer: _answer, ...rest } = result;
  const reason = `The gate answered with the unknown status ${JSON.stringify(result.status)}.`;
  return deepFreeze({ ...rest, status: 'cancelled', reason });
}
