import type { Approval, RequestId } from '../../../generated/protocol';
import { m } from '../../../paraglide/messages.js';
import { asProblem, type PromptPlatform } from '../../../platform';
import { approval, denial } from './choice';
import { problemWords } from '../inbox/happened';

/** What came of answering several requests. */
export type Answered = {
  /** Those that are over now, decided here or elsewhere. */
  over: RequestId[];
  /** The last one that was decided here. */
  last: Approval | undefined;
  /** Why others could not be decided. */
  problem: string | null;
};

/** Answers each of these requests for this once, each under the hash of its own arguments. One that fails holds up no other. */
export async function decideAll(
  platform: Pick<PromptPlatform, 'decide'>,
  all: readonly Approval[],
  decision: 'approve' | 'deny',
): Promise<Answered> {
  const answered: Answered = { over: [], last: undefined, problem: null };
  for (const one of all) {
    try {
      await platform.decide(one.id, decision === 'deny' ? denial(one, null, '') : approval(one, null));
      answered.over.push(one.id);
      answered.last = one;
    } catch (error) {
      if (asProblem(error).code === 'already_over') answered.over.push(one.id);
      else answered.problem ??= m.decide_failed({ problem: problemWords(error) });
    }
  }
  return answered;
}
