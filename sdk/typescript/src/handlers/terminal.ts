import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

import { type DisplayOptions, displayArguments, visible } from '../display.js';
import {
  type ApprovalHandler,
  type ApprovalRequest,
  type ApprovalResult,
  createApprovalResult,
} from './approval.js';
import { riskOf } from './risk-of.js';

/** Where a {@link TerminalApprovalHandler} asks. */
export interface TerminalOptions {
  /** Default: standard input. */
  input?: Readable;
  /** Default: standard error, so that what a program prints stays clean. */
  output?: Writable;
  /** What is shown of the arguments. */
  display?: DisplayOptions;
  /** The agent's name. */
  agentName?: string;
}

/**
 * Asks on a terminal, one call at a time: `a` approves, `d` denies, `A` approves the tool for the
 * session. Enter and every other key decide nothing. Without a terminal, and when the input ends,
 * nothing is approved.
 */
export class TerminalApprovalHandler implements ApprovalHandler {
  readonly #options: TerminalOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TerminalOptions = {}) {
    this.#options = options;
  }

  requestApproval(request: ApprovalRequest): Promise<ApprovalResult> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async checkApproval(_approvalId: string): Promise<ApprovalResult> {
    return createApprovalResult({ status: 'rejected', reason: 'A terminal answers at once or not at all' });
  }

  async #ask(request: ApprovalRequest): Promise<ApprovalResult> {
    const { input = process.stdin, output = process.stderr, display, agentName } = this.#options;
    if (input === process.stdin && !process.stdin.isTTY) {
      return createApprovalResult({ status: 'rejected', reason: 'There is no terminal to ask on' });
    }
    const shown = JSON.stringify(displayArguments(request.arguments, display), undefined, 2);
    const lines = [
      `Tool:      ${visible(request.moduleId)}`,
      `Risk:      ${riskOf(request)}`,
      ...(agentName === undefined ? [] : [`Agent:     ${visible(agentName)}`]),
      `Arguments: ${shown.split('\n').map(visible).join('\n           ')}`,
    ];
    output.write(`\n${lines.join('\n')}\n`);
    const terminal = createInterface({ input, output });
    try {
      terminal.setPrompt('[a] approve  [d] deny  [A] always in this session: ');
      terminal.prompt();
      for await (const line of terminal) {
        const decision = answerOf(line.trim());
        if (decision) return decision;
        terminal.prompt();
      }
    } finally {
      terminal.close();
    }
    return createApprovalResult({ status: 'rejected', reason: 'The terminal was closed' });
  }
}

function answerOf(key: string): ApprovalResult | undefined {
  switch (key) {
    case 'a':
      return createApprovalResult({ status: 'approved', approvedBy: 'terminal' });
    case 'A':
      return createApprovalResult({ status: 'approved', approvedBy: 'terminal', metadata: { always: true } });
    case 'd':
      return createApprovalResult({ status: 'rejected', approvedBy: 'terminal', reason: 'User denied' });
    default:
      return undefined;
  }
}
