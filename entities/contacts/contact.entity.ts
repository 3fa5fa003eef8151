import { Column, Entity, Index } from 'typeorm';
import {
  BrowserId,
  CreatedAt,
  Flag,
  Id,
  Json,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';

/**
 * A visitor as the workspace knows them. An anonymous contact is one browser that uses one bot. A contact
 * verified by an identity token is one person in the whole workspace. An erased contact stays as a hidden row
 * without personal data until all copies of its data are deleted.
 */
@Entity('contacts')
@Index('uq_contacts_browser', ['botId', 'browserId'], {
  unique: true,
  where: 'identity IS NULL AND deleted_at IS NULL',
})
@Index('uq_contacts_identity', ['orgId', 'identity'], {
  unique: true,
  where: 'identity IS NOT NULL AND deleted_at IS NULL',
})
@Index('ix_contacts_text', { synchronize: false })
@Index('ix_contacts_visitor_text', { synchronize: false })
@Index('ix_contacts_erased_ids', { synchronize: false })
@Index('ix_contacts_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_contacts_bot_created', ['botId', 'orgId', 'createdAt', 'id'])
@Index('ix_contacts_leads', ['orgId', 'createdAt', 'id'], { where: 'is_lead AND deleted_at IS NULL' })
@Index('ix_contacts_country', ['orgId', 'country', 'createdAt', 'id'], {
  where: 'country IS NOT NULL AND deleted_at IS NULL',
})
export class Contact {
  @Id('contacts') id!: string;
  @Reference('contacts', 'org_id', () => Org) orgId!: string;
  @Reference('contacts', 'bot_id', () => Bot) botId!: string;
  /** Visitor id that the customer's page sent to the widget. The id proves nothing about the visitor. */
  @Text('visitor_id') visitorId!: string;
  @BrowserId() browserId!: string;
  /** The claim `sub` of the visitor's identity token; null for an anonymous contact. */
  @NullableText('identity') identity!: string | null;
  @Sealed() @NullableText('name') name!: Sealed<string> | null;
  @Sealed() @NullableText('email') email!: Sealed<string> | null;
  /**
   * Whether the contact's email address comes from an identity token. The visitor cannot replace such an
   * address by typing another address.
   */
  @Flag('email_verified') isEmailVerified!: boolean;
  @Sealed() @NullableText('phone') phone!: Sealed<string> | null;
  @NullableText('country') country!: string | null;
  @Sealed() @Json('custom_fields', { default: {} }) customFields!: Sealed<Record<string, unknown>>;
  @TextArray('tags', { default: [] }) tags!: string[];
  /**
   * Names of contact details and custom fields that the team has removed. Later conversations do not fill
   * these fields again.
   */
  @TextArray('removed_fields', { default: [] }) removedFields!: string[];
  @Flag('is_lead') isLead!: boolean;
  /** Time at which the contact's first conversation began. */
  @Timestamp('first_seen_at', { default: () => 'now()' }) firstSeenAt!: Date;
  @CreatedAt() createdAt!: Date;
  /** Time at which the contact was erased; null if the contact is not erased. */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
  /**
   * Other ids under which this contact may appear in copies, such as exports: ids of contacts merged into it.
   * After an erasure, also ids of its conversations, of agents' messages in them, and of its bookings.
   */
  @Column({ name: 'erased_ids', type: 'uuid', array: true, default: [] })
  formerIds!: string[];
  @KeyId() keyId!: string | null;
}
