import { Type, type Static, type TObject } from '@sinclair/typebox';
import { getBot, listBots } from '../../bots/bots.routes.ts';
import { botStatuses } from '../../../entities/bots/bot.entity.ts';
import { Nullable, StringEnum } from '../../http/schemas/schemas.ts';
import { listDocuments } from '../../knowledge/knowledge.routes.ts';
import type { DocumentStatus } from '../../../entities/knowledge/document.entity.ts';
import { ResultTruncator } from '../result-truncator.ts';
import { BotId, Cursor, toCursorField } from '../tool-fields.ts';
import { defineTool } from '../tool.ts';

const NAME = 300;
const DESCRIPTION = 300;
const ERROR = 1000;
const PROMPT = 4000;
const PAGE_SIZE = 20;

const listed = {
  id: Type.String(),
  name: Type.String(),
  status: StringEnum(botStatuses),
  description: Nullable(Type.String()),
  total_conversations: Type.Integer(),
  indexed_chunk_count: Type.Integer({ description: 'Number of the bot’s indexed passages.' }),
};

type ListedBot = Static<TObject<typeof listed>>;

function toListedBot(bot: ListedBot, truncator: ResultTruncator, maxDescription: number): ListedBot {
  return {
    id: bot.id,
    name: truncator.truncateText(bot.name, NAME),
    status: bot.status,
    description: truncator.truncateText(bot.description, maxDescription),
    total_conversations: bot.total_conversations,
    indexed_chunk_count: bot.indexed_chunk_count,
  };
}

export const listBotsTool = defineTool({
  name: 'list_bots',
  title: 'List bots',
  description:
    'Lists the workspace’s chat bots with their ids. Use it first: the other tools need a bot_id. For one bot’s instructions and documents use get_bot.',
  input: {
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of a bot’s name.' })),
    status: Type.Optional(StringEnum(botStatuses, { description: 'Only bots in this state.' })),
    cursor: Cursor,
  },
  output: { bots: Type.Array(Type.Object(listed)) },
  operations: [listBots],
  run: async ({ query, status, cursor }, calls) => {
    const truncator = new ResultTruncator();
    const page = await calls.run(listBots, { query: { q: query, status, cursor, page_size: PAGE_SIZE } });
    const bots = page.items.map((bot) => toListedBot(bot, truncator, DESCRIPTION));
    return { bots, ...toCursorField(page), truncated: truncator.isTruncated };
  },
});

export const getBotTool = defineTool({
  name: 'get_bot',
  title: 'Get a bot',
  description:
    'Shows one bot: its instructions, language, state, and how many of its documents are indexed, in progress or failed. Use it before you judge how a bot answers; for single documents use list_documents.',
  input: { bot_id: BotId },
  output: {
    bot: Type.Object({
      ...listed,
      language: Type.String(),
      model: Nullable(Type.String()),
      welcome_message: Nullable(Type.String()),
      fallback_message: Nullable(
        Type.String({ description: 'The bot’s reply if its documents have no answer.' }),
      ),
      strict_kb_mode: Type.Boolean({ description: 'Whether the bot answers only from its documents.' }),
      last_error: Nullable(Type.String()),
      system_prompt: Type.String({ description: 'The team’s instructions for the bot.' }),
    }),
    documents: Type.Object({ indexed: Type.Integer(), processing: Type.Integer(), failed: Type.Integer() }),
  },
  operations: [getBot, listDocuments],
  run: async ({ bot_id: botId }, calls) => {
    const truncator = new ResultTruncator();
    const params = { bot_id: botId };
    const bot = await calls.run(getBot, { params });
    const countDocuments = async (status: DocumentStatus) =>
      (await calls.run(listDocuments, { params, query: { status, page_size: 1 } })).total;
    const [indexed, pending, processing, failed] = await Promise.all(
      (['indexed', 'pending', 'processing', 'failed'] as const).map(countDocuments),
    );
    return {
      bot: {
        ...toListedBot(bot, truncator, PROMPT),
        language: bot.language,
        model: bot.model,
        welcome_message: truncator.truncateText(bot.welcome_message, PROMPT),
        fallback_message: truncator.truncateText(bot.fallback_message, PROMPT),
        strict_kb_mode: bot.strict_kb_mode,
        last_error: truncator.truncateText(bot.last_error, ERROR),
        system_prompt: truncator.truncateText(bot.system_prompt, PROMPT),
      },
      documents: { indexed: indexed!, processing: pending! + processing!, failed: failed! },
      truncated: truncator.isTruncated,
    };
  },
});
