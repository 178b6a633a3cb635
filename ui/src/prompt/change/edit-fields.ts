import type { CommandSubject, JsonValue } from '../../generated/protocol';
import { plainText } from '../../text/marks';
import { escapeInvisible, hasInvisible, readEdited } from '../model/change/edited';

/** Texts among the arguments that can be changed as texts, the command line first; and all other arguments. */
export type EditFields = { texts: EditField[]; others: [string, JsonValue][] };

/** A text among the arguments. */
export type EditField = { name: string; value: string; command: boolean };

/**
 * The arguments in the JSON text `edited`, by field. `null`: they can be changed only as JSON, because something in them
 * could not be seen in a field, or would not be kept exactly.
 */
export function fieldsOf(edited: string, line?: CommandSubject['line']): EditFields | null {
  const read = readEdited(edited);
  if ('problem' in read) return null;
  const all = Object.entries(read.arguments);
  const isText = (entry: [string, JsonValue]): entry is [string, string] => typeof entry[1] === 'string';
  const texts = all.filter(isText);
  if (texts.length === 0 || all.some(([name]) => name === '' || hasInvisible(name))) return null;
  if (texts.some(([, value]) => hasInvisible(value))) return null;
  const command = line === undefined ? undefined : texts.find(([, value]) => value === plainText(line))?.[0];
  const fields = texts.map(([name, value]) => ({ name, value, command: name === command }));
  return {
    texts: [...fields.filter((field) => field.command), ...fields.filter((field) => !field.command)],
    others: all.filter((entry) => !isText(entry)),
  };
}

/** The JSON text `edited` with another text in the place of the one called `name`. */
export function withField(edited: string, name: string, value: string): string {
  const read = readEdited(edited);
  if ('problem' in read) return edited;
  const changed = Object.entries(read.arguments).map(([own, kept]) => [own, own === name ? value : kept]);
  return escapeInvisible(JSON.stringify(Object.fromEntries(changed), null, 2));
}
