import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import type { SharedParley } from '../support/parley.ts';

export interface AskedBot {
  orgId: string;
  botId: string;
}

/** A visitor's message, and how the bot answers it. */
export interface Turn {
  at?: Date;
  isUnanswered?: boolean;
  /** Id of the conversation in which the visitor writes; a new conversation if absent. */
  conversationId?: string;
  optionId?: string;
  /** Kind of value for which the bot's flow has just asked. */
  askedFor?: 'text' | 'email';
}

type Installation = Pick<SharedParley, 'database' | 'runtime'>;

/**
 * Builds a workspace with a bot, and a function with which visitors ask questions.
 * @param now time of the questions that have no other time
 */
export async function buildQuestionScene(parley: SharedParley, now = new Date(), overrides: object = {}) {
  const { bot, orgId, client } = await buildBot(parley, overrides);
  const ofBot = { orgId, botId: bot.id as string };
  return {
    ...ofBot,
    client,
    ask: (content: string, { botId = ofBot.botId, ...turn }: Turn & { botId?: string } = {}) =>
      ask(parley, { orgId, botId }, content, { at: now, ...turn }),
    list: async (query = '') => {
      const { status, body } = await client.get(
        `/api/analytics/questions${query}` as '/api/analytics/questions',
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
  };
}

/** Writes a visitor's message and its answer to the database; returns their ids. */
export async function ask(
  { database }: Pick<Installation, 'database'>,
  { orgId, botId }: AskedBot,
  content: string,
  { at = new Date(), isUnanswered = false, optionId, askedFor, ...turn }: Turn = {},
): Promise<{ conversationId: string; messageId: string }> {
  const conversationId = turn.conversationId ?? newId();
  if (turn.conversationId === undefined)
    await database.repository(Conversation).insert({
      id: conversationId,
      orgId,
      botId,
      visitorId: `visitor_${conversationId}`,
      browserId: newId(),
      createdAt: at,
    });
  const [messageId, said] = [newId(), { orgId, conversationId, createdAt: at }];
  const rows = [
    { ...said, id: messageId, role: 'user' as const, content, optionId: optionId ?? null },
    { ...said, id: newId(), role: 'assistant' as const, content: 'So.', replyToId: messageId, isUnanswered },
  ];
  const messages = database.repository(Message);
  if (askedFor)
    await messages.insert({
      ...said,
      id: newId(),
      role: 'assistant',
      content: 'And?',
      input: { kind: askedFor, options: [] },
      createdAt: new Date(at.getTime() - 1),
    } as object);
  for (const row of rows) await messages.insert(row);
  return { conversationId, messageId };
}

/** Groups all visitors' questions by meaning, as the scheduled workflow does. */
export async function groupAll({ runtime, database }: Installation): Promise<void> {
  const { questionGrouping } = runtime.services.analytics;
  let next: string | null = null;
  do ({ next } = await questionGrouping.groupBatch(database, next));
  while (next !== null);
  while ((await questionGrouping.foldDeletions(database)).isMore);
}
