// A model of the Vercel AI SDK that makes the calls it is told to make, then says `done`.

import { MockLanguageModelV4, convertArrayToReadableStream } from 'ai/test';

import type { Call } from './suite.js';

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never;

const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The model: `calls` in its first turn. */
export function modelOf(calls: Call[]): MockLanguageModelV4 {
  const parts = calls.map(({ id, name, args }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: JSON.stringify(args),
  }));
  const first: Generated = {
    content: parts,
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage,
    warnings: [],
  };
  const second: Generated = {
    content: [{ type: 'text', text: 'done' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  };
  const stream = (parts: Part[], { finishReason }: Generated): Streamed => ({
    stream: convertArrayToReadableStream<Part>([
      { type: 'stream-start', warnings: [] },
      ...parts,
      { type: 'finish', finishReason, usage },
    ]),
  });
  const text: Part[] = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'done' },
    { type: 'text-end', id: 't' },
  ];
  return new MockLanguageModelV4({
    doGenerate: [first, second],
    doStream: [stream(parts, first), stream(text, second)],
  });
}

/** What the model read of each call. */
export function readBy(model: MockLanguageModelV4, calls: Call[]): string[] {
  const last = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1);
  const parts = (last?.prompt ?? []).flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return calls.map(({ id }) => {
    const part = parts.find((one) => one.type === 'tool-result' && one.toolCallId === id);
    return part?.type === 'tool-result' ? JSON.stringify(part.output) : '';
  });
}
