import { parseArgs } from 'node:util';

import type { Folders } from '../../index.js';
import type { DenialForm } from '../denial.js';
import type { CallContext } from '../tool-gate.js';

/** What the command line of `handraise-mcp proxy` says. */
export interface ProxyArguments {
  target: { command: string[] } | { url: URL; headers: Record<string, string>; listen: number | undefined };
  context: CallContext & { server: string };
  denial: DenialForm;
  pendingAfter: number | undefined;
  /** The person is asked here, too, what the server wants to know. */
  asksHere: boolean;
  reconnectSeconds: number;
  credential: { name: string } | { tokenFile: string };
  folders: Partial<Folders>;
  dataFolder: string | undefined;
}

/** A mistake in the command line, with what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const FOLDER_OPTIONS = {
  'config-dir': { type: 'string' },
  'data-dir': { type: 'string' },
  'runtime-dir': { type: 'string' },
} as const;

const OPTIONS = {
  ...FOLDER_OPTIONS,
  url: { type: 'string' },
  header: { type: 'string', multiple: true },
  listen: { type: 'string' },
  name: { type: 'string' },
  agent: { type: 'string' },
  session: { type: 'string' },
  credential: { type: 'string' },
  'token-file': { type: 'string' },
  timeout: { type: 'string' },
  pending: { type: 'string' },
  'denial-is-error': { type: 'string' },
  reconnect: { type: 'string' },
  questions: { type: 'boolean' },
} as const;

/**
 * Reads the command line behind `proxy`.
 *
 * @throws UsageError
 */
export function proxyArguments(argv: string[], environment: NodeJS.ProcessEnv): ProxyArguments {
  const end = argv.indexOf('--');
  const [own, command] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
  const { values } = parsed(() => parseArgs({ args: own, options: OPTIONS, allowPositionals: false }));
  const { url, listen } = values;
  if ((url === undefined) === (command.length === 0)) {
    throw new UsageError(
      'Say which server: `handraise-mcp proxy -- COMMAND …` or `handraise-mcp proxy --url URL`.',
    );
  }
  if (listen !== undefined && url === undefined) throw new UsageError('--listen goes with --url only.');
  if (listen !== undefined && values.header !== undefined) {
    throw new UsageError('--header does not go with --listen: every program on this machine could use it.');
  }
  if (listen !== undefined && values.session !== undefined) {
    throw new UsageError('--session does not go with --listen: many clients can use one address.');
  }
  const address = url === undefined ? undefined : httpAddress(url);
  return {
    target:
      address === undefined
        ? { command }
        : {
            url: address,
            headers: headersOf(values.header ?? [], environment),
            listen: listen === undefined ? undefined : wholeNumber('--listen', listen, 0, 65_535),
          },
    context: {
      server: values.name ?? (address === undefined ? nameOf(command) : address.host),
      cwd: process.cwd(),
      ...(values.agent === undefined ? {} : { agent: values.agent }),
      ...(values.session === undefined ? {} : { session: values.session }),
      ...(values.timeout === undefined
        ? {}
        : { timeoutSeconds: wholeNumber('--timeout', values.timeout, 1, 86_400) }),
    },
    denial: denialForm(values['denial-is-error']),
    pendingAfter:
      values.pending === undefined ? undefined : wholeNumber('--pending', values.pending, 0, 86_400),
    asksHere: values.questions ?? false,
    reconnectSeconds: wholeNumber('--reconnect', values.reconnect ?? '20', 0, 86_400),
    ...credentialOf(values),
    ...foldersOf(values),
  };
}

/** The credential that the options name; by default the one called `default`. */
export function credentialOf(values: {
  credential?: string | undefined;
  'token-file'?: string | undefined;
}): {
  credential: { name: string } | { tokenFile: string };
} {
  const { credential, 'token-file': tokenFile } = values;
  if (tokenFile === undefined) return { credential: { name: credential ?? 'default' } };
  if (credential !== undefined) throw new UsageError('--credential and --token-file exclude each other.');
  return { credential: { tokenFile } };
}

/** The folders that the options name. */
export function foldersOf(values: { [name in keyof typeof FOLDER_OPTIONS]?: string | undefined }): {
  folders: Partial<Folders>;
  dataFolder: string | undefined;
} {
  const { 'config-dir': config, 'data-dir': dataFolder, 'runtime-dir': runtime } = values;
  return {
    folders: { ...(config === undefined ? {} : { config }), ...(runtime === undefined ? {} : { runtime }) },
    dataFolder,
  };
}

/** Runs `parse`, and makes a UsageError of what it throws. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most && text.trim() !== '') return number;
  throw new UsageError(`${option} is a whole number from ${least} to ${most}.`);
}

function httpAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(
    `--url is an address that starts with http:// or https://, not ${JSON.stringify(text)}.`,
  );
}

/** `Name: value`, where `${VARIABLE}` in the value is taken from the environment: an argument is seen by all. */
function headersOf(lines: string[], environment: NodeJS.ProcessEnv): Record<string, string> {
  const fields = lines.map((line): [string, string] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new UsageError('--header is "Name: value".');
    const filled = value.replaceAll(/\$\{(\w+)\}/g, (_whole, variable: string) => {
      const found = environment[variable];
      if (found === undefined) throw new UsageError(`--header ${name}: the variable ${variable} is not set.`);
      return found;
    });
    return [name, filled];
  });
  return Object.fromEntries(fields);
}

function denialForm(text: string | undefined): DenialForm {
  const form = text ?? 'auto';
  if (form === 'auto' || form === 'always' || form === 'never') return form;
  throw new UsageError('--denial-is-error is auto, always or never.');
}

/** A name for a command: that of the package or program it runs. */
function nameOf(command: string[]): string {
  const runners = /^(npx|npm|pnpm|yarn|bunx|bun|uvx|uv|pipx|node|python3?|deno|docker|exec|run|dlx|x)$/;
  const words = command.map((word) => word.replace(/^.*[\\/](?=[^\\/]+$)/, ''));
  const found = words.find((word) => !word.startsWith('-') && !runners.test(word)) ?? words[0] ?? 'server';
  return found.replace(/(?<=.)@[^@]*$/, '').replace(/\.(js|mjs|cjs|ts|py|exe)$/, '');
}
