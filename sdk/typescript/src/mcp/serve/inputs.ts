import { isObject } from '../../json.js';

type Kind = 'string' | 'boolean' | 'number' | 'object' | 'array';

/** An input that does not fit its schema, in the words that zod has for it. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(path: (string | number)[], expected: string, received: string) {
    const message = received === 'undefined' ? 'Required' : `Expected ${expected}, received ${received}`;
    super(JSON.stringify([{ code: 'invalid_type', expected, received, path, message }], undefined, 2));
  }
}

/** Reads the arguments of a tool, field by field. */
export class Inputs {
  constructor(private readonly fields: Record<string, unknown>) {}

  text(name: string): string {
    return this.field(name, 'string') ?? this.missing(name, 'string');
  }

  object(name: string): Record<string, unknown> {
    return this.field(name, 'object') ?? this.missing(name, 'object');
  }

  optionalText(name: string): string | undefined {
    return this.field(name, 'string');
  }

  flag(name: string): boolean | undefined {
    return this.field(name, 'boolean');
  }

  /** A whole number within bounds. */
  count(name: string, least: number, most: number): number | undefined {
    const number = this.field<number>(name, 'number');
    if (number === undefined || (Number.isInteger(number) && number >= least && number <= most))
      return number;
    throw new InvalidInputError([name], `a whole number from ${least} to ${most}`, String(number));
  }

  texts(name: string): string[] | undefined {
    const list = this.field<unknown[]>(name, 'array');
    list?.forEach((item, index) => {
      if (typeof item !== 'string') throw new InvalidInputError([name, index], 'string', kindOf(item));
    });
    return list as string[] | undefined;
  }

  /** Choices, each a text or a label with a description. */
  choices(name: string): { label: string; description?: string }[] | undefined {
    const list = this.field<unknown[]>(name, 'array');
    if (list !== undefined && list.length > 25)
      throw new InvalidInputError([name], 'at most 25 items', String(list.length));
    return list?.map((item, index) => {
      if (typeof item === 'string') return { label: item };
      if (!isObject(item)) throw new InvalidInputError([name, index], 'string', kindOf(item));
      const inputs = new Inputs(item);
      const description = inputs.optionalText('description');
      return { label: inputs.text('label'), ...(description === undefined ? {} : { description }) };
    });
  }

  private field<T>(name: string, kind: Kind): T | undefined {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    if (value === undefined || kindOf(value) === kind) return value as T | undefined;
    throw new InvalidInputError([name], kind, kindOf(value));
  }

  private missing(name: string, kind: Kind): never {
    throw new InvalidInputError([name], kind, 'undefined');
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
