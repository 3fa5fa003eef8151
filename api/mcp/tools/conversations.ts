import { Type, type Static, type TObject } from '@sinclair/typebox';
import { conversationStatuses } from '../../../entities/conversations/conversation.entity.ts';
import { messageRoles } from '../../../entities/conversations/message.entity.ts';
import {
  getConversation,
  listConversationMessages,
  listConversations,
} from '../../conversations/conversations.routes.ts';
import { Nullable, StringEnum } from '../../http/schemas/schemas.ts';
import { ResultTruncator, MAX_CHARACTERS } from '../result-truncator.ts';
import { Cursor, toCursorField } from '../tool-fields.ts';
import { defineTool } from '../tool.ts';

const PAGE_SIZE = 20;
const SUMMARY = 500;
const TITLE = 200;
const MESSAGE = 4000;
const MESSAGES = 100;
/**
 * Number of UTF-16 code units to request of messages: two more than the tool shows, so that it knows whether
 * a message is longer. The last character may take two units.
 */
const SHOWN = { each: MESSAGE + 2, total: MAX_CHARACTERS };
const NO_MESSAGES = { each: 0, total: 0 };

const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const conversation = {
  id: Type.String(),
  bot_id: Type.String(),
  title: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  status: StringEnum(conversationStatuses),
  sentiment: Nullable(Type.String()),
  rating: Nullable(Type.Integer()),
  last_message_at: Type.String(),
};

type FittedConversation = Static<TObject<typeof conversation>>;

function fitConversation(read: FittedConversation, truncator: ResultTruncator): FittedConversation {
  return {
    id: read.id,
    bot_id: read.bot_id,
    title: truncator.truncateText(read.title, TITLE),
    summary: truncator.truncateText(read.summary, SUMMARY),
    status: read.status,
    sentiment: read.sentiment,
    rating: read.rating,
    last_message_at: read.last_message_at,
  };
}

export const findConversationsTool = defineTool({
  name: 'find_conversations',
  title: 'Find conversations',
  description:
    'Finds visitors’ conversations with the workspace’s bots, newest first, by words, state, time, or whether a visitor left contact details. Use get_conversation to read one; for documents use search_knowledge, for counts get_insights.',
  input: {
    bot_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only conversations of this bot; an id from list_bots.' }),
    ),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Words from a message, or a visitor’s name.',
      }),
    ),
    status: Type.Optional(
      StringEnum(conversationStatuses, { description: 'Only conversations in this state.' }),
    ),
    from: Time('Only conversations that started at this time or later.'),
    to: Time('Only conversations that started before this time.'),
    is_lead: Type.Optional(Type.Boolean({ description: 'Whether the visitor left contact details.' })),
    cursor: Cursor,
  },
  output: { conversations: Type.Array(Type.Object(conversation)) },
  operations: [listConversations],
  run: async ({ query: q, ...filters }, calls) => {
    const truncator = new ResultTruncator();
    const page = await calls.run(listConversations, { query: { ...filters, q, page_size: PAGE_SIZE } });
    const conversations = page.items.map((each) => fitConversation(each, truncator));
    return { conversations, ...toCursorField(page), truncated: truncator.isTruncated };
  },
});

export const getConversationTool = defineTool({
  name: 'get_conversation',
  title: 'Read a conversation',
  description:
    'Reads one conversation with its messages, oldest first. Long conversations are returned in parts: pass next_cursor as after. Find ids with find_conversations.',
  input: {
    conversation_id: Type.String({
      format: 'uuid',
      description: 'Id of the conversation, from find_conversations.',
    }),
    after: Type.Optional(Type.String({ format: 'uuid', description: 'next_cursor of the previous part.' })),
  },
  output: {
    conversation: Type.Object(conversation),
    messages: Type.Array(
      Type.Object({ role: StringEnum(messageRoles), content: Type.String(), created_at: Type.String() }),
    ),
  },
  operations: [getConversation, listConversationMessages],
  whenMissing:
    'Use find_conversations to see the existing ids; `after` must be a next_cursor of this conversation.',
  run: async ({ conversation_id: id, after }, calls) => {
    const truncator = new ResultTruncator();
    const params = { conversation_id: id };
    const [found, listedMessages] = await Promise.all([
      calls.run(getConversation, { params, excerpt: NO_MESSAGES }),
      calls.run(listConversationMessages, { params, query: { after, limit: MESSAGES }, excerpt: SHOWN }),
    ]);
    const summary = fitConversation(found, truncator);
    const all = listedMessages.map(({ role, content, created_at: createdAt }) => ({
      role,
      content: truncator.truncateText(content, MESSAGE),
      created_at: createdAt,
    }));
    const messages = new ResultTruncator().truncateItems(all, JSON.stringify(summary).length);
    const isMore = messages.length < listedMessages.length || listedMessages.length === MESSAGES;
    const last = listedMessages[messages.length - 1];
    return {
      conversation: summary,
      messages,
      ...(isMore && last && { next_cursor: last.id }),
      truncated: truncator.isTruncated,
    };
  },
});
