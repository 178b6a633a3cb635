import { marked, type Token, type Tokens } from 'marked';

/** A part of a line of a plan. Addresses are text: nothing in a plan leads anywhere. */
export type Words = { text: string; strong?: true; emphasis?: true; code?: true };

/** A block of a plan. */
export type Block =
  | { kind: 'heading'; level: number; words: Words[] }
  | { kind: 'paragraph'; words: Words[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'table'; rows: Words[][][] }
  | { kind: 'rule' };

/** Longest plan that is read as Markdown, in UTF-16 code units; a longer one is shown as it is written. */
const MAX_TEXT = 60_000;
const MAX_DEPTH = 12;

/** A plan in Markdown as blocks; `null`: it is to be shown as it is written. */
export function blocksOf(text: string): Block[] | null {
  if (text.length > MAX_TEXT) return null;
  try {
    return blocks(marked.lexer(text, { gfm: true }), 0);
  } catch {
    return null;
  }
}

function blocks(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap((token): Block[] => {
    // Whatever is not known, or nested too deeply, is shown as it is written. So are HTML and comments.
    const raw: Block = { kind: 'paragraph', words: [{ text: token.raw.trim() }] };
    if (depth > MAX_DEPTH) return [raw];
    switch (token.type) {
      case 'space':
        return [];
      case 'heading':
        return [{ kind: 'heading', level: (token as Tokens.Heading).depth, words: words(token, depth) }];
      case 'paragraph':
      case 'text':
        return [{ kind: 'paragraph', words: words(token, depth) }];
      case 'code': {
        const { text, lang } = token as Tokens.Code;
        return [{ kind: 'code', text: lang ? `${lang}\n${text}` : text }];
      }
      case 'blockquote':
        return [{ kind: 'quote', blocks: blocks((token as Tokens.Blockquote).tokens, depth + 1) }];
      case 'list': {
        const { items, ordered, start } = token as Tokens.List;
        const drawn = items.map((item) => [...box(item), ...blocks(item.tokens, depth + 1)]);
        return [{ kind: 'list', start: ordered ? Number(start) || 1 : null, items: drawn }];
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [
          { kind: 'table', rows: [header, ...rows].map((row) => row.map((cell) => words(cell, depth))) },
        ];
      }
      case 'hr':
        return [{ kind: 'rule' }];
      default:
        return raw.words[0]?.text === '' ? [] : [raw];
    }
  });
}

/** The box of a task, as a sign of its own. */
function box({ task, checked }: Tokens.ListItem): Block[] {
  return task ? [{ kind: 'paragraph', words: [{ text: checked ? '☑' : '☐' }] }] : [];
}

function words(of: { text?: string; tokens?: Token[] | undefined }, depth: number): Words[] {
  const tokens = of.tokens;
  if (!tokens || tokens.length === 0) return of.text ? [{ text: of.text }] : [];
  return tokens.flatMap((token): Words[] => {
    if (depth > MAX_DEPTH) return [{ text: token.raw }];
    switch (token.type) {
      case 'strong':
        return words(token as Tokens.Strong, depth + 1).map((one) => ({ ...one, strong: true }));
      case 'em':
        return words(token as Tokens.Em, depth + 1).map((one) => ({ ...one, emphasis: true }));
      case 'codespan':
        return [{ text: (token as Tokens.Codespan).text, code: true }];
      case 'br':
        return [{ text: '\n' }];
      case 'checkbox':
        return [];
      case 'text':
        return 'tokens' in token && token.tokens
          ? words(token as Tokens.Text, depth + 1)
          : [{ text: token.raw }];
      case 'link':
      case 'image': {
        // The address is said, however it was written: what leads elsewhere than its words is seen.
        const { href, text, raw } = token as Tokens.Link;
        return [{ text: raw.includes('](') || text !== href ? `${text} (${href})` : raw }];
      }
      default:
        return [{ text: token.raw }];
    }
  });
}
