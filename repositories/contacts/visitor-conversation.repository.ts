import { Any, IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning, updateReturning } from '../../database/returning.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { whereVisitor, type Browser, type VisitorOfBot } from './visitor.ts';

/** Existing and deleted conversations of visitors. */
export class VisitorConversationRepository {
  /** Locks the visitor's conversations until the transaction ends. Returns their ids. */
  async lock({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<string[]> {
    const rows = await db.repository(Conversation).find({
      where: { orgId, ...whereVisitor(visitor) },
      select: { id: true },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return rows.map(({ id }) => id);
  }

  /** True if the visitor has submitted a lead form in any conversation. */
  hasLead({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<boolean> {
    return db.repository(Conversation).existsBy({ orgId, ...whereVisitor(visitor), isLead: true });
  }

  /** Assigns locked conversations to a verified contact. Returns when each was created. */
  async updateContact(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
    contactId: string,
  ): Promise<Date[]> {
    const given = { orgId, id: Any(conversationIds) };
    const rows = await updateReturning(db.repository(Conversation), given, { contactId });
    return rows.map(({ createdAt }) => createdAt);
  }

  /** Assigns deleted conversations of the anonymous visitor to the contact. */
  async updateContactOfDeleted(
    { db, orgId }: OrgScope,
    { botId, browserId }: Browser,
    contactId: string,
  ): Promise<void> {
    const anonymous = { orgId, botId, browserId, contactId: IsNull() };
    await db.repository(DeletedConversation).update(anonymous, { contactId });
  }

  /** Deletes the records of the visitor's deleted conversations, and returns them. */
  deleteTombstones({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<DeletedConversation[]> {
    return deleteReturning(db.repository(DeletedConversation), { orgId, ...whereVisitor(visitor) });
  }
}
