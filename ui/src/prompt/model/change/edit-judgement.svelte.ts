import type { Approval, RequestId } from '../../../generated/protocol';
import { m } from '../../../paraglide/messages.js';
import { asProblem, type PromptPlatform } from '../../../platform';
import { readEdited } from './edited';

/** How long a text stands still before it is judged, in milliseconds. */
const STILL_FOR = 250;

/** What the rules say about changed arguments, while they are typed. */
export class EditJudgement {
  /** The request as it would be with the changed arguments; `null`: they are as they were. */
  approval = $state.raw<Approval | null>(null);
  /** Why it is not known what the rules say about them. */
  problem = $state<string | null>(null);
  /** The changed arguments that `approval` is about. */
  private text = $state<string | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts texts: an answer about an earlier one says nothing. */
  private count = 0;

  /** `told` hears of each answer. */
  constructor(
    private readonly platform: PromptPlatform,
    private readonly told: (approval: Approval) => void,
  ) {}

  /** What the rules say about `text` is being asked. */
  isAsking(text: string | null): boolean {
    return text !== null && text !== this.text && this.problem === null;
  }

  /** The arguments of the request `id` are changed to the JSON text `text`. */
  typed(id: RequestId, text: string): void {
    this.problem = null;
    this.count += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(id, text), STILL_FOR);
  }

  /** Nothing is said of changed arguments; `text` is as it came. */
  forget(text: string | null): void {
    clearTimeout(this.timer);
    this.count += 1;
    this.approval = null;
    this.text = text;
    this.problem = null;
  }

  private async ask(id: RequestId, text: string): Promise<void> {
    const read = readEdited(text);
    if ('problem' in read) return;
    const { count } = this;
    try {
      const approval = await this.platform.previewEdit(id, read.arguments);
      if (count !== this.count) return;
      this.approval = approval;
      this.text = text;
      this.told(approval);
    } catch (error) {
      if (count === this.count)
        this.problem = m.edit_not_judged({ problem: asProblem(error).detail || m.problem_unknown() });
    }
  }
}
