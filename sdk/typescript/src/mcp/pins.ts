import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { isObject } from '../json.js';
import { definitionHash, pinned, type ToolDefinition } from './definitions.js';

/** What is remembered about one server, under the name that it goes by. */
interface PinFile {
  version: 1;
  /** The name. */
  server: string;
  /** Which server it is: its command line or its address. */
  target: string;
  /** Definitions as a person, or the first look, took them. */
  tools: Record<string, ToolDefinition>;
  /** Names shared with another server that a person has looked at: tool name to the other servers' names. */
  shared: Record<string, string[]>;
}

/** Where pins are kept. */
export interface PinStore {
  /** The pins of the server called `name`; those of others, to find names that collide. */
  load(name: string): Promise<{ own: PinFile | undefined; others: PinFile[] }>;
  save(file: PinFile): Promise<void>;
}

export type { PinFile };

/** Pins that live as long as this program. */
export function pinsInMemory(): PinStore {
  const files = new Map<string, PinFile>();
  return {
    load: (name) =>
      Promise.resolve({
        own: structuredClone(files.get(name)),
        others: structuredClone([...files.values()].filter((file) => file.server !== name)),
      }),
    save: (file) => {
      files.set(file.server, structuredClone(file));
      return Promise.resolve();
    },
  };
}

/** Pins in a folder for this user's eyes only: one file for each server. */
export function pinsInFolder(folder: string): PinStore {
  // Names are free text: the file's name is made from their hash.
  const fileOf = (name: string) => `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`;
  return {
    async load(name) {
      const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const files = entries.filter((entry) => entry.endsWith('.json'));
      const read = await Promise.all(
        files.map(async (file) => ({ file, pins: await readPins(join(folder, file)) })),
      );
      const own = read.find(({ file }) => file === fileOf(name));
      if (own !== undefined && own.pins?.server !== name) {
        throw new Error(
          `${join(folder, own.file)} is damaged. Look at it, then remove it: tools are pinned anew then.`,
        );
      }
      const others = read.flatMap(({ file, pins }) =>
        file !== own?.file && pins !== undefined ? [pins] : [],
      );
      return { own: own?.pins, others };
    },
    async save(file) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, fileOf(file.server));
      const part = `${path}.${process.pid}.part`;
      const handle = await open(part, 'w', 0o600);
      try {
        await handle.writeFile(JSON.stringify(file, undefined, 1));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, path);
    },
  };
}

async function readPins(path: string): Promise<PinFile | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
  const good =
    isObject(value) &&
    value['version'] === 1 &&
    typeof value['server'] === 'string' &&
    typeof value['target'] === 'string' &&
    isObject(value['tools']) &&
    isObject(value['shared']);
  return good ? (value as unknown as PinFile) : undefined;
}

/** Whether both describe the same tool in the same way. */
export function isSameDefinition(
  one: ToolDefinition | undefined,
  other: ToolDefinition | undefined,
): boolean {
  return one !== undefined && other !== undefined && definitionHash(one) === definitionHash(other);
}

/** `file` with `definition` pinned. */
export function withPin(file: PinFile, definition: ToolDefinition): PinFile {
  return { ...file, tools: { ...file.tools, [definition.name]: pinned(definition) as ToolDefinition } };
}
