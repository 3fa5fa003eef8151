import { PermissionError } from '../../errors.ts';
import type { ConversationRead } from '../../generated/models.ts';
import { collect } from '../collect.ts';
import type { Context } from '../command.ts';
import { parseCount } from '../option-values.ts';
import { writeTable } from '../write-list.ts';

/**
 * Maximum number of characters shown of a conversation's first message, so that a row fits a wide terminal.
 */
const MAX_WORDS_LENGTH = 60;

export async function listConversations(context: Context): Promise<void> {
  const { client, values, isJson } = context;
  const { bot, status, limit } = values as { bot?: string; status?: 'active'; limit: string };
  const max = parseCount('--limit', limit);
  const query = { page_size: Math.min(max, 100), bot_id: bot, status };
  const conversations = await collect(client.conversations.list(query), max);
  const names =
    isJson || conversations.length === 0 ? new Map<string, string>() : await readBotNames(context);
  writeTable(context, conversations, 'conversations', (conversation) => [
    conversation.id,
    conversation.status,
    conversation.started_at.replace(/\.\d+Z$/, 'Z'),
    names.get(conversation.bot_id) ?? conversation.bot_id,
    conversation.contact_name ?? conversation.contact_email ?? conversation.visitor_id,
    takeFirstWords(conversation),
  ]);
}

/** Returns the names of all bots by id; an empty map if the API key may not read bots. */
async function readBotNames({ client }: Context): Promise<ReadonlyMap<string, string>> {
  try {
    const bots = await collect(client.bots.list({ page_size: 100 }));
    return new Map(bots.map(({ id, name }) => [id, name]));
  } catch (error) {
    if (error instanceof PermissionError) return new Map();
    throw error;
  }
}

function takeFirstWords({ first_question: question, title }: ConversationRead): string {
  const words = (question ?? title ?? '').replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(words);
  return characters.length <= MAX_WORDS_LENGTH
    ? words
    : `${characters
        .slice(0, MAX_WORDS_LENGTH - 1)
        .join('')
        .trimEnd()}…`;
}
