import {
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Usage,
} from '@openai/agents';

import type { Call } from './suite.js';

/** Makes the calls that it is told to make, then says `done`. */
export class ScriptedModel implements Model {
  readonly inputs: AgentInputItem[][] = [];

  constructor(private readonly calls: (Call | { id: string; name: string; text: string })[]) {}

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    this.inputs.push(typeof input === 'string' ? [] : input);
    const usage = new Usage();
    if (this.inputs.length > 1) {
      const content = [{ type: 'output_text' as const, text: 'done' }];
      return { usage, output: [{ type: 'message', role: 'assistant', status: 'completed', content }] };
    }
    const output = this.calls.map((call) => ({
      type: 'function_call' as const,
      callId: call.id,
      name: call.name,
      arguments: 'text' in call ? call.text : JSON.stringify(call.args),
    }));
    return { usage, output };
  }

  // eslint-disable-next-line require-yield
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('not streamed');
  }

  read({ id }: { id: string }): string {
    for (const item of this.inputs.at(-1) ?? []) {
      if (item.type !== 'function_call_result' || item.callId !== id) continue;
      return typeof item.output === 'string' ? item.output : JSON.stringify(item.output);
    }
    return '';
  }
}
