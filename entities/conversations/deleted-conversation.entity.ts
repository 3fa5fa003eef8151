import { Column, Entity, Index } from 'typeorm';
import { BrowserId, Id, Reference, Timestamp } from '../../database/columns.ts';
import { Contact } from '../contacts/contact.entity.ts';

/** A deleted conversation, stored so that an erasure of its visitor also deletes its copies. */
@Entity('deleted_conversations')
@Index('ix_deleted_conversations_org_bot', ['orgId', 'botId', 'browserId'])
@Index('ix_deleted_conversations_contact', ['contactId'], { where: 'contact_id IS NOT NULL' })
@Index('ix_deleted_conversations_deleted', ['deletedAt'])
export class DeletedConversation {
  /** Id of the conversation. */
  @Id('deleted_conversations') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** The bot may be deleted as well. */
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @BrowserId() browserId!: string;
  /** The verified contact; null for an anonymous visitor. */
  @Reference('deleted_conversations', 'contact_id', () => Contact, { nullable: true })
  contactId!: string | null;
  /** Messages of the team in it. */
  @Column({ name: 'reply_ids', type: 'uuid', array: true }) replyIds!: string[];
  @Timestamp('began_at') beganAt!: Date;
  @Timestamp('deleted_at', { default: () => 'now()' }) deletedAt!: Date;
}
