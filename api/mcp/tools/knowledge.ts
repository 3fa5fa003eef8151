import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { invalidField } from '../../../core/errors/errors.ts';
import { documentStatuses } from '../../../entities/knowledge/document.entity.ts';
import { tryBot } from '../../bots/playground.routes.ts';
import { Nullable, StringEnum } from '../../http/schemas/schemas.ts';
import { createDocument, getDocument, listDocuments } from '../../knowledge/knowledge.routes.ts';
import { searchKnowledge } from '../../knowledge/search.routes.ts';
import { ResultTruncator } from '../result-truncator.ts';
import { OperationRefused, type OperationCalls } from '../operation-calls.ts';
import { ToolFailure } from '../tool-failure.ts';
import { BotId, Cursor, toCursorField } from '../tool-fields.ts';
import { defineTool } from '../tool.ts';

const PAGE_SIZE = 20;
const TITLE = 300;
const PASSAGE = 4000;
const ANSWER = 14_000;
const QUOTE = 500;
const ERROR = 300;

export const searchKnowledgeTool = defineTool({
  name: 'search_knowledge',
  title: 'Search a bot’s documents',
  description:
    'Finds passages in a bot’s documents, best first. Use it before you answer about the business; for chats use find_conversations, for the bot’s own answer ask_bot.',
  input: {
    bot_id: BotId,
    query: Type.String({ minLength: 1, maxLength: 400, description: 'A question in natural language.' }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 6, description: 'Maximum number of passages.' }),
    ),
  },
  output: {
    passages: Type.Array(
      Type.Object({
        text: Type.String(),
        title: Type.String(),
        source_url: Nullable(Type.String()),
        document_id: Type.String(),
        score: Type.Number(),
      }),
      { description: 'Empty if the documents have nothing relevant.' },
    ),
  },
  operations: [searchKnowledge],
  run: async ({ bot_id: botId, query, limit = 6 }, calls) => {
    const truncator = new ResultTruncator();
    const { items } = await calls.run(searchKnowledge, { params: { bot_id: botId }, body: { query, limit } });
    const passages = items.map(({ text, title, source_url: sourceUrl, document_id: documentId, score }) => ({
      text: truncator.truncateText(text, PASSAGE),
      title: truncator.truncateText(title, TITLE),
      source_url: sourceUrl,
      document_id: documentId,
      score,
    }));
    return { passages: truncator.truncateItems(passages), truncated: truncator.isTruncated };
  },
});

export const askBotTool = defineTool({
  name: 'ask_bot',
  title: 'Ask a bot',
  description:
    'Asks a bot as a visitor would, and returns its answer with sources. No conversation is stored. A call counts toward the limit of trials in a free workspace, and the model that it calls may cost money. Use it to see how a bot answers; for passages only use search_knowledge.',
  input: {
    bot_id: BotId,
    question: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: '\\S',
      description: 'A sample visitor message.',
    }),
    history: Type.Optional(
      Type.Array(
        Type.Object(
          {
            role: StringEnum(['user', 'assistant']),
            content: Type.String({ minLength: 1, maxLength: 4000 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 10, description: 'Earlier messages, oldest first.' },
      ),
    ),
  },
  output: {
    answer: Type.String(),
    citations: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The number in the answer, as in [1].' }),
        title: Type.String(),
        source_url: Nullable(Type.String()),
        document_id: Type.String(),
        quote: Type.String(),
      }),
    ),
    model: Nullable(Type.String()),
  },
  operations: [tryBot],
  run: async ({ bot_id: botId, question, history = [] }, calls) => {
    const truncator = new ResultTruncator();
    const reply = await calls.run(tryBot, {
      params: { bot_id: botId },
      body: { message: question, history },
    });
    if (reply.error) throw new ToolFailure(reply.error.code, reply.error.message);
    const answer = truncator.truncateText(reply.content, ANSWER);
    const citations = reply.citations.map((citation) => ({
      index: citation.index,
      title: truncator.truncateText(citation.title, TITLE),
      source_url: citation.source_url,
      document_id: citation.document_id,
      quote: truncator.truncateText(citation.quote, QUOTE),
    }));
    return {
      answer,
      citations: truncator.truncateItems(citations, JSON.stringify(answer).length),
      model: reply.model,
      truncated: truncator.isTruncated,
    };
  },
});

