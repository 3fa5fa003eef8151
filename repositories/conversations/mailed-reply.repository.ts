import { In, IsNull, MoreThan } from 'typeorm';
import { decryptRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { ConversationScope } from './message.repository.ts';

/** Reads and marks agents' replies that are emailed to visitors who have left the page. */
export class MailedReplyRepository {
  /** Lists agents' replies that the visitor has not seen and that were not emailed yet, oldest first. */
  async listUnseen(scope: ConversationScope, seenAt: Date, limit: number): Promise<Opened<Message>[]> {
    const { db, orgId, conversationId } = scope;
    const unseen = await db.repository(Message).find({
      where: { orgId, conversationId, role: 'agent', mailedAt: IsNull(), createdAt: MoreThan(seenAt) },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    return decryptRows(db, Message, unseen);
  }

  /** Stores that these agents' replies were sent to the visitor, together in one email. */
  async markMailed({ db, orgId }: OrgScope, messages: readonly Pick<Message, 'id'>[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await db.repository(Message).update({ id: In(ids), orgId }, { mailedAt: () => 'now()' });
  }

  /** Counts the emails with agents' replies that were sent to the visitor for this conversation. */
  async countMails({ db, orgId, conversationId }: ConversationScope): Promise<number> {
    const row = await db
      .repository(Message)
      .createQueryBuilder('row')
      .where({ orgId, conversationId })
      .select('count(DISTINCT row.mailedAt)::int', 'mails')
      .getRawOne<{ mails: number }>();
    return row?.mails ?? 0;
  }
}
