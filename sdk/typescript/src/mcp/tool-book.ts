import { definitionHash, describeChange, lookOf, type ToolDefinition } from './definitions.js';
import { isSameDefinition, withPin, type PinFile, type PinStore } from './pins.js';

/** What is known about a tool when it is called. */
export interface Entry {
  /** As the server describes it now. Absent: the server does not list it. */
  definition: ToolDefinition | undefined;
  /** Why a person has to look, whatever the policy says; one sentence or more. Absent: nothing is odd. */
  concern: string | undefined;
  /** Remembers that a person has looked at what is odd, as it was when this was made, and took it. */
  accept(): Promise<void>;
}

/**
 * The tools of one server as it lists them, beside what they were when they were pinned.
 *
 * The first definition that is seen of a tool is pinned. Another one later, another server behind the same
 * name, and names that collide are a matter for a person.
 */
export class ToolBook {
  private readonly tools = new Map<string, ToolDefinition>();
  /** Names by how they look. */
  private readonly looks = new Map<string, string>();
  private readonly doubles = new Map<string, string>();
  private pins: PinFile;
  private readonly others: PinFile[];
  private readonly wasAnother: string | undefined;
  private saving: Promise<void> = Promise.resolve();

  private constructor(
    private readonly store: PinStore,
    own: PinFile | undefined,
    others: PinFile[],
    private readonly target: { server: string; target: string },
  ) {
    this.others = others;
    this.wasAnother = own !== undefined && own.target !== target.target ? own.target : undefined;
    this.pins = own ?? { version: 1, ...target, tools: {}, shared: {} };
  }

  /**
   * @param server The name that the person gave the server; never the one it gives itself.
   * @param target Its command line or address.
   */
  static async open(store: PinStore, server: string, target: string): Promise<ToolBook> {
    const { own, others } = await store.load(server);
    return new ToolBook(store, own, others, { server, target });
  }

  /** The server has listed `tools`. `isFirst`: what was listed before does not count any more. */
  listed(tools: ToolDefinition[], isFirst: boolean): void {
    if (isFirst) {
      this.tools.clear();
      this.looks.clear();
      this.doubles.clear();
    }
    const before = this.pins;
    for (const tool of tools) {
      const alike = this.looks.get(lookOf(tool.name));
      if (alike !== undefined && (alike !== tool.name || !isSameDefinition(this.tools.get(alike), tool))) {
        this.doubles.set(tool.name, alike);
        this.doubles.set(alike, tool.name);
      }
      this.tools.set(tool.name, tool);
      this.looks.set(lookOf(tool.name), tool.name);
      const isNew = !Object.hasOwn(this.pins.tools, tool.name);
      if (isNew && this.wasAnother === undefined) this.pins = withPin(this.pins, tool);
    }
    if (this.pins !== before) this.save();
  }

  /** How the server describes its tools is not known any more: every call is a matter for a person. */
  forget(): void {
    this.listed([], true);
  }

  /** The tool that the server lists for which it may take `name`, which it does not list. */
  alike(name: string): string | undefined {
    return this.tools.has(name) ? undefined : this.looks.get(lookOf(name));
  }

  /** What is known about the tool called `name`. */
  entry(name: string): Entry {
    const definition = this.tools.get(name);
    const pin = Object.hasOwn(this.pins.tools, name) ? this.pins.tools[name] : undefined;
    const sharers = this.sharers(name, definition);
    const concerns = [
      ...this.identityConcern(),
      ...unlistedConcern(definition),
      ...changeConcern(pin, definition),
      ...this.doubleConcern(name),
      ...sharers.map((other) => `The server "${other}" offers another tool with this name.`),
    ];
    return {
      definition,
      concern: concerns.length === 0 ? undefined : concerns.join('\n'),
      accept: () => this.accept(name, definition, sharers),
    };
  }

  /** Other servers with another tool of this name that nobody has looked at. */
  private sharers(name: string, definition: ToolDefinition | undefined): string[] {
    if (definition === undefined) return [];
    const known = Object.hasOwn(this.pins.shared, name) ? (this.pins.shared[name] ?? []) : [];
    const differs = (file: PinFile) => {
      const theirs = Object.hasOwn(file.tools, name) ? file.tools[name] : undefined;
      return theirs !== undefined && !isSameDefinition(theirs, definition);
    };
    return this.others
      .filter((file) => differs(file) && !known.includes(file.server))
      .map((file) => file.server);
  }

  private identityConcern(): string[] {
    if (this.wasAnother === undefined || this.pins.target === this.target.target) return [];
    return [
      `Another server goes by the name "${this.target.server}" now. ` +
        `It was: ${this.wasAnother}\nIt is now: ${this.target.target}`,
    ];
  }

  private doubleConcern(name: string): string[] {
    const double = this.doubles.get(name);
    if (double === undefined) return [];
    return [
      double === name
        ? 'The server lists two tools with this name.'
        : `The server lists another tool with a name that looks alike: ${JSON.stringify(double)}.`,
    ];
  }

  private async accept(
    name: string,
    definition: ToolDefinition | undefined,
    sharers: string[],
  ): Promise<void> {
    if (definition === undefined) return;
    // What the person looked at, not what the server may have listed since.
    const another = this.wasAnother !== undefined && this.pins.target !== this.target.target;
    if (another) this.pins = { ...this.pins, target: this.target.target, tools: {}, shared: {} };
    if (another) for (const tool of this.tools.values()) this.pins = withPin(this.pins, tool);
    this.pins = withPin(this.pins, definition);
    if (sharers.length > 0) {
      const known = this.pins.shared[name] ?? [];
      this.pins = {
        ...this.pins,
        shared: { ...this.pins.shared, [name]: [...new Set([...known, ...sharers])] },
      };
    }
    await this.save();
  }

  private save(): Promise<void> {
    const file = this.pins;
    this.saving = this.saving
      .then(() => this.store.save(file))
      .catch((error: unknown) => {
        process.stderr.write(`handraise-mcp: tool definitions could not be kept: ${String(error)}\n`);
      });
    return this.saving;
  }
}

function unlistedConcern(definition: ToolDefinition | undefined): string[] {
  return definition === undefined
    ? ['The server does not list this tool, so nothing is known about it.']
    : [];
}

function changeConcern(pin: ToolDefinition | undefined, now: ToolDefinition | undefined): string[] {
  if (pin === undefined || now === undefined || definitionHash(pin) === definitionHash(now)) return [];
  return [
    `The server has changed what it says about this tool since it was first seen.\n${describeChange(pin, now)}`,
  ];
}

/** `entry` with `concern` as something more that a person has to see. */
export function withConcern(entry: Entry, concern: string | undefined): Entry {
  if (concern === undefined) return entry;
  return { ...entry, concern: entry.concern === undefined ? concern : `${concern}\n\n${entry.concern}` };
}
