import type { Approval, FindingView } from '../../../generated/protocol';

/** One sentence, and every field that it is about. */
export type Warning = {
  sentence: string;
  fields: string[];
  misleads: boolean;
  /** It has to be looked at before an answer. */
  weighs: boolean;
};

/** The field of what is about the whole call. */
const WHOLE_CALL = 'reach';

/** How many warnings a person takes in at once; the rest is folded. */
export const MAX_AT_ONCE = 5;

/** What is odd about a request: what misleads comes first, and the same sentence is said once. */
export function warningsOf(approval: Pick<Approval, 'findings'>): Warning[] {
  const bySentence = new Map<string, Warning>();
  const findings = approval.findings ?? [];
  for (const finding of [...findings.filter(weighs), ...findings.filter((other) => !weighs(other))]) {
    const known = bySentence.get(finding.sentence);
    if (!known) {
      const { sentence, field } = finding;
      const fields = field === WHOLE_CALL ? [] : [field];
      bySentence.set(sentence, { sentence, fields, misleads: misleads(finding), weighs: weighs(finding) });
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

/** It misleads, or the call reaches out of the project or beyond this moment. */
function weighs(finding: FindingView): boolean {
  return misleads(finding) || finding.kind === 'outside' || finding.kind === 'acts-later';
}

function misleads(finding: FindingView): boolean {
  return finding.misleads;
}
