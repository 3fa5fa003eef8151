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

/** Notified by the database of changes that open streams show, with the ids of workspace and conversation. */
export const CONVERSATIONS_CHANNEL = 'parley_conversations';

/** Whether the conversation is in the inbox: somebody of the team is asked for or has it, and the bot is silent. */
export function isHandoff(status: ConversationStatus): boolean {
  return status === 'waiting_human' || status === 'human';
}

export const consentStates = ['unknown', 'granted', 'denied', 'withdrawn'] as const;
export type Consent = (typeof consentStates)[number];

/** Whether nothing of the visitor may be kept. */
export function hasRefused(consent: Consent): boolean {
  return consent === 'denied' || consent === 'withdrawn';
}

/**
 * Whether the session may change what is known of its visitor. One that began before its browser signed in may be in the
 * hands of somebody else: it writes to its own conversation alone.
 */
export function speaksForVisitor({
  contactId,
  isVouchedFor,
}: Pick<Conversation, 'contactId' | 'isVouchedFor'>): boolean {
  return contactId === null || isVouchedFor;
}

/** What a visitor has filled into a form, as the contact keeps it. */
export interface LeadDetails {
  name?: string;
  email?: string;
  phone?: string;
  country?: string;
  custom_fields?: Record<string, unknown>;
  /** All of it by the keys of the form's fields. */
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
  /** The bot's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('conversations', 'bot_id', () => Bot) botId!: string;
  /** What the page calls the visitor: a name, which proves nothing. */
  @Text('visitor_id') visitorId!: string;
  @BrowserId() browserId!: string;
  /** The verified contact; without one, the conversation belongs to the anonymous contact of its browser. */
  @Reference('conversations', 'contact_id', () => Contact, { nullable: true, onDelete: 'SET NULL' })
  contactId!: string | null;
  /** The session began with an identity token; one that a later sign-in in its browser has given to the contact did not. */
  @Flag('is_vouched_for') isVouchedFor!: boolean;
  /** ISO 3166-1 code of where the visitor was, if a trusted proxy has told. */
  @NullableText('country') country!: string | null;
  @Text('status', { default: 'active' }) status!: ConversationStatus;
  @Text('consent', { default: 'unknown' }) consent!: Consent;
  /** When the visitor said so. */
  @Timestamp('consent_at', { nullable: true }) consentAt!: Date | null;
  @Sealed() @Json('custom_fields', { default: {} }) customFields!: Sealed<Record<string, unknown>>;
  @Flag('is_lead') isLead!: boolean;
  /** What a refusal takes back of the contact. */
  @Sealed() @Json('lead_details', { default: {} }) leadDetails!: Sealed<LeadDetails>;
  /** A flow waits for the visitor; the database takes it back when the conversation is not the bot's any more. */
  @Flag('is_in_flow') isInFlow!: boolean;
  @Flag('is_resolved') isResolved!: boolean;
  @Counter('message_count') messageCount!: number;
  /** The visitor has said something: until then it is a session and no more. */
  @Flag('has_visitor_message') hasVisitorMessage!: boolean;
  /** A person was asked for, or has had it, at any time; the database keeps it. */
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
  /** The hour of it, which the database keeps: it changes seldom enough to be indexed. */
  @Timestamp('last_message_hour', { default: () => 'now()', insert: false, update: false, select: false })
  lastMessageHour!: Date;
  /** The visitor token slides with it. */
  @Timestamp('visitor_seen_at', { default: () => 'now()' }) visitorSeenAt!: Date;
  @Timestamp('ended_at', { nullable: true }) endedAt!: Date | null;
  /** The last time that the team gave the visitor another chance to go on. */
  @Timestamp('reopened_at', { nullable: true }) reopenedAt!: Date | null;
  /** Set while a handoff is open, whoever began it. */
  @Timestamp('handoff_requested_at', { nullable: true }) handoffRequestedAt!: Date | null;
  @Sealed() @NullableText('handoff_reason') handoffReason!: Sealed<string> | null;
  /** The member who has the conversation; null while it waits for one. */
  @Reference('conversations', 'assigned_to_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  assignedToId!: string | null;
  @Timestamp('assigned_at', { nullable: true }) assignedAt!: Date | null;
  @KeyId() keyId!: string | null;
}
