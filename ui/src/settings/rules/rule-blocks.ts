import type { Action } from '../../generated/protocol';

/** A stretch of the policy file: a `[[rule]]` with the comments right above it, or whatever stands between rules. */
export type Block = { kind: 'rule' | 'other'; text: string; line: number };

/** A rule as the list shows it. */
export type ListedRule = {
  /** Its place among the rules, from 0. */
  index: number;
  /** The line of its `[[rule]]`, from 1. */
  line: number;
  action: Action | undefined;
  /** Its conditions, as they stand in the file. */
  conditions: string;
  reason: string | undefined;
};

const RULE = /^\s*\[\[\s*rule\s*\]\]\s*(#.*)?$/;
const WITHIN_RULE = /^\s*\[\[?\s*rule\s*\./;
const HEADER = /^\s*\[/;
const COMMENT = /^\s*#/;
/** Keys that say what a rule does and not when. */
const SAID_APART: ReadonlySet<string> = new Set(['action', 'reason', 'match', 'not_match']);
const ACTIONS: readonly string[] = ['allow', 'confine', 'ask', 'deny'] satisfies Action[];

/**
 * Takes the text of a policy file apart. The blocks one after the other are the text again, to the last character. Lines
 * inside of a string or a list of several lines are no headers.
 */
export function blocksOf(text: string): Block[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const starts: { at: number; kind: Block['kind'] }[] = [{ at: 0, kind: 'other' }];
  let open: Open = { quotes: null, depth: 0 };
  lines.forEach((line, index) => {
    const inside = open.quotes !== null || open.depth > 0;
    if (!inside && HEADER.test(line)) {
      const kind = RULE.test(line.trimEnd()) ? 'rule' : 'other';
      if (!(WITHIN_RULE.test(line) && starts.at(-1)?.kind === 'rule'))
        starts.push({ at: withComments(lines, index), kind });
      return;
    }
    open = after(open, line);
  });
  return starts.flatMap(({ at, kind }, index) => {
    const own = lines.slice(at, starts[index + 1]?.at).join('');
    return own === '' ? [] : [{ kind, text: own, line: at + 1 }];
  });
}

/** The first of the comments that stand right above a header. */
function withComments(lines: readonly string[], header: number): number {
  let first = header;
  while (first > 0 && COMMENT.test(lines[first - 1] ?? '')) first -= 1;
  return first;
}

/** What a line leaves open: a string of several lines, by its quotes, and lists and tables in values. */
type Open = { quotes: '"""' | "'''" | null; depth: number };

function after({ quotes, depth }: Open, line: string): Open {
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at);
    if (quotes !== null) {
      if (rest.startsWith(quotes)) [quotes, at] = [null, at + 3];
      else at += quotes === '"""' && rest.startsWith('\\') ? 2 : 1;
    } else if (rest.startsWith('"""') || rest.startsWith("'''")) {
      [quotes, at] = [rest.startsWith('"') ? '"""' : "'''", at + 3];
    } else if (rest.startsWith('#')) break;
    else {
      const short = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.exec(rest);
      if (short) at += short[0].length;
      else {
        if ('[{'.includes(rest.charAt(0))) depth += 1;
        if (']}'.includes(rest.charAt(0))) depth = Math.max(0, depth - 1);
        at += 1;
      }
    }
  }
  return { quotes, depth };
}

/** The rules of a policy file, in their order. */
export function rulesOf(text: string): ListedRule[] {
  const rules = blocksOf(text).filter(({ kind }) => kind === 'rule');
  return rules.map((block, index) => {
    const lines = block.text.split('\n');
    const header = lines.findIndex((line) => RULE.test(line.trimEnd()));
    const entries = lines.slice(header + 1).flatMap((line) => {
      const found = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line);
      return found ? [{ key: found[1] ?? '', value: found[2] ?? '' }] : [];
    });
    const value = (key: string): string | undefined => {
      const written = entries.find((entry) => entry.key === key)?.value;
      // Without its quotes, and without a comment behind it.
      return written?.replace(/^(?:"((?:[^"\\]|\\.)*)"|'([^']*)').*$/, '$1$2');
    };
    const action = value('action');
    const conditions = entries.filter(({ key }) => !SAID_APART.has(key));
    return {
      index,
      line: block.line + header,
      action: action !== undefined && ACTIONS.includes(action) ? (action as Action) : undefined,
      conditions: conditions.map((entry) => `${entry.key} = ${entry.value}`).join(', '),
      reason: value('reason'),
    };
  });
}

/** The text with one rule at the place of another; those between them make room, and all else stays where it stands. */
export function moveRule(text: string, from: number, to: number): string {
  const blocks = blocksOf(text);
  const rules = blocks.filter(({ kind }) => kind === 'rule').map((block) => withEnd(block.text));
  const [moved] = rules.splice(from, 1);
  if (moved === undefined || to < 0 || to > rules.length || from === to) return text;
  rules.splice(to, 0, moved);
  let next = 0;
  return blocks.map((block) => (block.kind === 'rule' ? (rules[next++] ?? '') : block.text)).join('');
}

/** A block that may stand before others: its last line ends. */
function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
