import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { GateUnavailableError } from '../errors.js';
import type { Challenge } from '../generated/protocol.js';
import { type Folders, readPrivate } from './locations.js';

const FORM = /^hr[qa]_([0-9a-f]{12})_[0-9a-f]+$/;
const NONCE_BYTES = 32;

/** Which token a client speaks with. */
export type Credential =
  /** A requester's token by its name in the tokens folder: an agent's name, or `default`. */
  | { name: string }
  /** A file that holds a token. */
  | { tokenFile: string }
  /** The token itself. */
  | { token: string };

/** A bearer token: `hrq_ID_SECRET` (requester) or `hra_ID_SECRET` (approver). It never shows its text. */
export class Token {
  readonly #text: string;
  /** The public part. */
  readonly id: string;

  private constructor(text: string, id: string) {
    this.#text = text;
    this.id = id;
  }

  /** Reads the token that `credential` names. */
  static async read(credential: Credential, folders: Folders): Promise<Token> {
    if ('token' in credential) return Token.parse(credential.token, 'The token');
    if ('name' in credential && !/^[A-Za-z0-9._-]+$/.test(credential.name)) {
      throw new GateUnavailableError(
        'no_token',
        `${JSON.stringify(credential.name)} is no name of a credential.`,
      );
    }
    const path =
      'tokenFile' in credential
        ? credential.tokenFile
        : join(folders.config, 'tokens', `${credential.name}.token`);
    const missing = `There is no token in ${path}. Start Handraise once; it makes the tokens.`;
    return Token.parse(await readPrivate(path, 'no_token', missing), path);
  }

  private static parse(text: string, where: string): Token {
    const trimmed = text.trimEnd();
    const id = FORM.exec(trimmed)?.[1];
    if (id === undefined)
      throw new GateUnavailableError('damaged_token', `${where} is not a Handraise token.`);
    return new Token(trimmed, id);
  }

  /** The value of the `Authorization` header: only for a server that has proved itself. */
  authorization(): string {
    return `Bearer ${this.#text}`;
  }

  /** A fresh challenge. */
  challenge(): Challenge {
    return { credential: this.id, nonce: randomBytes(NONCE_BYTES).toString('hex') };
  }

  /** Whether `proof` shows that the server at `address` knows this token. */
  isProved(proof: unknown, challenge: Challenge, address: string): boolean {
    const expected = Buffer.from(proofOf(this.#text, challenge.nonce, address));
    const given = Buffer.from(typeof proof === 'string' ? proof : '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  toJSON(): string {
    return `Token ${this.id}`;
  }

  [inspect.custom](): string {
    return this.toJSON();
  }
}

/**
 * The proof of the server at `address` that it knows `token`. The formula stands at {@link ChallengeProof}, and
 * `sdk/vectors/proof.jsonl` holds every language to it.
 */
export function proofOf(token: string, nonce: string, address: string): string {
  const key = createHash('sha256').update(token).digest();
  const text = `handraise-server-proof-v1\n${nonce}\n${address}`;
  return createHmac('sha256', key).update(text).digest('hex');
}
