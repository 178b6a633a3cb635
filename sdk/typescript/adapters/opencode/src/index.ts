// A plugin for OpenCode (written against @opencode-ai/plugin 1.18). It asks over a connection that it keeps;
// the plugin that `handraise connect opencode` installs asks with the hook program. Both hand in the same
// messages, so the same calls have the same answers.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tool, type Hooks, type Plugin, type PluginInput, type ToolContext } from '@opencode-ai/plugin';

import { ApprovalError, Client, type ClientOptions } from 'handraise';
import { credentialOf, homeOfUser, isObject } from 'handraise/adapter';

/** Where the plugin that `handraise connect` installs lies, below the home and below a project. */
const INSTALLED = ['.config/opencode/plugins/handraise.js', '.opencode/plugins/handraise.js'] as const;
const MARK = 'Written by `handraise connect`';
/** Questions about circumstances, not about the call that was approved. */
const OF_ITS_OWN = ['external_directory', 'doom_loop'];

/** A permission question of OpenCode, as far as it is looked at. */
interface Question {
  id: string;
  sessionID: string;
  permission?: string;
  tool?: { callID?: string };
}

/** What the plugin is made with. */
export interface OpenCodeOptions extends ClientOptions {
  /** Ask about every call, or only where OpenCode itself asks; default: every call. */
  everyCall?: boolean;
  /** Seconds until a call that nobody has answered is denied; default 590. */
  deadlineSeconds?: number;
}

/** The plugin with Handraise's usual folders and OpenCode's own credential. */
export const Handraise: Plugin = (input) => plugin(input, {});

/** The plugin with other options. */
export function handraise(options: OpenCodeOptions): Plugin {
  return (input) => plugin(input, options);
}

export default Handraise;

async function plugin(input: PluginInput, options: OpenCodeOptions): Promise<Hooks> {
  const { directory } = input;
  const { everyCall = true, deadlineSeconds = 590, ...connection } = options;
  const credential = connection.credential ?? (await credentialOf('opencode', connection.folders));
  const client = new Client({ ...connection, credential });
  const hands = { tool: { raise_hand: raiseHand(client) }, dispose: () => Promise.resolve(client.close()) };
  // The installed plugin asks already: nobody is asked twice.
  if (await isInstalled(directory)) return hands;
  const questions = new Questions(client, input);
  return {
    ...hands,
    event: async ({ event }) => questions.event(event as { type: string; properties: unknown }),
    'tool.execute.before': async (call, output) => {
      // A tool of this plugin: it asks by itself.
      if (!everyCall || call.tool === 'raise_hand') return;
      const message = { input: call, output: { args: output.args ?? {} }, directory };
      const answer = await inTime(deadlineSeconds, (signal) =>
        client.hook('opencode', message, { wait: deadlineSeconds, signal }),
      ).catch(refused);
      if (answer['action'] === 'modify' && isObject(answer['args']) && isObject(output.args)) {
        for (const name of Object.keys(output.args)) delete output.args[name];
        Object.assign(output.args, answer['args']);
      } else if (answer['action'] !== 'allow' && Object.keys(answer).length > 0) {
        throw new Error(String(answer['message'] ?? 'Denied in Handraise.'));
      }
      if (answer['action'] !== undefined) questions.approved(call);
    },
    'tool.execute.after': async (call) => questions.ended(call),
  };
}

/** OpenCode's own questions. Without an answer they stay with the person at the terminal. */
class Questions {
  private readonly calls = new Set<string>();
  private readonly open = new Map<string, AbortController>();

  constructor(
    private readonly client: Client,
    private readonly opencode: PluginInput,
  ) {}

  approved({ sessionID, callID }: { sessionID: string; callID: string }): void {
    this.calls.add(nameOf(sessionID, callID));
  }

  ended({ sessionID, callID }: { sessionID: string; callID: string }): void {
    this.calls.delete(nameOf(sessionID, callID));
  }

