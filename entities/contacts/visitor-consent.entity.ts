import { Column, Entity, Index } from 'typeorm';
import { Bot } from '../bots/bot.entity.ts';
import { BrowserId, Id, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Contact } from './contact.entity.ts';
import type { Consent } from '../conversations/conversation.entity.ts';

/**
 * A visitor's decision about consent to the storage of personal data. `id` is the id of the conversation in
 * which the visitor decided. The row remains when the conversation is deleted.
 */
@Entity('visitor_consents')
@Index('ix_visitor_consents_browser', ['botId', 'browserId', 'saidAt', 'id'])
@Index('ix_visitor_consents_contact', ['contactId', 'saidAt', 'id'], { where: 'contact_id IS NOT NULL' })
export class VisitorConsent {
  @Id('visitor_consents') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('visitor_consents', 'bot_id', () => Bot) botId!: string;
  @BrowserId() browserId!: string;
  /** Verified contact of the visitor who decided about consent; null for an anonymous visitor. */
  @Reference('visitor_consents', 'contact_id', () => Contact, { nullable: true })
  contactId!: string | null;
  @Text('consent') consent!: Exclude<Consent, 'unknown'>;
  @Timestamp('said_at', { default: () => 'now()' }) saidAt!: Date;
}
