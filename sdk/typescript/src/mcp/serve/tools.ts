/** A tool as it is listed. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required?: string[] };
  annotations?: Record<string, boolean>;
}

const text = (description: string) => ({ type: 'string', description });
const choice = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { label: { type: 'string' }, description: { type: 'string' } },
      required: ['label'],
    },
  ],
};
const commandId = text('ID of the command');

export const RAISE_HAND: Tool = {
  name: 'raise_hand',
  description:
    'Ask the person a question in the middle of your work and wait for the answer, in this turn. Use it when ' +
    'you cannot go on well without them: a choice only they can make, something you cannot find out, a ' +
    'checkpoint before something that is hard to undo. Not for permission: tools that need it ask by themselves.',
  inputSchema: {
    type: 'object',
    properties: {
      question: text('The question, with all that is needed to answer it'),
      header: text('A few words that say what it is about'),
      choices: { type: 'array', maxItems: 25, items: choice, description: 'Answers to choose from' },
      multiple: { type: 'boolean', description: 'More than one may be chosen' },
      custom: {
        type: 'boolean',
        description: 'An answer in the person’s own words is taken, too. Default: true',
      },
      custom_label: text('What stands beside the field for it'),
      timeout_seconds: {
        type: 'integer',
        minimum: 1,
        maximum: 86_400,
        description: 'How long to wait. Default: 300',
      },
    },
    required: ['question'],
  },
};

export const ASK_USER: Tool = {
  name: 'handraise_ask_user',
  description: 'Ask the user a question and wait for the answer.',
  inputSchema: {
    type: 'object',
    properties: {
      question: text('The question'),
      header: text('A few words that say what it is about'),
      options: { type: 'array', maxItems: 25, items: choice },
      readyAnswers: { type: 'array', maxItems: 25, items: { type: 'string' } },
      multiple: { type: 'boolean' },
      custom: { type: 'boolean' },
      customLabel: { type: 'string' },
      waitTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
    },
    required: ['question'],
  },
};

export const EXECUTE_COMMAND: Tool = {
  name: 'execute_command',
  description:
    'Run a command without a shell. Harmless commands run at once, others once a person has approved them, ' +
    'some never. Waits for the person, unless "wait" is false: then it answers with an ID, and the same call ' +
    'with "_approval_token" set to it fetches the output.',
  inputSchema: {
    type: 'object',
    properties: {
      command: text('The program'),
      args: { type: 'array', items: { type: 'string' }, description: 'Its arguments, one by one' },
      cwd: text('Where it runs'),
      wait: { type: 'boolean', description: 'Wait for the person. Default: true' },
      _approval_token: text('ID of a call that was not waited for'),
    },
    required: ['command'],
  },
  annotations: { destructiveHint: true },
};

export const GET_PENDING_COMMANDS: Tool = {
  name: 'get_pending_commands',
  description: 'List the commands that wait for a person, oldest first',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

export const APPROVE_COMMAND: Tool = {
  name: 'approve_command',
  description: 'Approve a command that waits. Only for a person’s own connection; an agent cannot approve.',
  inputSchema: { type: 'object', properties: { commandId }, required: ['commandId'] },
};

export const DENY_COMMAND: Tool = {
  name: 'deny_command',
  description: 'Deny a command that waits; on the connection of the agent that asked: take it back',
  inputSchema: { type: 'object', properties: { commandId, reason: text('Why') }, required: ['commandId'] },
};

export const APPROVAL_PROMPT: Tool = {
  name: 'approval_prompt',
  description: 'Answers permission questions of Claude Code (--permission-prompt-tool)',
  inputSchema: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, input: { type: 'object' }, tool_use_id: { type: 'string' } },
    required: ['tool_name', 'input'],
  },
};

/** What is listed, in this order. */
export const TOOLS: readonly Tool[] = [
  RAISE_HAND,
  ASK_USER,
  EXECUTE_COMMAND,
  GET_PENDING_COMMANDS,
  APPROVE_COMMAND,
  DENY_COMMAND,
  APPROVAL_PROMPT,
];