  event({ type, properties }: { type: string; properties: unknown }): void {
    if (!isObject(properties)) return;
    if (type === 'permission.asked') {
      void this.ask(type, properties as unknown as Question).catch(() => {});
    } else if (type === 'permission.replied') {
      // Answered at the terminal: the question in Handraise is over.
      this.open.get(String(properties['requestID'] ?? properties['permissionID']))?.abort();
    } else if (type === 'session.deleted') {
      const message = { type, properties, directory: this.opencode.directory };
      void this.client.hook('opencode', message).catch(() => {});
    }
  }

  private async ask(type: string, question: Question): Promise<void> {
    const call =
      question.tool?.callID === undefined ? undefined : nameOf(question.sessionID, question.tool.callID);
    const isKnown =
      call !== undefined && this.calls.has(call) && !OF_ITS_OWN.includes(question.permission ?? '');
    if (isKnown) return this.reply(question, { reply: 'once' });
    const abort = new AbortController();
    this.open.set(question.id, abort);
    try {
      const message = { type, properties: question, directory: this.opencode.directory };
      const answer = await this.client.hook('opencode', message, { signal: abort.signal });
      if (abort.signal.aborted) return;
      if (answer['reply'] === 'once' || answer['reply'] === 'reject') await this.reply(question, answer);
    } finally {
      this.open.delete(question.id);
    }
  }

  private async reply(question: Question, body: Record<string, unknown>): Promise<void> {
    const { client, directory } = this.opencode;
    // The interface that plugins get has no method for it yet.
    const inner = (client as unknown as { _client: { post(options: object): Promise<{ error?: unknown }> } })
      ._client;
    await inner.post({
      url: '/permission/{requestID}/reply',
      path: { requestID: question.id },
      query: { directory },
      body,
      headers: { 'Content-Type': 'application/json' },
    });
  }
}

function raiseHand(client: Client) {
  const { schema } = tool;
  return tool({
    description:
      'Ask the person a question in the middle of your work and wait for the answer. Use it when you cannot go on ' +
      'well without them. Not for permission: tools that need it ask by themselves.',
    args: {
      question: schema.string().describe('The question, with all that is needed to answer it'),
      choices: schema.array(schema.string()).max(25).optional().describe('Answers to choose from'),
      multiple: schema.boolean().optional().describe('More than one may be chosen'),
    },
    async execute({ question, choices, multiple }, { sessionID, directory, abort }: ToolContext) {
      const answer: Record<string, unknown> = await client
        .ask(
          {
            question,
            ...(choices === undefined ? {} : { choices: choices.map((label) => ({ label })) }),
            ...(multiple === undefined ? {} : { multiple }),
            custom: true,
            agent: 'opencode',
            session: sessionID,
            cwd: directory,
          },
          { signal: abort },
        )
        .then((result) => ({ ...result }))
        .catch(refused);
      if (answer['status'] === 'answered') return String(answer['answer'] ?? '');
      const reason = answer['reason'] === undefined ? '' : ` ${String(answer['reason'])}`;
      return `There is no answer (${String(answer['status'])}).${reason}`;
    },
  });
}

/** Gives up on a gate that hangs: it says nothing, not even that it denies. */
async function inTime<T>(seconds: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not `AbortSignal.timeout`: in Bun 1.3 that never fires once a listener was taken from it.
  const abort = new AbortController();
  const late = new LateError(`No answer came from Handraise within ${seconds} seconds`);
  const timer = setTimeout(() => abort.abort(late), seconds * 1000);
  return ask(abort.signal).finally(() => clearTimeout(timer));
}

class LateError extends Error {}

/** What the model reads when Handraise could not be asked. */
function refused(error: unknown): never {
  if (error instanceof LateError) throw new Error(`${error.message}, so this call was denied.`);
  if (!(error instanceof ApprovalError)) throw error;
  throw new Error(`Handraise could not be asked, so this call was denied. ${error.reason}`);
}

/** Some models number their calls anew in every session. */
function nameOf(session: string, call: string): string {
  return `${session} ${call}`;
}

async function isInstalled(directory: string): Promise<boolean> {
  const [user, project] = INSTALLED;
  const places = [join(await homeOfUser(), user), join(directory, project)];
  const texts = await Promise.all(places.map((path) => readFile(path, 'utf8').catch(() => '')));
  return texts.some((text) => text.includes(MARK));
}
