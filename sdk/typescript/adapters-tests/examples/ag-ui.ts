// AG-UI, on the side of the client. A real program has an `HttpAgent`; this agent is scripted.

import { answerInterrupts } from '@handraise/ag-ui';

import { InterruptingAgent } from '../tests/ag-ui-agent.js';
import { calls, gate } from './office.js';

const agent = new InterruptingAgent(calls, []);
await agent.runAgent();

while (agent.pendingInterrupts.length > 0) {
  const resume = await answerInterrupts(agent.pendingInterrupts, { gate, messages: agent.messages });
  await agent.runAgent({ resume });
}

console.log([...agent.read.values()].join('\n'));
