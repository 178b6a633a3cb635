import type { QuestionRequest } from '../../generated/protocol.js';
import { isObject } from '../../json.js';
import { cut, Field, MAX_MESSAGE, type Said } from './field.js';

/** What a person is asked, without who asks. */
export type Words = Pick<QuestionRequest, 'question' | 'choices' | 'multiple' | 'custom'>;

/** Something that a person is asked in one or more questions, one after the other. */
export interface Asked {
  /** What to ask next; `undefined` when all is answered. */
  question(): Words | undefined;
  /** Takes the answer. One that does not fit is asked for again. */
  answer(said: Said): void;
  /** What was filled in; `undefined` where there is nothing to fill in. */
  readonly content: Record<string, unknown> | undefined;
}

const AGREE = 'Agree';
const OPENED = 'I open it';
/** Most fields of a form: a person answers them one after the other. */
const MAX_FIELDS = 50;

/** A form that a server wants filled in, as questions to a person: one for each field. */
export class Form implements Asked {
  readonly content: Record<string, unknown> = {};
  private at = 0;
  private isAgain = false;

  private constructor(
    private readonly message: string,
    private readonly fields: Field[],
  ) {}

  /** `undefined`: a field that has to be filled in is none that a person can be asked about in words. */
  static read(message: string, schema: unknown): Form | undefined {
    if (!isObject(schema)) return undefined;
    const properties = schema['properties'] ?? {};
    const required: unknown = schema['required'] ?? [];
    if (!isObject(properties) || !Array.isArray(required)) return undefined;
    if (!required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name)))
      return undefined;
    const fields: Field[] = [];
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      const field = Field.read(name, property, isRequired);
      if (field !== undefined) fields.push(field);
      else if (isRequired) return undefined;
    }
    return fields.length > MAX_FIELDS ? undefined : new Form(message, fields);
  }

  question(): Words | undefined {
    const message = cut(this.message.trim(), MAX_MESSAGE);
    if (this.fields.length === 0) {
      return this.at === 0 ? { question: message || AGREE, ...chosen(AGREE) } : undefined;
    }
    const field = this.fields[this.at];
    if (field === undefined) return undefined;
    const place = this.fields.length === 1 ? '' : ` (${this.at + 1} of ${this.fields.length})`;
    const about = [
      `${field.title}${place}`,
      field.description,
      field.hint === '' ? undefined : field.hint,
      this.isAgain ? 'The last answer does not fit.' : undefined,
    ]
      .filter((line) => line !== undefined)
      .join('\n');
    return {
      question: message === '' ? about : `${message}\n\n${about}`,
      choices: field.choices,
      multiple: field.isMany,
      custom: field.isFree,
    };
  }

  answer(said: Said): void {
    const field = this.fields[this.at];
    const found = field === undefined ? {} : field.value(said);
    this.isAgain = found === undefined;
    if (found === undefined) return;
    this.at += 1;
    if (field === undefined || !('value' in found)) return;
    // A field may be called as what every object has.
    Object.defineProperty(this.content, field.name, {
      value: found.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/** An address that a person is to open. Handraise opens nothing: it shows all of it, and its host. */
export class Page implements Asked {
  readonly content = undefined;
  private isOpened = false;

  constructor(
    private readonly message: string,
    private readonly url: string,
  ) {}

  question(): Words | undefined {
    if (this.isOpened) return undefined;
    const host = hostOf(this.url);
    const where = host === undefined ? 'This is no web address.' : `It is at ${host}.`;
    const words = `${cut(this.message.trim(), MAX_MESSAGE / 2)}\n\n${cut(this.url, MAX_MESSAGE)}\n${where}`;
    return { question: words.trim(), ...chosen(OPENED) };
  }

  answer(): void {
    this.isOpened = true;
  }
}

const chosen = (label: string) => ({ choices: [{ label }], multiple: false, custom: false });

function hostOf(url: string): string | undefined {
  const authority = /^https?:\/\/([^/\\?#]*)/i.exec(url)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1);
  return host === '' ? undefined : host;
}
