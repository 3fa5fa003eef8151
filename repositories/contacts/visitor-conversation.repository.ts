import { Any, IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning, updateReturning } from '../../database/returning.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { whereOf, type Browser, type VisitorOfBot } from './visitor.ts';

/** Which conversations a visitor has, and had. */
export class VisitorConversationRepository {
  /** Locks them until the transaction ends; returns their ids. */
  async lock({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<string[]> {
    const rows = await db.repository(Conversation).find({
      where: { orgId, ...whereOf(visitor) },
      select: { id: true },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return rows.map(({ id }) => id);
  }

  /** Whether the visitor has filled in a form, in whichever of them. */
  hasLead({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<boolean> {
    return db.repository(Conversation).existsBy({ orgId, ...whereOf(visitor), isLead: true });
  }

  /** Gives conversations that are locked to a verified contact; returns when they began. */
  async updateContact(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
    contactId: string,
  ): Promise<Date[]> {
    const given = { orgId, id: Any(conversationIds) };
    const rows = await updateReturning(db.repository(Conversation), given, { contactId });
    return rows.map(({ createdAt }) => createdAt);
  }

  /** Gives the contact those that the visitor had anonymously and that are deleted, too. */
  async updateContactOfDeleted(
    { db, orgId }: OrgScope,
    { botId, browserId }: Browser,
    contactId: string,
  ): Promise<void> {
    const anonymous = { orgId, botId, browserId, contactId: IsNull() };
    await db.repository(DeletedConversation).update(anonymous, { contactId });
  }

  /** Forgets the deleted ones; returns what they were. */
  deleteDeleted({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<DeletedConversation[]> {
    return deleteReturning(db.repository(DeletedConversation), { orgId, ...whereOf(visitor) });
  }
}
