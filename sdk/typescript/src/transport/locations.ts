// Where Handraise keeps what on this machine; `crates/locations` says the same for its own programs.
//
// Locations come from the user database and from the program itself, never from environment
// variables: a project's settings can set those for the programs that an agent starts.

import { constants } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

import { GateUnavailableError, type UnavailableCause } from '../errors.js';
import { isObject } from '../json.js';

/** The folders that the client reads. */
export interface Folders {
  /** Holds the tokens; default `~/.config/handraise`. */
  config: string;
  /** Holds the discovery file; default `/run/user/UID/handraise`. */
  runtime: string;
}

/** Where the running gate listens. */
export interface Endpoint {
  /** Loopback address and port. */
  address: string;
  /** Path of the Unix socket, where there is one. */
  socket?: string;
}

/** The folders of the user that runs this program, with those replaced that are given. */
export async function foldersOfUser(given: Partial<Folders> = {}): Promise<Folders> {
  const home = await homeOfUser();
  return {
    config: given.config ?? join(home, '.config/handraise'),
    runtime: given.runtime ?? (await runtimeFolder(home)),
  };
}

/** Reads the discovery file. */
export async function readEndpoint(folders: Folders): Promise<Endpoint> {
  const path = join(folders.runtime, 'endpoint.json');
  const text = await readPrivate(path, 'not_running', 'Handraise is not running. Start it, then try again.');
  const damaged = new GateUnavailableError('file', `${path} cannot be understood. Restart Handraise.`);
  let endpoint: unknown;
  try {
    endpoint = JSON.parse(text);
  } catch {
    throw damaged;
  }
  if (!isObject(endpoint) || endpoint['version'] !== 1 || typeof endpoint['address'] !== 'string')
    throw damaged;
  const { address, socket } = endpoint;
  return { address, ...(typeof socket === 'string' ? { socket } : {}) };
}

/**
 * Reads a file that must belong to this user alone, without following a link.
 *
 * @param cause What it means when the file is missing; `missing` says it in words.
 */
export async function readPrivate(path: string, cause: UnavailableCause, missing: string): Promise<string> {
  const refused = (what: string) =>
    new GateUnavailableError(
      'file',
      `${path}: ${what}; it must belong to you and to nobody else (chmod go= it).`,
    );
  let file;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new GateUnavailableError(cause, missing);
    if (code === 'ELOOP') throw refused('it is a link');
    throw new GateUnavailableError('file', `${path} cannot be read: ${String(error)}`, { cause: error });
  }
  try {
    const { uid, mode } = await file.stat();
    if (process.getuid) {
      if (uid !== process.getuid()) throw refused('it belongs to another user');
      if ((mode & 0o077) !== 0) throw refused('others can read or change it');
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** The home folder from the user database. `homedir` believes `$HOME`, and in Bun so does `userInfo`. */
export async function homeOfUser(): Promise<string> {
  if (process.platform === 'win32') return homedir();
  // Where users come from elsewhere, they are not in this file.
  const users =
    process.versions['bun'] === undefined ? '' : await readFile('/etc/passwd', 'utf8').catch(() => '');
  const own = users
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , uid]) => uid === String(process.getuid?.()));
  return own?.[5] || userInfo().homedir;
}

/** `/run/user/UID/handraise` where a login session has made that folder, else a folder in the home. */
async function runtimeFolder(home: string): Promise<string> {
  const fallback = join(home, '.local/share/handraise/run');
  if (process.platform !== 'linux') return fallback;
  const uid = userInfo().uid;
  const session = `/run/user/${uid}`;
  const found = await lstat(session).catch(() => undefined);
  const ours = found?.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
  return ours ? join(session, 'handraise') : fallback;
}
