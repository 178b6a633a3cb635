// Reads the syntax of a text, beside the page: what an agent wrote may take long to read.
import { common, createLowlight } from 'lowlight';
import type { Coloured, Wanted } from './highlight';
import type { Stretch } from './segments';

const lowlight = createLowlight(common);

/** What the classes of the grammars are drawn as; the first that is met counts. */
const KINDS: [RegExp, string][] = [
  [/comment|quote|doctag/, 'comment'],
  [/string|regexp|char|subst|template/, 'string'],
  [/number|literal|symbol|bullet/, 'number'],
  [/title|function|class|type|built_in|attr|name|section|property|selector/, 'name'],
  [/keyword|operator|meta|tag|variable/, 'keyword'],
];

type Node = { type: string; value?: string; properties?: { className?: unknown }; children?: Node[] };

self.onmessage = ({ data }: MessageEvent<Wanted>): void => {
  const known = lowlight.registered(data.language);
  self.postMessage(known ? coloured(lowlight.highlight(data.language, data.text) as Node) : null);
};

function coloured(root: Node): Coloured {
  const lines: Stretch<string | null>[][] = [[]];
  const walk = (node: Node, kind: string | null): void => {
    const names = String(node.properties?.className ?? '');
    const own = KINDS.find(([pattern]) => pattern.test(names))?.[1] ?? kind;
    (node.value ?? '').split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ length: part.length, said: own });
    });
    node.children?.forEach((child) => walk(child, own));
  };
  walk(root, null);
  return lines;
}
