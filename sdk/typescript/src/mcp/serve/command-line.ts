/** Words that mean the same to a shell without quotes. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A command and its arguments as one line that a shell would read as exactly these words. */
export function lineOf(words: string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/**
 * The words of a line, where it is nothing but words: what a person may have typed in the place of the line
 * that was asked. `undefined` when it takes a shell to run it.
 */
export function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const found = /^(?:'[^'\0]*'|\\'|[A-Za-z0-9_@%+=:,./-])+/.exec(rest)?.[0];
    if (found === undefined) return undefined;
    words.push(
      found.replaceAll(/'([^']*)'|\\'/g, (part: string, quoted?: string) =>
        part === "\\'" ? "'" : (quoted ?? ''),
      ),
    );
    const after = rest.slice(found.length);
    if (after !== '' && !/^\s/.test(after)) return undefined;
    rest = after.trimStart();
  }
  // An assignment in front is for a shell.
  return words.length === 0 || /^[A-Za-z_]\w*=/.test(words[0] ?? '') ? undefined : words;
}
