import { Entity, Index } from 'typeorm';
import { CreatedAt, Flag, Id, Json, NullableText, Reference, Text, TextArray, Timestamp } from './columns.ts';
import { Bot } from './bot.entity.ts';
import { Org } from './org.entity.ts';

/** What is known of a bot's visitor. Conversations belong to it by their bot and visitor id. */
@Entity('contacts')
@Index('uq_contacts_visitor', ['botId', 'visitorId'], { unique: true })
@Index('ix_contacts_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_contacts_bot_created', ['botId', 'orgId', 'createdAt', 'id'])
@Index('ix_contacts_leads', ['orgId', 'createdAt', 'id'], { where: 'is_lead' })
@Index('ix_contacts_country', ['orgId', 'country', 'createdAt', 'id'], { where: 'country IS NOT NULL' })
export class Contact {
  @Id('contacts') id!: string;
  @Reference('contacts', 'org_id', () => Org) orgId!: string;
  @Reference('contacts', 'bot_id', () => Bot) botId!: string;
  @Text('visitor_id') visitorId!: string;
  @NullableText('name') name!: string | null;
  @NullableText('email') email!: string | null;
  @NullableText('phone') phone!: string | null;
  @NullableText('country') country!: string | null;
  @Json('custom_fields', { default: {} }) customFields!: Record<string, unknown>;
  @TextArray('tags', { default: [] }) tags!: string[];
  @Flag('is_lead') isLead!: boolean;
  /** When the first conversation began. */
  @Timestamp('first_seen_at', { default: () => 'now()' }) firstSeenAt!: Date;
  @CreatedAt() createdAt!: Date;
}
