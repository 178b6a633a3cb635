// One field of a form that a server wants filled in: what a person is asked about it, and what an answer means.
// `handraise acp` asks the same about the forms of agents (crates/agents/src/acp/field.rs); sdk/vectors/elicitation.jsonl
// holds both to it.

import type { QuestionChoice } from '../../generated/protocol.js';
import { isObject } from '../../json.js';

/** Longest message of a form, in characters. */
export const MAX_MESSAGE = 2_000;
/** Longest description of a field, and longest hint, in characters. */
const MAX_ABOUT = 800;
/** Longest name of a field, and longest label, in characters. */
const MAX_LABEL = 200;
/** Most options that are choices of a question; more are typed. */
const MAX_OPTIONS = 23;

const YES = 'Yes';
const NO = 'No';
const SUGGESTED = 'Suggested.';
/** What a person chooses to choose nothing. */
const NONE = 'None of these';
/** What a person chooses to leave a field out. */
const LEAVE_OUT = 'Leave it out';

/** A value, and what it is called. */
interface Option {
  value: string;
  label: string;
}

type Kind =
  | {
      is: 'text';
      least: number | undefined;
      most: number | undefined;
      form: string | undefined;
      suggested: string | undefined;
    }
  | {
      is: 'number';
      isWhole: boolean;
      least: number | undefined;
      most: number | undefined;
      suggested: string | undefined;
    }
  | { is: 'truth'; suggested: boolean | undefined }
  | { is: 'one'; options: Option[]; suggested: string[] }
  | {
      is: 'many';
      options: Option[];
      least: number | undefined;
      most: number | undefined;
      suggested: string[];
    };

/** What a person has said to a question. */
export interface Said {
  selected: readonly string[];
  custom?: string | undefined;
}

/** A field that a person can be asked about in words. */
export class Field {
  private constructor(
    readonly name: string,
    readonly title: string,
    readonly description: string | undefined,
    private readonly isRequired: boolean,
    private readonly kind: Kind,
  ) {}

  /** `undefined`: it is of a kind that is not known, or says something that is not understood. */
  static read(name: string, property: unknown, isRequired: boolean): Field | undefined {
    if (!isObject(property)) return undefined;
    const title = said(property['title']) ?? said(name);
    const kind = kindOf(property);
    if (title === undefined || kind === undefined) return undefined;
    const about = said(property['description']);
    const description = about === undefined ? undefined : cut(about, MAX_ABOUT);
    return new Field(name, cut(title, MAX_LABEL), description, isRequired, kind);
  }

  /** More than one can be chosen. */
  get isMany(): boolean {
    return this.kind.is === 'many' && !this.isFree;
  }

  /** The answer is typed, and not only chosen. */
  get isFree(): boolean {
    const { kind } = this;
    if (kind.is === 'one' || kind.is === 'many') return !areChoices(kind.options);
    return kind.is !== 'truth';
  }

  /** What an answer has to be; empty where there is nothing to say. */
  get hint(): string {
    return cut(hintOf(this.kind), MAX_ABOUT);
  }

  /** What can be chosen. */
  get choices(): QuestionChoice[] {
    const choices = ownChoices(this.kind);
    const mayBeEmpty = this.kind.is === 'many' && (this.kind.least ?? 0) === 0;
    if (!this.isRequired) choices.push({ label: this.other(LEAVE_OUT) });
    else if (mayBeEmpty) choices.push({ label: this.other(NONE) });
    return choices;
  }

  /** What an answer means: `{}` where it leaves the field out, `undefined` where it does not fit. */
  value({ selected, custom }: Said): { value?: unknown } | undefined {
    const typed = said(custom);
    if (typed === undefined && !this.isRequired && selected.includes(this.other(LEAVE_OUT))) {
      return selected.length === 1 ? {} : undefined;
    }
    const word = typed ?? selected[0];
    const { kind } = this;
    if (kind.is === 'many') return this.values(kind, typed, selected);
    if (word === undefined) return undefined;
    if (kind.is === 'text') return fits([...word].length, kind) ? { value: word } : undefined;
    if (kind.is === 'number') {
      const number = numberOf(word);
      const isFit = number !== undefined && fits(number, kind) && (!kind.isWhole || Number.isInteger(number));
      return isFit ? { value: number } : undefined;
    }
    if (kind.is === 'truth') return word === YES || word === NO ? { value: word === YES } : undefined;
    const found = find(kind.options, word);
    return found === undefined ? undefined : { value: found };
  }

  private values(
    kind: Extract<Kind, { is: 'many' }>,
    typed: string | undefined,
    selected: readonly string[],
  ): { value: unknown } | undefined {
    const none = this.other(NONE);
    const isNone = typed === undefined && this.isRequired && selected.includes(none);
    const words =
      typed === undefined
        ? selected.filter((one) => one !== none)
        : typed
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '');
    if (isNone !== (words.length === 0)) return undefined;
    const values = words.map((word) => find(kind.options, word));
    return values.every((one) => one !== undefined) && fits(values.length, kind)
      ? { value: values }
      : undefined;
  }

  /** A label that none of the field's own is. */
  private other(label: string): string {
    const own = ownLabels(this.kind);
    let other = label;
    while (own.includes(other)) other += '…';
    return other;
  }
}

/** The first `longest` characters of `text`, and how many are left out. */
export function cut(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  return `${characters.slice(0, longest).join('')}… (${characters.length - longest} more characters)`;
}

