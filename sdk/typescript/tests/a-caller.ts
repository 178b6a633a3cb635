// Stands for an agent with one call: has the request decided that its last argument holds, and prints the result.
// The gate knows its ancestors; it is a program of its own so that those of a test may still decide.

import { Client } from 'handraise';

const [config = '', runtime = '', request = ''] = process.argv.slice(2);
const client = new Client({ folders: { config, runtime } });
console.log(JSON.stringify(await client.request(JSON.parse(request))));
