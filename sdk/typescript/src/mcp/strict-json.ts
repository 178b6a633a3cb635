/** A JSON text that programs can read differently, so that what is decided is not what runs. */
export class AmbiguousJsonError extends Error {
  override readonly name = 'AmbiguousJsonError';
}

/**
 * Reads JSON that every program reads alike.
 *
 * @throws SyntaxError when it is no JSON.
 * @throws AmbiguousJsonError when an object has a name twice (programs differ in which one counts), or a
 * number that JavaScript cannot hold (a person would be shown another one than the one that is used).
 */
export function parseStrictly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // What a JavaScript program wrote is exactly this: neither is possible in it.
  if (JSON.stringify(value) !== text) new Scan(text).value();
  return value;
}

/** One pass over a text that is known to be JSON. */
class Scan {
  private at = 0;

  constructor(private readonly text: string) {}

  value(): void {
    this.space();
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        this.string();
        return;
      default:
        return this.word();
    }
  }

  private object(): void {
    const names = new Set<string>();
    this.at += 1;
    for (this.space(); this.text[this.at] !== '}'; this.space()) {
      if (this.text[this.at] === ',') this.at += 1;
      this.space();
      const name = JSON.parse(this.string()) as string;
      if (names.has(name))
        throw new AmbiguousJsonError(`the name ${JSON.stringify(name)} stands twice in one object`);
      names.add(name);
      this.space();
      this.at += 1;
      this.value();
    }
    this.at += 1;
  }

  private array(): void {
    this.at += 1;
    for (this.space(); this.text[this.at] !== ']'; this.space()) {
      if (this.text[this.at] === ',') this.at += 1;
      this.value();
    }
    this.at += 1;
  }

  /** The string that starts here, with its quotes. */
  private string(): string {
    const start = this.at;
    this.at += 1;
    while (this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at += 1;
    return this.text.slice(start, this.at);
  }

  private word(): void {
    const start = this.at;
    while (this.at < this.text.length && !' \t\r\n,]}'.includes(this.text.charAt(this.at))) this.at += 1;
    const word = this.text.slice(start, this.at);
    const number = Number(word);
    if (!Number.isFinite(number) && /^[-0-9]/.test(word)) {
      throw new AmbiguousJsonError(`the number ${word} is too large`);
    }
    if (/^-?[0-9]+$/.test(word) && BigInt(word) !== BigInt(number)) {
      throw new AmbiguousJsonError(
        `the number ${word} has more digits than JavaScript keeps; send it as a string`,
      );
    }
  }

  private space(): void {
    while (' \t\r\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at += 1;
  }
}
