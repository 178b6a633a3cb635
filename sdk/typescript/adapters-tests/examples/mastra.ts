// Mastra. A real program names a model; this one is scripted.

import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

import { gateTools } from '@handraise/mastra';

import { modelOf, readBy } from '../tests/ai-sdk-model.js';
import { calls, gate, send } from './office.js';

const inputSchema = z.object({ to: z.string() });
const mail = createTool({
  id: 'mail',
  description: 'Sends mail',
  inputSchema,
  execute: async ({ to }) => send(to),
});
const scripted = modelOf(calls);
const model = scripted as unknown as ConstructorParameters<typeof Agent>[0]['model'];
const instructions = 'Answer mail.';

const tools = gateTools({ mail }, { gate });
const agent = new Agent({ id: 'office', name: 'Office', instructions, model, tools });
await agent.generate('Write to Ann and Bob');

console.log(readBy(scripted, calls).join('\n'));
