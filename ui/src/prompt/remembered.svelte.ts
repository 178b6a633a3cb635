import type { RequestId, RuleCheck, ScopeChoice } from '../generated/protocol';
import { m } from '../paraglide/messages.js';
import { asProblem, type PromptPlatform } from '../platform';

/** How long a text stands still before it is checked, in milliseconds. */
const STILL_FOR = 250;

/** The rule that an answer writes, as a person changes it before approving, and what is said of it while it is typed. */
export class Remembered {
  /** What is said of the text as it stands; `null`: nothing yet. */
  check = $state.raw<RuleCheck | null>(null);
  /** Why nothing is said of it. */
  problem = $state<string | null>(null);
  private text = $state<string | null>(null);
  /** The choice whose rule it is: another one has another rule. */
  private choice = $state.raw<ScopeChoice | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts texts: an answer about an earlier one says nothing. */
  private count = 0;

  /** `changed` hears when something else is on the screen. */
  constructor(
    private readonly platform: PromptPlatform,
    private readonly changed: () => void,
  ) {}

  /** The text in the place of the rule of `choice`; `null`: that stands as it was shown. */
  textOf(choice: ScopeChoice | null): string | null {
    return choice !== null && choice === this.choice ? this.text : null;
  }

  /** Nobody can approve with the text that stands in the place of the rule of `choice`, as far as that is known. */
  isHeld(choice: ScopeChoice | null): boolean {
    return this.textOf(choice) !== null && (this.check === null || this.check.refused !== undefined);
  }

  /** The rule of `choice`, an answer to the request `id`, is changed to `text`. */
  typed(id: RequestId, choice: ScopeChoice, text: string): void {
    this.choice = choice;
    this.text = text;
    this.check = null;
    this.problem = null;
    this.count += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(id, choice, text), STILL_FOR);
    this.changed();
  }

  /** The rule stands as it was shown. */
  discard(): void {
    clearTimeout(this.timer);
    this.count += 1;
    this.choice = null;
    this.text = null;
    this.check = null;
    this.problem = null;
  }

  private async ask(id: RequestId, { scope, breadth }: ScopeChoice, rule: string): Promise<void> {
    const { count } = this;
    try {
      const check = await this.platform.checkRule(id, { rule, scope, breadth });
      if (count !== this.count) return;
      this.check = check;
      this.changed();
    } catch (error) {
      if (count === this.count)
        this.problem = m.rule_not_checked({ problem: asProblem(error).detail || m.problem_unknown() });
    }
  }
}
