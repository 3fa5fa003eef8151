import { Column, Entity, Index } from 'typeorm';
import {
  BrowserId,
  Counter,
  CreatedAt,
  Dollars,
  Flag,
  Id,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  Timestamp,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { User } from '../accounts/user.entity.ts';

export const conversationStatuses = ['active', 'waiting_human', 'human', 'ended'] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

/**
 * PostgreSQL's NOTIFY channel for changes of conversations that open event streams show. The payload has the
 * ids of the workspace and the conversation.
 */
export const CONVERSATIONS_CHANNEL = 'parley_conversations';

/**
 * Returns whether the conversation is in a handoff: an agent was requested or has joined, and the bot does
 * not answer.
 */
export function isHandoff(status: ConversationStatus): boolean {
  return status === 'waiting_human' || status === 'human';
}

export const consentStates = ['unknown', 'granted', 'denied', 'withdrawn'] as const;
export type Consent = (typeof consentStates)[number];

/** Returns whether the visitor refused consent, so that Parley may store no personal data. */
export function hasRefused(consent: Consent): boolean {
  return consent === 'denied' || consent === 'withdrawn';
}

/**
 * Returns whether a visitor's session may change its contact. A session without an identity token, in a
 * browser that was later signed in, may belong to another person. Such a session may change only its
 * conversation.
 */
export function mayUpdateContact({
  contactId,
  isVouchedFor,
}: Pick<Conversation, 'contactId' | 'isVouchedFor'>): boolean {
  return contactId === null || isVouchedFor;
}

/** Contact details that a visitor entered in a form, by the contact's field names. */
export interface LeadDetails {
  name?: string;
  email?: string;
  phone?: string;
  country?: string;
  custom_fields?: Record<string, unknown>;
  /** All values of the visitor's form, by the keys of the form's fields. */
  fields?: Record<string, unknown>;
}

export const sentiments = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof sentiments)[number];

const IS_IN_INBOX = { where: "status IN ('waiting_human', 'human')" };

