import { AbstractAgent, EventType } from '@ag-ui/client';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { type Observable, from } from 'rxjs';

import type { AgUiPayload } from '@handraise/ag-ui';

import { type Call, sent } from './suite.js';

/** An agent that makes its calls, stops with an interrupt for each, and goes on with what it is told. */
export class InterruptingAgent extends AbstractAgent {
  readonly read = new Map<string, string>();

  constructor(
    private readonly calls: Call[],
    private readonly ran: string[],
  ) {
    super();
  }

  override run(input: RunAgentInput): Observable<BaseEvent> {
    return from(this.events(input));
  }

  private events({ threadId, runId, resume }: RunAgentInput): BaseEvent[] {
    const started = { type: EventType.RUN_STARTED, threadId, runId };
    const finished = { type: EventType.RUN_FINISHED, threadId, runId };
    if (resume === undefined || resume.length === 0) {
      const calls = this.calls.flatMap(({ id, name, args }) => [
        { type: EventType.TOOL_CALL_START, toolCallId: id, toolCallName: name },
        { type: EventType.TOOL_CALL_ARGS, toolCallId: id, delta: JSON.stringify(args) },
        { type: EventType.TOOL_CALL_END, toolCallId: id },
      ]);
      const interrupts = this.calls.map(({ id }) => ({
        id: `i-${id}`,
        reason: 'tool_call',
        toolCallId: id,
        message: 'May I?',
      }));
      return [started, ...calls, { ...finished, outcome: { type: 'interrupt', interrupts } }] as BaseEvent[];
    }
    const results = this.calls.map(({ id, name, args }) => {
      const entry = resume.find(({ interruptId }) => interruptId === `i-${id}`);
      const payload = entry?.payload as AgUiPayload | undefined;
      const content =
        entry?.status !== 'resolved' || payload === undefined
          ? 'cancelled'
          : payload.approved
            ? sent(this.ran, name, (payload.arguments ?? args) as { to: string })
            : payload.reason;
      this.read.set(id, content);
      return { type: EventType.TOOL_CALL_RESULT, messageId: `m-${id}`, toolCallId: id, content };
    });
    return [started, ...results, { ...finished, outcome: { type: 'success' } }] as BaseEvent[];
  }
}
