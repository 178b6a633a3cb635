/** What a server has written, as every client reads it; `undefined` where it is no JSON. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Whether `text`, which is no JSON, could be a message all the same for a client that reads more than that (Python takes
 * `NaN`): then it would learn of tools that nobody has looked at. Other words of a server, such as its log, are none.
 */
export function isNearlyMessage(text: string): boolean {
  const isOne = /^[\s\uFEFF]*(\[\s*)?\{/.test(text);
  if (isOne) process.stderr.write('handraise-mcp: a message of the server is left out: it is no JSON.\n');
  return isOne;
}
