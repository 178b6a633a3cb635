import type { Approval, CommandPart, CommandSubject, PartPath } from '../../generated/protocol';
import { plainText } from '../../text/marks';

/** Rows of a command line that are shown at once. */
export const SHOWN_PARTS = 8;

/** The rows to show, in their order, and how many allowed ones are not among them. */
export type FoldedParts = { shown: CommandPart[]; folded: number };

/** Folds what is allowed when there are many rows. What asks or is denied is always shown. */
export function foldParts(parts: readonly CommandPart[], limit = SHOWN_PARTS): FoldedParts {
  let room = limit - parts.filter((part) => !isAllowed(part)).length;
  // A button in the place of a single row would save nothing.
  if (parts.length <= limit + 1) room = parts.length;
  const shown = parts.filter((part) => !isAllowed(part) || room-- > 0);
  return { shown, folded: parts.length - shown.length };
}

/** The rows that say more than the command line itself. */
export function telling(approval: Approval, subject: CommandSubject): CommandPart[] {
  const [only, ...others] = subject.parts;
  if (only === undefined || others.length > 0 || subject.obstacle !== undefined) return subject.parts;
  const repeats =
    only.kind === 'command' &&
    plainText(only.text).trim() === plainText(subject.line).trim() &&
    only.rule === approval.rule &&
    !only.paths.some((path) => path.outside_project);
  return repeats ? [] : subject.parts;
}

/** The files of a row that its text does not name already; what lies outside the project is always named. */
export function tellingPaths(part: CommandPart): PartPath[] {
  const text = plainText(part.text);
  const words = text.split(/[\s"'=<>]+/).map((word) => word.replace(/^(\.\/)+/, ''));
  const isNamed = ({ path }: PartPath): boolean =>
    words.some((word) => word !== '' && (path === word || path.endsWith(`/${word}`)));
  return part.paths.filter((path) => (path.outside_project ? path.path !== text : !isNamed(path)));
}

/** Whether the text of a row is itself a file outside the project. */
export function isOutside(part: CommandPart): boolean {
  return part.paths.some((path) => path.outside_project && path.path === plainText(part.text));
}

/** Whether a line is asked about again when an answer covers the simple commands at these positions. */
export function leavesAsked(approval: Approval, covered: readonly number[]): boolean {
  const parts = approval.subject.kind === 'command' ? approval.subject.parts : [];
  return parts.some(
    (part) => !isAllowed(part) && (part.command === undefined || !covered.includes(part.command)),
  );
}

/** How many rows there are of each verdict, the strictest first. */
export function counts(parts: readonly CommandPart[]): { denied: number; asked: number; allowed: number } {
  const count = (action: CommandPart['action']): number =>
    parts.filter((part) => part.action === action).length;
  // Whoever approves the whole approves it without walls.
  return { denied: count('deny'), asked: count('ask') + count('confine'), allowed: count('allow') };
}

function isAllowed(part: CommandPart): boolean {
  return part.action === 'allow';
}
