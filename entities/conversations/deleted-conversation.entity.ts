import { Column, Entity, Index } from 'typeorm';
import { BrowserId, Id, Reference, Timestamp } from '../../database/columns.ts';
import { Contact } from '../contacts/contact.entity.ts';

/** What is remembered of a deleted conversation, so that an erasure of its visitor finds the copies of it, too. */
@Entity('deleted_conversations')
@Index('ix_deleted_conversations_org_bot', ['orgId', 'botId', 'browserId'])
@Index('ix_deleted_conversations_contact', ['contactId'], { where: 'contact_id IS NOT NULL' })
@Index('ix_deleted_conversations_deleted', ['deletedAt'])
export class DeletedConversation {
  /** The conversation's. */
  @Id('deleted_conversations') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** May be deleted, too. */
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @BrowserId() browserId!: string;
  /** Of a verified visitor. */
  @Reference('deleted_conversations', 'contact_id', () => Contact, { nullable: true })
  contactId!: string | null;
  /** What the team said in it. */
  @Column({ name: 'reply_ids', type: 'uuid', array: true }) replyIds!: string[];
  @Timestamp('began_at') beganAt!: Date;
  @Timestamp('deleted_at', { default: () => 'now()' }) deletedAt!: Date;
}
