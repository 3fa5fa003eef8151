import { callOperation } from './call-operation.ts';
import { collect } from './collect.ts';
import { writeResult, formatTable, type Command, type Context } from './command.ts';
import { flowCommands } from './flows/flow-commands.ts';
import { parseCount } from './option-values.ts';
import { knowledgeCommands } from './knowledge/knowledge-commands.ts';
import { labelText, oneLine } from './safe-text.ts';
import { logIn } from './log-in.ts';
import { serveMcp } from './serve-mcp.ts';
import { tailWebhooks } from './tail-webhooks.ts';

const ONE_ARGUMENT = { min: 1, max: 1 };
const NO_ARGUMENTS = { min: 0, max: 0 };

export const commands: readonly Command[] = [
  {
    name: 'login',
    args: '',
    about:
      'Check an API key that you type or pipe in, and store it with PARLEY_URL in a file that only you can read.',
    takes: NO_ARGUMENTS,
    run: logIn,
  },
  {
    name: 'bots list',
    args: '',
    about: 'All bots.',
    takes: NO_ARGUMENTS,
    async run(context) {
      const bots = await collect(context.client.bots.list({ page_size: 100 }));
      writeResult(context, bots, () => formatTable(bots.map(({ id, status, name }) => [id, status, name])));
    },
  },
  {
    name: 'bots get',
    args: '<bot_id>',
    about: 'One bot.',
    takes: ONE_ARGUMENT,
    async run(context) {
      const bot = await context.client.bots.get(context.args[0] ?? '');
      writeResult(context, bot, () =>
        formatTable(Object.entries(bot).map(([name, value]) => [name, JSON.stringify(value)])),
      );
    },
  },
  {
    name: 'bots create',
    args: '<name> [--active]',
    about: 'Create a bot and write its id.',
    options: { active: { type: 'boolean' } },
    takes: ONE_ARGUMENT,
    async run(context) {
      const { bots } = context.client;
      const created = await bots.create({ name: context.args[0] ?? '' });
      const bot = context.values['active'] ? await bots.update(created.id, { status: 'active' }) : created;
      writeResult(context, bot, () => oneLine(bot.id));
    },
  },
  ...knowledgeCommands,
  {
    name: 'ask',
    args: '<bot_id> <question>',
    about:
      'Ask a bot like a visitor, without storing a conversation. The answer is written while it arrives.',
    takes: { min: 2, max: 2 },
    run: askBot,
  },
  {
    name: 'conversations list',
    args: '[--bot <bot_id>] [--status <status>] [--limit <number>]',
    about: 'The latest conversations, 20 by default.',
    options: {
      bot: { type: 'string' },
      status: { type: 'string' },
      limit: { type: 'string', default: '20' },
    },
    takes: NO_ARGUMENTS,
    run: listConversations,
  },
  {
    name: 'conversations get',
    args: '<conversation_id>',
    about: 'The messages of a conversation.',
    takes: ONE_ARGUMENT,
    async run(context) {
      const messages = await collect(context.client.conversations.listMessages(context.args[0] ?? ''));
      writeResult(context, messages, () =>
        messages.map(({ role, content }) => labelText(role, content)).join('\n'),
      );
    },
  },
  ...flowCommands,
  {
    name: 'webhooks tail',
    args: '[--forward <address>] [--secret <secret>] [--event <event>] [--limit <number>]',
    about: 'Write new webhook deliveries, and forward each, for example to http://localhost:4000/hook.',
    options: {
      forward: { type: 'string' },
      secret: { type: 'string' },
      event: { type: 'string' },
      limit: { type: 'string' },
    },
    takes: NO_ARGUMENTS,
    run: tailWebhooks,
  },
  {
    name: 'mcp',
    args: '',
    about: 'Serve the tools of the MCP server over stdin and stdout, for a client that starts this command.',
    takes: NO_ARGUMENTS,
    run: serveMcp,
  },
  {
    name: 'api',
    args: '<operation> [<path value>…] [--query <name=value>]… [--body <json | @file | ->] [--file <file>] [--visitor-token <token>] [--output <file>]',
    about:
      'Call any operation by its id, such as listBots. The response is written while it arrives; with --output unchanged into a file.',
    options: {
      output: { type: 'string' },
      query: { type: 'string', multiple: true },
      body: { type: 'string' },
      file: { type: 'string' },
      'visitor-token': { type: 'string' },
    },
    takes: { min: 1, max: 5 },
    run: callOperation,
  },
];

async function askBot(context: Context): Promise<void> {
  const { client, args, isJson, out } = context;
  const [botId = '', message = ''] = args;
  for await (const event of client.bots.tryStreaming(botId, { message })) {
    if (event.event === 'delta' && !isJson) out(event.data.text);
    if (event.event !== 'done') continue;
    const { reply } = event.data;
    const sources = reply.citations.map(({ index, title }) => `\n[${index}] ${oneLine(title)}`);
    writeResult(context, reply, () => sources.join(''));
    if (reply.error) throw new Error(reply.error.message);
  }
}

async function listConversations(context: Context): Promise<void> {
  const { bot, status, limit } = context.values as { bot?: string; status?: 'active'; limit: string };
  const max = parseCount('--limit', limit);
  const query = { page_size: Math.min(max, 100), bot_id: bot, status };
  const conversations = await collect(context.client.conversations.list(query), max);
  writeResult(context, conversations, () =>
    formatTable(conversations.map(({ id, status: state, title }) => [id, state, title ?? ''])),
  );
}
