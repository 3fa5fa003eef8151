import { openRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message, type MessageRole } from '../../entities/conversations/message.entity.ts';
import { GLIMPSE_CHARACTERS, GLIMPSES } from './glimpse.sql.ts';
import type { GlimpsedMessage } from './glimpse.sql.ts';

/** Preview of a conversation for lists, with truncated texts. */
export interface Glimpse {
  /** The visitor's first message; null before that. */
  firstQuestion: string | null;
  /** The last message and its author's role. */
  lastMessage: string | null;
  lastMessageRole: Exclude<MessageRole, 'system'> | null;
}

const NOTHING_SAID: Glimpse = { firstQuestion: null, lastMessage: null, lastMessageRole: null };

export class GlimpseRepository {
  /** Returns the preview of each conversation, in their order. */
  async list({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<Glimpse[]> {
    if (conversationIds.length === 0) return [];
    const rows = await db.run(GLIMPSES, [conversationIds, orgId]);
    const stored = rows.flatMap(({ first, last }) => [first, last]).filter((message) => message !== null);
    const messages = new Map((await openRows(db, Message, stored)).map((message) => [message.id, message]));
    const opened = (message: GlimpsedMessage | null) => (message ? messages.get(message.id)! : null);
    const byId = new Map(rows.map(({ id, first, last }) => [id, glimpseOf(opened(first), opened(last))]));
    return conversationIds.map((id) => byId.get(id) ?? NOTHING_SAID);
  }
}

function glimpseOf(first: Opened<GlimpsedMessage> | null, last: Opened<GlimpsedMessage> | null): Glimpse {
  return {
    firstQuestion: first && begun(first),
    lastMessage: last && begun(last),
    lastMessageRole: last && (last.role as Glimpse['lastMessageRole']),
  };
}

/** Truncates by code points, as PostgreSQL counts characters. */
function begun({ content }: Opened<GlimpsedMessage>): string {
  return Array.from(content.slice(0, 2 * GLIMPSE_CHARACTERS))
    .slice(0, GLIMPSE_CHARACTERS)
    .join('');
}
