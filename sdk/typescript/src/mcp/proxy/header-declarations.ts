// Which arguments of a tool stand in headers, too (MCP 2026-07-28, "Streamable HTTP", "Custom headers from tool
// parameters"). A client over HTTP leaves out tools that declare it wrongly: their calls could not be sent as declared.

import { isObject } from '../../json.js';

const DECLARED = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const KINDS: readonly unknown[] = ['string', 'integer', 'boolean'];

/** The answer to `tools/list` without the tools whose declarations are faulty. */
export function withoutFaultyHeaders(text: string): string {
  if (!text.includes(DECLARED)) return text;
  const answer: unknown = JSON.parse(text);
  const result = isObject(answer) ? answer['result'] : undefined;
  if (!isObject(answer) || !isObject(result) || !Array.isArray(result['tools'])) return text;
  const tools = result['tools'].filter((tool: unknown) => {
    const why = faultIn(isObject(tool) ? tool['inputSchema'] : undefined);
    if (why !== undefined && isObject(tool))
      process.stderr.write(`handraise-mcp: the tool ${JSON.stringify(tool['name'])} is left out: ${why}\n`);
    return why === undefined;
  });
  if (tools.length === result['tools'].length) return text;
  return JSON.stringify({ ...answer, result: { ...result, tools } });
}

/** Why a schema declares headers wrongly. */
function faultIn(schema: unknown): string | undefined {
  const seen = new Set<string>();
  /** `isPlace`: a declaration may stand here, because only `properties` lead to it. */
  const walk = (value: unknown, isPlace: boolean): string | undefined => {
    if (Array.isArray(value)) return firstFault(value, (item) => walk(item, false));
    if (!isObject(value)) return undefined;
    const own = Object.hasOwn(value, DECLARED) ? faultOf(value, isPlace, seen) : undefined;
    if (own !== undefined) return own;
    return firstFault(Object.entries(value), ([name, inner]) => {
      if (name !== 'properties' || !isObject(inner)) return walk(inner, false);
      return firstFault(Object.values(inner), (property) => walk(property, isPlace || value === schema));
    });
  };
  return walk(schema, false);
}

function faultOf(property: Record<string, unknown>, isPlace: boolean, seen: Set<string>): string | undefined {
  const { [DECLARED]: header, type } = property;
  if (!isPlace) return `${DECLARED} stands where no argument has a fixed place`;
  if (typeof header !== 'string' || !TOKEN.test(header)) return `${DECLARED} is no name of a header`;
  if (!KINDS.includes(type)) return `${DECLARED} stands at something that is no string, integer or boolean`;
  if (seen.has(header.toLowerCase())) return `${DECLARED} names ${header} twice`;
  seen.add(header.toLowerCase());
  return undefined;
}

function firstFault<T>(items: T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = look(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
