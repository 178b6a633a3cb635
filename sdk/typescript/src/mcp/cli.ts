#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { UsageError } from './proxy/arguments.js';

const HELP = `Put MCP servers behind Handraise, and offer Handraise's own tools

Usage: handraise-mcp proxy [OPTIONS] -- COMMAND [ARGUMENTS]
       handraise-mcp proxy [OPTIONS] --url URL [--listen PORT]
       handraise-mcp serve [OPTIONS]

proxy: passes every message on as it is, and asks before a tool is called
  --url URL                 A server that speaks Streamable HTTP
  --header "NAME: VALUE"    Sent to it; \${VARIABLE} in the value is taken from the environment
  --listen PORT             Listen on 127.0.0.1 instead of speaking over stdin and stdout; 0 for any port
  --name NAME               Name of the server in the policy [default: made from the command or the address]
  --pending SECONDS         Wait no longer for a person, but answer with an ID to come back with
  --questions               Ask here, too, what the server asks you in the middle of a call
  --reconnect SECONDS       How long to try to reach Handraise again when it stops meanwhile [default: 20]
  --denial-is-error WHEN    auto, always or never [default: auto: for tools with an output schema]

serve: raise_hand, execute_command, get_pending_commands, approve_command, deny_command, approval_prompt
  --approver-token-file F   This connection is a person's, who may approve (or: HANDRAISE_APPROVER_TOKEN)
  --run-timeout SECONDS     How long a command may run [default: 120]
  --output-limit BYTES      What is kept of each of its outputs [default: 1048576]

Both:
  --agent NAME              Name of the agent [default: what the client calls itself]
  --session ID              The conversation [default: one for each start]
  --credential NAME         Requester's token, by its name [default: default]
  --token-file FILE         Requester's token, in a file
  --timeout SECONDS         How long a person has [default: as the policy says]
  --config-dir, --data-dir, --runtime-dir DIR   Handraise's folders
`;

/** Runs the program; resolves with its exit code. */
async function main([command, ...rest]: string[]): Promise<number> {
  const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help';
  if (isHelp(command) || isHelp(rest[0])) {
    process.stdout.write(HELP);
    return 0;
  }
  const version = String(
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  );
  switch (command) {
    case 'proxy':
      return (await import('./proxy/run.js')).runProxy(rest);
    case 'serve':
      return (await import('./serve/run.js')).runServe(rest, version);
    case '--version':
    case '-V':
      process.stdout.write(`handraise-mcp ${version}\n`);
      return 0;
    default:
      throw new UsageError('Say `handraise-mcp proxy …` or `handraise-mcp serve …`; --help says more.');
  }
}

// The gate knows by this name that the agent is whoever started this program.
process.title = 'handraise-mcp';
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`handraise-mcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
