import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { type Folders, foldersOfUser } from '../transport/locations.js';
import type { Credential } from '../transport/token.js';

/** An agent's own credential, where `handraise connect` or a start of Handraise has made one; else the default one. */
export async function credentialOf(
  agent: string,
  folders: Partial<Folders> | undefined,
): Promise<Credential> {
  const { config } = await foldersOfUser(folders);
  const own = access(join(config, `tokens/${agent}.token`));
  return own.then(
    () => ({ name: agent }),
    () => ({ name: 'default' }),
  );
}
