import type { SelectQueryBuilder } from 'typeorm';
import { notFound } from '../../core/errors/errors.ts';
import { notifyChannel } from '../../database/notify.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { ConversationNote } from '../../entities/conversations/conversation-note.entity.ts';
import { CONVERSATIONS_CHANNEL } from '../../entities/conversations/conversation.entity.ts';
import type { ConversationScope } from './message.repository.ts';

export class ConversationNoteRepository extends ScopedRepository<ConversationNote> {
  constructor() {
    super(ConversationNote, 'note');
  }

  /** Builds a query for the members' notes about a conversation. */
  queryNotes({ conversationId, ...scope }: ConversationScope): SelectQueryBuilder<ConversationNote> {
    return this.query(scope).andWhere('row.conversationId = :conversationId', { conversationId });
  }

  countAll({ db, orgId, conversationId }: ConversationScope): Promise<number> {
    return db.repository(ConversationNote).countBy({ orgId, conversationId });
  }

  /**
   * Returns a member's note about a conversation.
   * @throws AppError `forbidden` for a note of another workspace, `not_found` if the note is missing or
   *   belongs to another conversation
   */
  async getInConversation(
    { conversationId, ...scope }: ConversationScope,
    id: string,
  ): Promise<ConversationNote> {
    const note = await this.get(scope, id);
    if (note.conversationId !== conversationId) throw notFound('note');
    return note;
  }

  /** Notifies the workspace's inbox streams that members' notes about the conversation have changed. */
  async notifyStreams({ db, orgId, conversationId }: ConversationScope): Promise<void> {
    await notifyChannel(db, CONVERSATIONS_CHANNEL, `${orgId} ${conversationId}`);
  }
}
