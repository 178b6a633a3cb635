// LangChain. A real program names a model; this one is scripted.

import { AIMessage, ToolMessage, createAgent, createMiddleware, fakeModel, tool } from 'langchain';
import { z } from 'zod';

import { wrapToolCall } from '@handraise/langchain';

import { calls, gate, send } from './office.js';

const schema = z.object({ to: z.string() });
const mail = tool(({ to }: { to: string }) => send(to), { name: 'mail', description: 'Sends mail', schema });
const model = fakeModel().respondWithTools(calls).respond(new AIMessage('done'));

const middleware = createMiddleware({ name: 'Handraise', wrapToolCall: wrapToolCall({ gate, ToolMessage }) });
const agent = createAgent({ model, tools: [mail], middleware: [middleware] });

const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Write to Ann and Bob' }] });
for (const message of messages) if (ToolMessage.isInstance(message)) console.log(message.content);
