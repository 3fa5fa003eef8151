import { callOperation } from './call-operation.ts';
import { collected } from './collected.ts';
import { show, table, UsageError, type Command, type Context } from './command.ts';
import { writeCredentials } from './credentials.ts';
import { flowCommands } from './flows/flow-commands.ts';
import { countOf } from './option-values.ts';
import { knowledgeCommands } from './knowledge/knowledge-commands.ts';
import { labelled, oneLine } from './safe-text.ts';
import { serveMcp } from './serve-mcp.ts';
import { tailWebhooks } from './tail-webhooks.ts';

const one = { least: 1, most: 1 };
const none = { least: 0, most: 0 };

export const commands: readonly Command[] = [
  {
    name: 'login',
    args: '',
    about: 'Keep the key that is piped in, and PARLEY_URL, in a file that you alone may read.',
    takes: none,
    async run(context) {
      const apiKey = (await context.input()).trim();
      if (apiKey === '') throw new UsageError('Pipe an API key in: echo "$KEY" | parley login');
      const { baseUrl } = context.credentials;
      const file = writeCredentials(context, { baseUrl, apiKey });
      show(context, { file }, () => `Kept in ${file}, for ${baseUrl}.`);
    },
  },
  {
    name: 'bots list',
    args: '',
    about: 'All bots.',
    takes: none,
    async run(context) {
      const bots = await collected(context.client.bots.list({ page_size: 100 }));
      show(context, bots, () => table(bots.map(({ id, status, name }) => [id, status, name])));
    },
  },
  {
    name: 'bots get',
    args: '<bot_id>',
    about: 'One bot.',
    takes: one,
    async run(context) {
      const bot = await context.client.bots.get(context.args[0] ?? '');
      show(context, bot, () =>
        table(Object.entries(bot).map(([name, value]) => [name, JSON.stringify(value)])),
      );
    },
  },
  {
    name: 'bots create',
    args: '<name> [--active]',
    about: 'Make a bot; its id is written.',
    options: { active: { type: 'boolean' } },
    takes: one,
    async run(context) {
      const { bots } = context.client;
      const created = await bots.create({ name: context.args[0] ?? '' });
      const bot = context.values['active'] ? await bots.update(created.id, { status: 'active' }) : created;
      show(context, bot, () => oneLine(bot.id));
    },
  },
  ...knowledgeCommands,
  {
    name: 'ask',
    args: '<bot_id> <question>',
    about: 'Ask a bot as a visitor would, without a conversation; the answer is written as it comes.',
    takes: { least: 2, most: 2 },
    run: ask,
  },
  {
    name: 'conversations list',
    args: '[--bot <bot_id>] [--status <status>] [--limit <number>]',
    about: 'The latest conversations, 20 unless told otherwise.',
    options: {
      bot: { type: 'string' },
      status: { type: 'string' },
      limit: { type: 'string', default: '20' },
    },
    takes: none,
    run: listConversations,
  },
  {
    name: 'conversations get',
    args: '<conversation_id>',
    about: 'What was said in a conversation.',
    takes: one,
    async run(context) {
      const messages = await collected(context.client.conversations.listMessages(context.args[0] ?? ''));
      show(context, messages, () => messages.map(({ role, content }) => labelled(role, content)).join('\n'));
    },
  },
  ...flowCommands,
  {
    name: 'webhooks tail',
    args: '[--forward <address>] [--secret <secret>] [--event <event>] [--limit <number>]',
    about:
      'Write deliveries of webhooks as they are made, and send each on, for instance to http://localhost:4000/hook.',
    options: {
      forward: { type: 'string' },
      secret: { type: 'string' },
      event: { type: 'string' },
      limit: { type: 'string' },
    },
    takes: none,
    run: tailWebhooks,
  },
  {
    name: 'mcp',
    args: '',
    about: 'Serve the tools of the MCP server to a client that starts this command, over stdin and stdout.',
    takes: none,
    run: serveMcp,
  },
  {
    name: 'api',
    args: '<operation> [<path value>…] [--query <name=value>]… [--body <json | @file | ->] [--file <file>] [--visitor-token <token>] [--output <file>]',
    about:
      'Call any operation by its id, such as listBots; the answer is written as it comes, with --output into a file, byte by byte.',
    options: {
      output: { type: 'string' },
      query: { type: 'string', multiple: true },
      body: { type: 'string' },
      file: { type: 'string' },
      'visitor-token': { type: 'string' },
    },
    takes: { least: 1, most: 5 },
    run: callOperation,
  },
];

async function ask(context: Context): Promise<void> {
  const { client, args, isJson, out } = context;
  const [botId = '', message = ''] = args;
  for await (const event of client.bots.tryStreaming(botId, { message })) {
    if (event.event === 'delta' && !isJson) out(event.data.text);
    if (event.event !== 'done') continue;
    const { reply } = event.data;
    const sources = reply.citations.map(({ index, title }) => `\n[${index}] ${oneLine(title)}`);
    show(context, reply, () => sources.join(''));
    if (reply.error) throw new Error(reply.error.message);
  }
}

async function listConversations(context: Context): Promise<void> {
  const { bot, status, limit } = context.values as { bot?: string; status?: 'active'; limit: string };
  const most = countOf('--limit', limit);
  const query = { page_size: Math.min(most, 100), bot_id: bot, status };
  const conversations = await collected(context.client.conversations.list(query), most);
  show(context, conversations, () =>
    table(conversations.map(({ id, status: state, title }) => [id, state, title ?? ''])),
  );
}
