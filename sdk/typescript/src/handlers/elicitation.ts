import { type DisplayOptions, displayArguments, visible } from '../display.js';
import {
  type ApprovalHandler,
  type ApprovalRequest,
  type ApprovalResult,
  createApprovalResult,
} from './approval.js';

/** What is used of a `Server` of the official MCP SDK. */
export interface ElicitingServer {
  /** What the connected client can do. */
  getClientCapabilities?(): { elicitation?: object | undefined } | undefined;
  /** Asks the client's person. */
  elicitInput(
    params: { message: string; requestedSchema: ApprovalSchema },
    options?: { timeout?: number },
  ): Promise<{ action: string; content?: Record<string, unknown> | undefined } | null | undefined>;
}

/** The form that the person fills in. */
export interface ApprovalSchema {
  type: 'object';
  properties: { approve: { type: 'boolean'; title: string } };
  required: ['approve'];
}

/** How an {@link ElicitationApprovalHandler} asks. */
export interface ElicitationOptions {
  /** How long an answer may take, in seconds; default 300. */
  timeoutSeconds?: number;
  /** What is shown of the arguments. */
  display?: DisplayOptions;
}

const DEFAULT_TIMEOUT_SECONDS = 300;

/**
 * Asks the person in front of the MCP client, through the client itself: for servers that run where Handraise
 * does not. The client is trusted to ask; a client that cannot, and anything but a yes, approves nothing.
 */
export class ElicitationApprovalHandler implements ApprovalHandler {
  readonly #server: ElicitingServer;
  readonly #options: ElicitationOptions;

  /** @param server A server of the official SDK; one for each connection, as the SDK has it. */
  constructor(server: ElicitingServer | { server: ElicitingServer }, options: ElicitationOptions = {}) {
    this.#server = 'server' in server ? server.server : server;
    this.#options = options;
  }

  async requestApproval(request: ApprovalRequest): Promise<ApprovalResult> {
    const server = this.#server;
    if (server.getClientCapabilities && !server.getClientCapabilities()?.elicitation)
      return rejected('The client does not support elicitation');
    const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, display } = this.#options;
    const params = { message: messageOf(request, display), requestedSchema: schema() };
    let answer;
    try {
      answer = await server.elicitInput(params, { timeout: timeoutSeconds * 1000 });
    } catch {
      return rejected('Elicitation request failed');
    }
    if (answer == null) return rejected('Elicitation returned no response');
    if (answer.action !== 'accept') return rejected(`User action: ${answer.action}`);
    // The form requires the answer: one that is missing is no yes.
    if (answer.content?.['approve'] !== true) return rejected('User declined approval');
    return createApprovalResult({ status: 'approved' });
  }

  async checkApproval(_approvalId: string): Promise<ApprovalResult> {
    return rejected('Phase B not supported via MCP elicitation');
  }
}

function messageOf(request: ApprovalRequest, display?: DisplayOptions): string {
  const args = JSON.stringify(displayArguments(request.arguments, display));
  const description = (request.description ?? '').split('\n').map(visible).join('\n');
  return `Approval required for tool: ${visible(request.moduleId)}\n\n${description}\n\nArguments: ${visible(args)}`;
}

function schema(): ApprovalSchema {
  return {
    type: 'object',
    properties: { approve: { type: 'boolean', title: 'Approve this action?' } },
    required: ['approve'],
  };
}

function rejected(reason: string): ApprovalResult {
  return createApprovalResult({ status: 'rejected', reason });
}
