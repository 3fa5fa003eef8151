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
 * A visitor. An anonymous contact is one browser that talks to a bot; one verified by an identity token is a person of
 * the workspace. An erased contact stays as a hidden row without personal data until all copies are deleted.
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
  /** The visitor's id according to the page. It proves nothing. */
  @Text('visitor_id') visitorId!: string;
  @BrowserId() browserId!: string;
  /** The `sub` of the visitor's identity token; null while the visitor is anonymous. */
  @NullableText('identity') identity!: string | null;
  @Sealed() @NullableText('name') name!: Sealed<string> | null;
  @Sealed() @NullableText('email') email!: Sealed<string> | null;
  /** The e-mail address comes from an identity token, so a typed address cannot replace it. */
  @Flag('email_verified') isEmailVerified!: boolean;
  @Sealed() @NullableText('phone') phone!: Sealed<string> | null;
  @NullableText('country') country!: string | null;
  @Sealed() @Json('custom_fields', { default: {} }) customFields!: Sealed<Record<string, unknown>>;
  @TextArray('tags', { default: [] }) tags!: string[];
  /** Details and keys of custom fields that the team has removed. No conversation restores them. */
  @TextArray('removed_fields', { default: [] }) removedFields!: string[];
  @Flag('is_lead') isLead!: boolean;
  /** When the first conversation began. */
  @Timestamp('first_seen_at', { default: () => 'now()' }) firstSeenAt!: Date;
  @CreatedAt() createdAt!: Date;
  /** Set when the contact was erased. */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
  /**
   * Contacts that were merged into it. For an erased contact also its conversations, the team's messages in them, and
   * its bookings.
   */
  @Column({ name: 'erased_ids', type: 'uuid', array: true, default: [] })
  erasedIds!: string[];
  @KeyId() keyId!: string | null;
}
