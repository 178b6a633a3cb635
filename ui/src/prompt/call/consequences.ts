import type { Consequence } from '../../generated/protocol';

/** Lines that stand open. */
export const MAX_OPEN = 3;

/** What stands open, and what unfolds; and whether each line names its command. */
export type Told = { first: Consequence[]; rest: Consequence[]; named: boolean };

/** What is lost first, each in the order in which it was told; a few stand open. */
export function foldConsequences(consequences: readonly Consequence[]): Told {
  const sorted = [
    ...consequences.filter((one) => one.loses === true),
    ...consequences.filter((one) => one.loses !== true),
  ];
  const commands = new Set(consequences.map((one) => one.command));
  return { first: sorted.slice(0, MAX_OPEN), rest: sorted.slice(MAX_OPEN), named: commands.size > 1 };
}
