import { In, IsNull, MoreThan } from 'typeorm';
import { openRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { ConversationScope } from './message.repository.ts';

/** What the team has written, on its way to visitors who have left. */
export class MailedReplyRepository {
  /** What the team has written since the visitor was there last, and was not mailed; the earliest first. */
  async listUnseen(scope: ConversationScope, seenAt: Date, limit: number): Promise<Opened<Message>[]> {
    const { db, orgId, conversationId } = scope;
    const unseen = await db.repository(Message).find({
      where: { orgId, conversationId, role: 'agent', mailedAt: IsNull(), createdAt: MoreThan(seenAt) },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    return openRows(db, Message, unseen);
  }

  /** Notes that they were mailed, in one mail. */
  async update({ db, orgId }: OrgScope, messages: readonly Pick<Message, 'id'>[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await db.repository(Message).update({ id: In(ids), orgId }, { mailedAt: () => 'now()' });
  }

  /** How many mails have gone to the visitor. */
  async count({ db, orgId, conversationId }: ConversationScope): Promise<number> {
    const row = await db
      .repository(Message)
      .createQueryBuilder('row')
      .where({ orgId, conversationId })
      .select('count(DISTINCT row.mailedAt)::int', 'mails')
      .getRawOne<{ mails: number }>();
    return row?.mails ?? 0;
  }
}
