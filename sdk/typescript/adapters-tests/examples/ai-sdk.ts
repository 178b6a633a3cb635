// The Vercel AI SDK. A real program takes a model of its provider; this one is scripted.

import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

import { gateTools } from '@handraise/ai-sdk';

import { modelOf, readBy } from '../tests/ai-sdk-model.js';
import { calls, gate, send } from './office.js';

const inputSchema = z.object({ to: z.string() });
const mail = tool({ description: 'Sends mail', inputSchema, execute: ({ to }) => send(to) });
const model = modelOf(calls);

const gated = gateTools({ mail }, { gate });
await generateText({ model, prompt: 'Write to Ann and Bob', stopWhen: stepCountIs(5), ...gated });

console.log(readBy(model, calls).join('\n'));
