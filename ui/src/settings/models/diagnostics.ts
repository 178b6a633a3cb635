import type { Diagnostic, Severity } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';

/** The worst first, then from the top of the file to its end. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const rank: Record<Severity, number> = { error: 0, warning: 1 };
  return diagnostics.toSorted(
    (one, other) =>
      rank[one.severity] - rank[other.severity] || one.line - other.line || one.column - other.column,
  );
}

/** How bad it is, in one word. */
export function severityWord(severity: Severity): string {
  return severity === 'error' ? m.diagnostic_error() : m.diagnostic_warning();
}

/** The worst of what is said about each line, by its number. */
export function worstByLine(diagnostics: readonly Diagnostic[]): Map<number, Severity> {
  const worst = new Map<number, Severity>();
  for (const { line, severity } of diagnostics)
    if (severity === 'error' || !worst.has(line)) worst.set(line, severity);
  return worst;
}

/** Clauses of the server as a sentence: they begin small and end without a period. */
export function asSentence(clause: string): string {
  const [first, ...rest] = clause.trim();
  if (first === undefined) return '';
  const sentence = first.toUpperCase() + rest.join('');
  return /[.!?`]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The place of a diagnostic in the text of a field: the server counts bytes, a field counts UTF-16 units. */
export function selectionOf(text: string, span: Diagnostic['span']): [number, number] {
  return [unitsBefore(text, span.start), unitsBefore(text, span.end)];
}

function unitsBefore(text: string, bytes: number): number {
  let [seen, units] = [0, 0];
  for (const character of text) {
    if (seen >= bytes) break;
    seen += bytesOf(character.codePointAt(0) ?? 0);
    units += character.length;
  }
  return units;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