export const addKnowledgeTool = defineTool({
  name: 'add_knowledge',
  isOpenWorld: true,
  title: 'Add knowledge',
  description:
    'Adds a document to a bot’s knowledge: a text, or a public page by its URL. The document is read and indexed in the background; list_documents shows when indexing is done. Adding the same content again within a day adds nothing, unless the document was deleted. This is the only tool that changes anything.',
  input: {
    bot_id: BotId,
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200_000,
        pattern: '\\S',
        description: 'Plain text or Markdown. Pass either text or url.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'URL of a public page. Pass either url or text.',
      }),
    ),
    title: Type.Optional(
      Type.String({ maxLength: 500, description: 'Defaults to the title in the source.' }),
    ),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 })),
    encoding: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Character encoding of the page at url, such as windows-1251. Pass this only if the page was indexed with unreadable characters; by default, the encoding is detected.',
      }),
    ),
    request_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Idempotency key; with a different value, the same content is added again.',
      }),
    ),
  },
  output: { document_id: Type.String(), status: StringEnum(documentStatuses) },
  operations: [createDocument, getDocument],
  isWrite: true,
  run: async ({ bot_id: botId, text, url, title, tags, encoding, request_id: requestId }, calls) => {
    if ((text === undefined) === (url === undefined))
      throw invalidField('text', 'or url is required, but not both');
    const source =
      text === undefined ? { source_type: 'url', url } : { source_type: 'raw_text', raw_text: text };
    const body = {
      ...source,
      ...(title !== undefined && { title }),
      ...(tags && { tags }),
      ...(encoding !== undefined && { encoding }),
    };
    const digest = createHash('sha256')
      .update(JSON.stringify([botId, body, requestId ?? null]))
      .digest('hex');
    const document = await addDocumentOnce({ botId, body, key: `add_knowledge:${digest}` }, calls);
    return { document_id: document.id, status: document.status, truncated: false };
  },
});

/**
 * Adds a document to a bot's knowledge unless an earlier call with the same key has added it; returns the
 * document. If that document was deleted in the meantime, adds the document again.
 */
async function addDocumentOnce(request: { botId: string; body: object; key: string }, calls: OperationCalls) {
  const { botId, body, key } = request;
  const params = { bot_id: botId };
  let after = '';
  for (;;) {
    const idempotencyKey = `${key}${after}`;
    const { body: document, isReplay } = await calls.runOnce(createDocument, {
      params,
      body,
      idempotencyKey,
    });
    const found = isReplay ? await findDocument(calls, botId, document.id) : document;
    if (found) return found;
    after = `:${document.id}`;
  }
}

async function findDocument(calls: OperationCalls, botId: string, documentId: string) {
  try {
    return await calls.run(getDocument, { params: { bot_id: botId, document_id: documentId } });
  } catch (error) {
    if (error instanceof OperationRefused && error.problem.error.code === 'not_found') return null;
    throw error;
  }
}

export const listDocumentsTool = defineTool({
  name: 'list_documents',
  title: 'List a bot’s documents',
  description:
    'Lists the documents of a bot with their states, newest first. Use it to see whether something was indexed, or why it failed; to search documents use search_knowledge.',
  input: {
    bot_id: BotId,
    status: Type.Optional(StringEnum(documentStatuses, { description: 'Only documents in this state.' })),
    cursor: Cursor,
  },
  output: {
    documents: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        status: StringEnum(documentStatuses),
        chunk_count: Type.Integer(),
        error_message: Nullable(Type.String()),
      }),
    ),
  },
  operations: [listDocuments],
  run: async ({ bot_id: botId, status, cursor }, calls) => {
    const truncator = new ResultTruncator();
    const page = await calls.run(listDocuments, {
      params: { bot_id: botId },
      query: { status, cursor, page_size: PAGE_SIZE },
    });
    const documents = page.items.map((document) => ({
      id: document.id,
      title: truncator.truncateText(document.title, TITLE),
      status: document.status,
      chunk_count: document.chunk_count,
      error_message: truncator.truncateText(document.error_message, ERROR),
    }));
    return { documents, ...toCursorField(page), truncated: truncator.isTruncated };
  },
});
