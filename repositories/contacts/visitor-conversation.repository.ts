import { Any, IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning, updateReturning } from '../../database/returning.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { whereVisitor, type Browser, type VisitorOfBot } from './visitor.ts';

/**
 * Reads and changes the conversations of a visitor. Also changes the records that remain of deleted
 * conversations.
 */
export class VisitorConversationRepository {
  /** Locks the visitor's conversations until the transaction ends. Returns the ids of these conversations. */
  async lock({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<string[]> {
    const rows = await db.repository(Conversation).find({
      where: { orgId, ...whereVisitor(visitor) },
      select: { id: true },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return rows.map(({ id }) => id);
  }

  /** True if the visitor has submitted a lead form in any of their conversations. */
  hasLead({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<boolean> {
    return db.repository(Conversation).existsBy({ orgId, ...whereVisitor(visitor), isLead: true });
  }

  /**
   * Assigns a visitor's conversations, which the caller has locked, to a verified contact. Returns the
   * creation time of each.
   */
  async updateContact(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
    contactId: string,
  ): Promise<Date[]> {
    const filter = { orgId, id: Any(conversationIds) };
    const rows = await updateReturning(db.repository(Conversation), filter, { contactId });
    return rows.map(({ createdAt }) => createdAt);
  }

  /** Assigns the records of an anonymous visitor's deleted conversations to a verified contact. */
  async updateTombstones(
    { db, orgId }: OrgScope,
    { botId, browserId }: Browser,
    contactId: string,
  ): Promise<void> {
    const anonymous = { orgId, botId, browserId, contactId: IsNull() };
    await db.repository(DeletedConversation).update(anonymous, { contactId });
  }

  /** Deletes and returns the records that remain of the visitor's deleted conversations. */
  deleteTombstones({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<DeletedConversation[]> {
    return deleteReturning(db.repository(DeletedConversation), { orgId, ...whereVisitor(visitor) });
  }
}
