import { apiCommand } from './api/api-command.ts';
import { operationIds } from './api/operation-list.ts';
import { askBot } from './bots/ask-bot.ts';
import { botCommands } from './bots/bot-commands.ts';
import type { Command } from './command.ts';
import { renderCompletion, shells } from './completion.ts';
import { conversationCommands } from './conversations/conversation-commands.ts';
import { flowCommands } from './flows/flow-commands.ts';
import { knowledgeCommands } from './knowledge/knowledge-commands.ts';
import { logIn } from './log-in.ts';
import { serveMcp } from './serve-mcp.ts';
import { NO_ARGUMENTS, ONE_ARGUMENT } from './argument-counts.ts';
import { testSetCommands } from './test-sets/test-set-commands.ts';
import { webhookCommands } from './webhooks/webhook-commands.ts';

export const commands: readonly Command[] = [
  {
    name: 'login',
    args: '',
    about:
      'Approve an API key in a browser, or type or pipe in an existing key. The key is checked and stored with PARLEY_URL in a file that only you can read.',
    options: {
      key: { type: 'boolean', about: 'Ask for an API key instead of opening a browser.' },
      'no-browser': { type: 'boolean', about: 'Write the address of the page, but do not open the page.' },
    },
    argumentCount: NO_ARGUMENTS,
    credentials: 'entered',
    run: logIn,
  },
  ...botCommands,
  ...knowledgeCommands,
  {
    name: 'ask',
    args: '<bot_id> <question>',
    about:
      'Ask a bot a question as a visitor would, without storing a conversation. The answer is written as it arrives.',
    argumentCount: { min: 2, max: 2 },
    run: askBot,
  },
  ...conversationCommands,
  ...flowCommands,
  ...webhookCommands,
  ...testSetCommands,
  {
    name: 'mcp',
    args: '',
    about: 'Serve the tools of the MCP server over stdin and stdout, for a client that starts this command.',
    argumentCount: NO_ARGUMENTS,
    run: serveMcp,
  },
  apiCommand,
  {
    name: 'completion',
    args: shells.join(' | '),
    about: 'Write a shell script for command completion: source <(parley completion bash)',
    argumentCount: ONE_ARGUMENT,
    credentials: 'none',
    run: async ({ args: [shell = ''], out }) => out(renderCompletion(shell, { commands, operationIds })),
  },
];
