// The OpenAI Agents SDK. A real program names a model; this one is scripted.

import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';

import { gateTools } from '@handraise/openai-agents';

import { ScriptedModel } from '../tests/openai-model.js';
import { calls, gate, send } from './office.js';

setTracingDisabled(true);
const parameters = z.object({ to: z.string() });
const mail = tool({ name: 'mail', description: 'Sends mail', parameters, execute: ({ to }) => send(to) });
const model = new ScriptedModel(calls);

const { tools, settle } = gateTools([mail], { gate });
const agent = new Agent({ name: 'Office', model, tools });
let result = await run(agent, 'Write to Ann and Bob');
while (await settle(result)) result = await run(agent, result.state);

console.log(calls.map((call) => model.read(call)).join('\n'));
