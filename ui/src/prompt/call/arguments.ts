import type { Approval, ArgumentRow, Piece } from '../../generated/protocol';
import { plainText } from '../../text/marks';

/** The arguments that the subject does not already show in full. */
export function otherArguments(approval: Approval): ArgumentRow[] {
  if (approval.subject.kind === 'arguments') {
    const plan = planOf(approval);
    return approval.arguments.filter((row) => row !== plan);
  }
  const shown = new Set(textsOf(approval).map(closed));
  return approval.arguments.filter((row) => !shown.has(closed(plainText(row.value))));
}

function textsOf({ subject }: Approval): string[] {
  switch (subject.kind) {
    case 'command':
      return [plainText(subject.line)];
    case 'edit':
      return [
        plainText(subject.path),
        subject.diff
          .filter((line) => line.sign !== 'add')
          .map((line) => plainText(line.text))
          .join('\n'),
        subject.diff
          .filter((line) => line.sign !== 'remove')
          .map((line) => plainText(line.text))
          .join('\n'),
      ];
    case 'write':
      return [plainText(subject.path), plainText(subject.content)];
    case 'read':
      return [plainText(subject.path)];
    case 'fetch':
      return [plainText(subject.url)];
    case 'arguments':
      return [];
  }
}

/** A text without the line break that closes its last line. */
function closed(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** What agents call the tool that shows a plan. */
const PLANS: ReadonlySet<string> = new Set(['ExitPlanMode', 'exit_plan_mode']);

/** The plan that is to be approved, when the call is about one. */
export function planOf({ subject, tool, arguments: rows }: Approval): ArgumentRow | undefined {
  if (subject.kind !== 'arguments' || !PLANS.has(tool)) return undefined;
  return rows.find((row) => plainText(row.name) === 'plan' && !row.json);
}

/** Whether there is anything in `pieces`. */
export function hasText(pieces: readonly Piece[] | undefined): pieces is Piece[] {
  return pieces !== undefined && pieces.length > 0;
}
