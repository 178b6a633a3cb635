import type { Approval, FindingView } from '../generated/protocol';

/** One sentence, and every field that it is about. */
export type Warning = { sentence: string; fields: string[]; misleads: boolean };

/** How many warnings a person takes in at once; the rest is folded. */
export const MOST_AT_ONCE = 5;

/** What is odd about a request: what misleads comes first, and the same sentence is said once. */
export function warningsOf(approval: Pick<Approval, 'findings'>): Warning[] {
  const bySentence = new Map<string, Warning>();
  const findings = approval.findings ?? [];
  for (const finding of [...findings.filter(misleads), ...findings.filter((other) => !misleads(other))]) {
    const known = bySentence.get(finding.sentence);
    if (!known) {
      const { sentence, field } = finding;
      bySentence.set(sentence, { sentence, fields: [field], misleads: misleads(finding) });
    } else if (!known.fields.includes(finding.field)) {
      known.fields.push(finding.field);
    }
  }
  return [...bySentence.values()];
}

/** The name of an argument in a field such as `arguments.command`; nothing for the other fields. */
export function argumentOf(field: string): string | undefined {
  const prefix = 'arguments.';
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined;
}

function misleads(finding: FindingView): boolean {
  return finding.misleads;
}
