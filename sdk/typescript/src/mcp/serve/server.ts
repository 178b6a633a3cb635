import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';

import { ApprovalError } from '../../index.js';
import { keepTelling } from '../proxy/progress.js';
import {
  approvalPrompt,
  approveCommand,
  type Asking,
  askUser,
  denyCommand,
  executeCommand,
  failure,
  getPendingCommands,
  raiseHand,
  type ToolResult,
} from './answers.js';
import { Inputs, InvalidInputError } from './inputs.js';
import { TOOLS } from './tools.js';

type Answering = (asking: Asking, inputs: Inputs, signal: AbortSignal) => Promise<ToolResult>;

const ANSWERS: Record<string, Answering> = {
  raise_hand: raiseHand,
  handraise_ask_user: askUser,
  execute_command: executeCommand,
  get_pending_commands: getPendingCommands,
  approve_command: approveCommand,
  deny_command: denyCommand,
  approval_prompt: approvalPrompt,
};

/** An MCP server with Handraise's own tools. */
export function handraiseServer(
  asking: Omit<Asking, 'agent'> & { agent: string | undefined },
  version: string,
): Server {
  const server = new Server({ name: 'handraise', version }, { capabilities: { tools: {} } });
  const known: Asking = { ...asking, agent: () => asking.agent ?? server.getClientVersion()?.name };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...TOOLS] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const answering = Object.hasOwn(ANSWERS, params.name) ? ANSWERS[params.name] : undefined;
    if (answering === undefined) throw new McpError(ErrorCode.MethodNotFound, `Unknown tool: ${params.name}`);
    const token = extra._meta?.progressToken;
    const stop =
      token === undefined
        ? undefined
        : keepTelling(token, (text) => void extra.sendNotification(JSON.parse(text)).catch(() => {}));
    try {
      return (await answering(known, new Inputs(params.arguments ?? {}), extra.signal)) as CallToolResult;
    } catch (error) {
      if (error instanceof InvalidInputError) return failure(`Error: ${error.message}`) as CallToolResult;
      if (error instanceof ApprovalError) return failure(`Denied: ${error.reason}`) as CallToolResult;
      throw error;
    } finally {
      stop?.();
    }
  });
  return server;
}
