import { Column, Entity, Index } from 'typeorm';
import { BrowserId, Id, Reference, Timestamp } from '../../database/columns.ts';
import { Contact } from '../contacts/contact.entity.ts';

/**
 * A deleted conversation. The row is stored so that a later erasure of the visitor also deletes copies of the
 * conversation, such as webhook deliveries.
 */
@Entity('deleted_conversations')
@Index('ix_deleted_conversations_org_bot', ['orgId', 'botId', 'browserId'])
@Index('ix_deleted_conversations_contact', ['contactId'], { where: 'contact_id IS NOT NULL' })
@Index('ix_deleted_conversations_deleted', ['deletedAt'])
export class DeletedConversation {
  /** Id of the deleted conversation. */
  @Id('deleted_conversations') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Bot of the deleted conversation; the bot may be deleted as well. */
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @BrowserId() browserId!: string;
  /** Verified contact of the deleted conversation; null for an anonymous visitor. */
  @Reference('deleted_conversations', 'contact_id', () => Contact, { nullable: true })
  contactId!: string | null;
  /** Ids of the messages that agents wrote in the deleted conversation. */
  @Column({ name: 'reply_ids', type: 'uuid', array: true }) replyIds!: string[];
  @Timestamp('began_at') beganAt!: Date;
  @Timestamp('deleted_at', { default: () => 'now()' }) deletedAt!: Date;
}