@Entity('conversations')
@Index('ix_conversations_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_conversations_bot_created', ['botId', 'orgId', 'createdAt', 'id'])
@Index('ix_conversations_status', ['orgId', 'status', 'createdAt', 'id'])
@Index('ix_conversations_resolved', ['orgId', 'isResolved', 'createdAt', 'id'])
@Index('ix_conversations_leads', ['orgId', 'createdAt', 'id'], { where: 'is_lead' })
@Index('ix_conversations_browser', ['botId', 'browserId', 'createdAt', 'id'])
@Index('ix_conversations_contact', ['contactId', 'createdAt', 'id'], { where: 'contact_id IS NOT NULL' })
@Index('ix_conversations_rating', ['orgId', 'rating', 'createdAt', 'id'], { where: 'rating IS NOT NULL' })
@Index('ix_conversations_active', ['createdAt'], { where: "status = 'active'" })
@Index('ix_conversations_last_message', ['orgId', 'lastMessageHour'])
@Index('ix_conversations_text', { synchronize: false })
@Index('ix_conversations_handoffs', ['createdAt'], IS_IN_INBOX)
@Index('ix_conversations_inbox', ['orgId', 'handoffRequestedAt', 'id', 'assignedToId'], IS_IN_INBOX)
@Index('ix_conversations_inbox_of_bot', ['botId', 'orgId', 'handoffRequestedAt', 'id'], IS_IN_INBOX)
@Index('ix_conversations_assigned', ['assignedToId', 'orgId', 'handoffRequestedAt', 'id'], {
  where: 'assigned_to_id IS NOT NULL',
})
export class Conversation {
  @Id('conversations') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('conversations', 'bot_id', () => Bot) botId!: string;
  /** Visitor id that the customer's page sent to the widget. The id proves nothing about the visitor. */
  @Text('visitor_id') visitorId!: string;
  @BrowserId() browserId!: string;
  /**
   * Verified contact of the conversation; null if the conversation belongs to the anonymous contact of its
   * browser.
   */
  @Reference('conversations', 'contact_id', () => Contact, { nullable: true, onDelete: 'SET NULL' })
  contactId!: string | null;
  /**
   * True if the session began with an identity token. False if the conversation was assigned to the contact
   * by a later sign-in in the same browser.
   */
  @Flag('is_vouched_for') isVouchedFor!: boolean;
  /** ISO 3166-1 code of the visitor's country, if a trusted proxy added it to the request. */
  @NullableText('country') country!: string | null;
  @Text('status', { default: 'active' }) status!: ConversationStatus;
  @Text('consent', { default: 'unknown' }) consent!: Consent;
  /** Time at which the visitor granted or refused consent. */
  @Timestamp('consent_at', { nullable: true }) consentAt!: Date | null;
  @Sealed() @Json('custom_fields', { default: {} }) customFields!: Sealed<Record<string, unknown>>;
  @Flag('is_lead') isLead!: boolean;
  /**
   * Values of the visitor's form in this conversation, which are removed from the contact if the visitor
   * refuses consent.
   */
  @Sealed() @Json('lead_details', { default: {} }) leadDetails!: Sealed<LeadDetails>;
  /**
   * Whether a flow waits for the visitor's reply. A database trigger resets the flag when the bot no longer
   * answers, because of a handoff or the end of the conversation.
   */
  @Flag('is_in_flow') isInFlow!: boolean;
  @Flag('is_resolved') isResolved!: boolean;
  @Counter('message_count') messageCount!: number;
  /** Whether the visitor has sent a message. Until then, analytics do not count the conversation. */
  @Flag('has_visitor_message') hasVisitorMessage!: boolean;
  /** Whether the conversation was ever in a handoff. A database trigger sets it. */
  @Flag('had_handoff') hadHandoff!: boolean;
  @NullableText('page_url') pageUrl!: string | null;
  @NullableText('referrer') referrer!: string | null;
  @Integer('rating', { nullable: true }) rating!: number | null;
  @NullableText('sentiment') sentiment!: Sentiment | null;
  @Sealed() @NullableText('summary') summary!: Sealed<string> | null;
  @Sealed() @NullableText('title') title!: Sealed<string> | null;
  @Dollars('total_cost_usd', { default: 0 }) totalCostUsd!: number;
  @Counter('total_input_tokens') totalInputTokens!: number;
  @Counter('total_output_tokens') totalOutputTokens!: number;
  @CreatedAt() createdAt!: Date;
  @Timestamp('last_message_at', { default: () => 'now()' }) lastMessageAt!: Date;
  /**
   * `lastMessageAt` truncated to the hour. A database trigger sets it. The index on it changes once an hour
   * rather than with each message.
   */
  @Timestamp('last_message_hour', { default: () => 'now()', insert: false, update: false, select: false })
  lastMessageHour!: Date;
  /**
   * Time, to the minute, at which the visitor's client last sent a request. The expiry of the visitor's token
   * counts from this time.
   */
  @Timestamp('visitor_seen_at', { default: () => 'now()' }) visitorSeenAt!: Date;
  @Timestamp('ended_at', { nullable: true }) endedAt!: Date | null;
  /** Time at which the team last reopened the conversation. */
  @Timestamp('reopened_at', { nullable: true }) reopenedAt!: Date | null;
  /** Time at which a visitor, flow or agent began the current handoff; null outside of a handoff. */
  @Timestamp('handoff_requested_at', { nullable: true }) handoffRequestedAt!: Date | null;
  @Sealed() @NullableText('handoff_reason') handoffReason!: Sealed<string> | null;
  /** Agent who answers in the conversation; null while the conversation waits for an agent. */
  @Reference('conversations', 'assigned_to_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  assignedToId!: string | null;
  @Timestamp('assigned_at', { nullable: true }) assignedAt!: Date | null;
  @KeyId() keyId!: string | null;
}
