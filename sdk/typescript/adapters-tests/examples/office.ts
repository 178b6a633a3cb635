// What the examples have in common: where Handraise is, and what the model wants.

import { Client, Gate } from 'handraise';

const [config = '', runtime = ''] = process.argv.slice(2);
const isElsewhere = config !== '' && runtime !== '';

/** The gate of this user; with two arguments, one in other folders. */
export const gate = new Gate({
  client: isElsewhere ? new Client({ folders: { config, runtime } }) : new Client(),
  agent: 'office',
  session: 'example',
});

/** Two calls in one turn. */
export const calls = ['ann', 'bob'].map((to) => ({ id: `call-${to}`, name: 'mail', args: { to } }));

/** What the tool does. */
export const send = (to: string): string => `mail went to ${to}`;
