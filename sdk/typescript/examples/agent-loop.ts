// A hand-written agent loop whose every tool call passes Handraise.
//
//   node agent-loop.js [--config-dir DIR --runtime-dir DIR]
//
// `model` stands for the model of your choice: it gets the conversation, and answers with tool calls
// or with its last words.

import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { Client, Gate, type Folders, type RiskLevel } from 'handraise';

interface ModelCall {
  id: string;
  tool: string;
  /** As the model wrote them. */
  arguments: string;
}
type Message = { role: 'user' | 'assistant'; text: string } | { role: 'tool'; id: string; text: string };
type Model = (conversation: Message[]) => Promise<{ calls: ModelCall[]; text: string }>;

interface Tool {
  risk: RiskLevel;
  run(args: Record<string, unknown>): Promise<string>;
}

const tools: Record<string, Tool> = {
  list_files: { risk: 'read_only', run: async () => (await readdir('.')).join('\n') },
  send_mail: { risk: 'write', run: async ({ to }) => `sent to ${String(to)}` },
};

/** Runs until the model has nothing more to call. */
export async function runAgent(gate: Gate, model: Model, task: string): Promise<Message[]> {
  const conversation: Message[] = [{ role: 'user', text: task }];
  for (;;) {
    const { calls, text } = await model(conversation);
    conversation.push({ role: 'assistant', text });
    if (calls.length === 0) return conversation;

    // One batch: what the policy allows runs at once; what needs a person is shown together. A call
    // that cannot run is an answer to the model, and nobody is asked about it.
    const known = calls.filter((call) => Object.hasOwn(tools, call.tool) && parsed(call.arguments));
    const outcomes = await gate.run(
      known.map((call) => ({
        tool: call.tool,
        arguments: parsed(call.arguments),
        traceId: call.id,
        risk: tools[call.tool]?.risk,
        intent: text,
        execute: (args) => tools[call.tool]?.run(args),
      })),
    );
    for (const { id, tool } of calls) {
      const outcome = outcomes[known.findIndex((call) => call.id === id)];
      const answer = () => {
        switch (outcome?.status) {
          case 'executed':
            return outcome.value ?? '';
          case 'denied':
            // No error: the model reads why, and can try something else.
            return outcome.toolResult.content[0].text;
          case 'failed':
            return `Error: ${String(outcome.error)}`;
          default:
            return `Error: there is no tool ${tool}, or its arguments are no JSON object`;
        }
      };
      conversation.push({ role: 'tool', id, text: answer() });
    }
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Wants to look and to write to two people; says in the end what came of it. */
const scripted: Model = async (conversation) => {
  const answers = conversation.filter(({ role }) => role === 'tool').map(({ text }) => text);
  if (answers.length > 0) return { calls: [], text: `Done: ${answers.slice(1).join('; ')}` };
  return {
    text: 'Tell Ann and Bob that the build is green',
    calls: [
      { id: '1', tool: 'list_files', arguments: '{}' },
      { id: '2', tool: 'send_mail', arguments: '{"to": "ann@example.org"}' },
      { id: '3', tool: 'send_mail', arguments: '{"to": "bob@example.org"}' },
    ],
  };
};

const { values } = parseArgs({
  options: { 'config-dir': { type: 'string' }, 'runtime-dir': { type: 'string' } },
});
const { 'config-dir': config, 'runtime-dir': runtime } = values;
const folders: Partial<Folders> = { ...(config ? { config } : {}), ...(runtime ? { runtime } : {}) };
const gate = new Gate({ client: new Client({ folders }), agent: 'example-agent', session: 'example' });
const conversation = await runAgent(gate, scripted, 'Tell the team about the build');
console.log(conversation.at(-1)?.text);
