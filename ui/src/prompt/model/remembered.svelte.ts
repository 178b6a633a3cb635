import type { RequestId, RuleCheck, ScopeChoice, ScopeCommands } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type PromptPlatform } from '../../platform';
import { listed } from '../../shared/words';

/** How long a text stands still before it is checked, in milliseconds. */
const STILL_FOR = 250;

/** Which simple commands of a line an answer covers, for the rows of the line. */
export type Ticks = {
  /** Whether it can cover the one at this position. */
  isOffered(command: number): boolean;
  isTicked(command: number): boolean;
  toggle(command: number): void;
};

/**
 * What an answer beyond this call remembers, as a person changes it before approving: the rule that it writes, with what is
 * said of it while it is typed, and the simple commands that it covers.
 */
export class Remembered {
  /** What is said of the text as it stands; `null`: nothing yet. */
  check = $state.raw<RuleCheck | null>(null);
  /** Why nothing is said of it. */
  problem = $state<string | null>(null);
  private text = $state<string | null>(null);
  /** The choice whose rule it is: another one has another rule. */
  private choice = $state.raw<ScopeChoice | null>(null);
  /** Positions of simple commands that are left out, however long the answer lasts. */
  private leftOut = $state.raw<readonly number[]>([]);
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

  /** Nobody can approve with `choice` as it is changed, as far as that is known. */
  isHeld(choice: ScopeChoice | null): boolean {
    if (choice !== null && this.commandsOf(choice)?.length === 0) return true;
    return this.textOf(choice) !== null && (this.check === null || this.check.refused !== undefined);
  }

  /** The simple commands that `choice` covers, by position; `undefined`: there is nothing to choose. */
  commandsOf(choice: ScopeChoice | null): number[] | undefined {
    return choice?.commands && this.ticked(choice).flatMap(({ commands }) => commands);
  }

  /** What `choice` remembers, and the rules that it writes: the text, and the one with which a person begins to change it. */
  of(choice: ScopeChoice): Pick<ScopeChoice, 'remembers' | 'rule' | 'editable_rule'> {
    const ticked = this.ticked(choice);
    if (ticked.length === (choice.commands ?? []).length) return choice;
    const [only, ...others] = ticked;
    if (only !== undefined && others.length === 0) return only;
    const rules = ticked.flatMap(({ rule }) => rule ?? []);
    return {
      remembers: listed(ticked.map(({ remembers }) => remembers)),
      ...(rules.length > 0 && { rule: rules.join('\n') }),
    };
  }

  /** For the rows of the line that `choice` is about; `undefined`: there is nothing to choose. */
  ticks(choice: ScopeChoice | null): Ticks | undefined {
    const all = choice?.commands;
    if (all === undefined) return undefined;
    const together = (command: number): readonly number[] =>
      all.find(({ commands }) => commands.includes(command))?.commands ?? [];
    return {
      isOffered: (command) => together(command).length > 0,
      isTicked: (command) => together(command).length > 0 && !this.leftOut.includes(command),
      toggle: (command) => this.toggle(together(command)),
    };
  }

  /** The simple commands that one pattern covers are covered together. */
  private toggle(commands: readonly number[]): void {
    const others = this.leftOut.filter((command) => !commands.includes(command));
    const wasTicked = others.length === this.leftOut.length;
    this.forgetText();
    this.leftOut = wasTicked ? [...others, ...commands] : others;
    this.changed();
  }

  private ticked(choice: ScopeChoice): ScopeCommands[] {
    const isLeftOut = (command: number): boolean => this.leftOut.includes(command);
    return (choice.commands ?? []).filter(({ commands }) => !commands.some(isLeftOut));
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

  /** Everything stands as it was shown. */
  discard(): void {
    this.forgetText();
    this.leftOut = [];
  }

  /** The rule stands as it was shown. */
  forgetText(): void {
    clearTimeout(this.timer);
    this.count += 1;
    this.choice = null;
    this.text = null;
    this.check = null;
    this.problem = null;
  }

  private async ask(id: RequestId, choice: ScopeChoice, rule: string): Promise<void> {
    const { count } = this;
    const { scope, breadth } = choice;
    const commands = this.commandsOf(choice);
    try {
      const check = await this.platform.checkRule(id, {
        rule,
        scope,
        breadth,
        ...(commands && { commands }),
      });
      if (count !== this.count) return;
      this.check = check;
      this.changed();
    } catch (error) {
      if (count === this.count)
        this.problem = m.rule_not_checked({ problem: asProblem(error).detail || m.problem_unknown() });
    }
  }
}