function kindOf(property: Record<string, unknown>): Kind | undefined {
  const given = property['default'] ?? undefined;
  const text = typeof given === 'string' ? given : undefined;
  switch (property['type']) {
    case 'string': {
      const options = optionsOf(property['enum'], property['oneOf']);
      if (options === undefined) return undefined;
      if (options.length > 0) return { is: 'one', options, suggested: texts(given) };
      const [least, most] = [count(property['minLength']), count(property['maxLength'])];
      return { is: 'text', least, most, form: formOf(property), suggested: text };
    }
    case 'number':
    case 'integer': {
      const isWhole = property['type'] === 'integer';
      const [least, most] = [bound(property['minimum']), bound(property['maximum'])];
      return { is: 'number', isWhole, least, most, suggested: bound(given)?.toString() };
    }
    case 'boolean':
      return { is: 'truth', suggested: typeof given === 'boolean' ? given : undefined };
    case 'array': {
      const items = isObject(property['items']) ? property['items'] : {};
      const options = optionsOf(items['enum'], items['anyOf'] ?? items['oneOf']);
      if (options === undefined || options.length === 0) return undefined;
      const [least, most] = [count(property['minItems']), count(property['maxItems'])];
      return { is: 'many', options, least, most, suggested: texts(given) };
    }
    default:
      return undefined;
  }
}

function hintOf(kind: Kind): string {
  switch (kind.is) {
    case 'text': {
      const length = range(kind);
      const words = [kind.form, length === '' ? undefined : `Characters:${length.replace(/^,/, '')}.`];
      return words.filter((word) => word !== undefined).join(' ');
    }
    case 'number':
      return `${kind.isWhole ? 'A whole number' : 'A number'}${range(kind)}.`;
    case 'truth':
      return '';
    case 'one':
      return areChoices(kind.options) ? '' : `One of: ${labels(kind.options)}.`;
    case 'many': {
      const number = range(kind);
      const words = [
        areChoices(kind.options) ? undefined : `One on each line, of: ${labels(kind.options)}.`,
        number === '' ? undefined : `How many:${number.replace(/^,/, '')}.`,
      ];
      return words.filter((word) => word !== undefined).join(' ');
    }
  }
}

function range({ least, most }: { least: number | undefined; most: number | undefined }): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  if (least !== undefined) return `, at least ${least}`;
  return most === undefined ? '' : `, at most ${most}`;
}

function fits(
  number: number,
  { least, most }: { least: number | undefined; most: number | undefined },
): boolean {
  return (least === undefined || number >= least) && (most === undefined || number <= most);
}

function ownChoices(kind: Kind): QuestionChoice[] {
  const choice = (label: string, isSuggested: boolean): QuestionChoice =>
    isSuggested ? { label, description: SUGGESTED } : { label };
  switch (kind.is) {
    case 'text':
    case 'number':
      return kind.suggested !== undefined && isLabel(kind.suggested) ? [choice(kind.suggested, true)] : [];
    case 'truth':
      return [choice(YES, kind.suggested === true), choice(NO, kind.suggested === false)];
    case 'one':
    case 'many':
      if (!areChoices(kind.options)) return [];
      return kind.options.map(({ label, value }) => choice(label, kind.suggested.includes(value)));
  }
}

function ownLabels(kind: Kind): string[] {
  if (kind.is === 'truth') return [];
  if (kind.is === 'text' || kind.is === 'number') return kind.suggested === undefined ? [] : [kind.suggested];
  return kind.options.map(({ label }) => label);
}

/** Empty: there are none. `undefined`: they are not understood. */
function optionsOf(values: unknown, titled: unknown): Option[] | undefined {
  const list = titled ?? values ?? undefined;
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const isTitled = titled !== undefined && titled !== null;
  const options: Option[] = [];
  for (const one of list as unknown[]) {
    const value = isTitled ? (isObject(one) ? one['const'] : undefined) : one;
    if (typeof value !== 'string') return undefined;
    options.push({ value, label: (isObject(one) ? said(one['title']) : undefined) ?? value });
  }
  if (areToldApart(options)) return options;
  const plain = options.map(({ value }) => ({ value, label: value }));
  return areToldApart(plain) ? plain : undefined;
}

function areToldApart(options: Option[]): boolean {
  const names = options.map(({ label }) => label.trim());
  return new Set(names).size === names.length && !names.includes('');
}

function areChoices(options: Option[]): boolean {
  return options.length <= MAX_OPTIONS && options.every(({ label }) => isLabel(label));
}

function isLabel(text: string): boolean {
  return text.trim() !== '' && [...text].length <= MAX_LABEL;
}

function labels(options: Option[]): string {
  return options.map(({ label }) => label).join(', ');
}

function find(options: Option[], word: string): string | undefined {
  const named = options.find(({ label }) => label.trim() === word.trim());
  return (named ?? options.find(({ value }) => value === word))?.value;
}

/** What a text has to look like. Who asked checks it: here it is only told. */
function formOf({ format, pattern }: Record<string, unknown>): string | undefined {
  const formats: Record<string, string> = {
    email: 'An e-mail address.',
    uri: 'An address, as https://example.com.',
    date: 'A date, as 2026-07-28.',
    'date-time': 'A date and a time, as 2026-07-28T09:30:00Z.',
  };
  const shape = said(pattern);
  const words = [
    typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined,
    shape === undefined ? undefined : `It matches ${cut(shape, MAX_LABEL)}.`,
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(' ');
}

/** A decimal number as people write it. */
function numberOf(text: string): number | undefined {
  const number = /^[0-9+\-.eE]+$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

function said(text: unknown): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function texts(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === 'string');
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
