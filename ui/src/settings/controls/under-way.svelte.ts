import { m } from '../../paraglide/messages.js';
import { asProblem } from '../../platform';

/** Something that a person has started and that may fail: whether it is under way, and what went wrong last. */
export class UnderWay {
  busy = $state(false);
  /** What was said against it; empty where nothing of use was said, null where nothing went wrong. */
  private refused = $state<string | null>(null);
  readonly problem = $derived(this.refused === null ? '' : this.refused || m.problem_unknown());

  /** Does it, and gives whether it went well. */
  async run(action: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    this.refused = null;
    try {
      await action();
    } catch (error) {
      this.refused = asProblem(error).detail;
    }
    this.busy = false;
    return this.refused === null;
  }
}
