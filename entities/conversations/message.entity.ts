import { Column, Entity, Index } from 'typeorm';
import {
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
import type { Citation } from '../../core/conversations/citation.ts';
import type { AskedInput } from '../../core/flows/node-type.ts';
import { Conversation, type Consent } from './conversation.entity.ts';

export const messageRoles = ['user', 'assistant', 'agent', 'system'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** A change of the conversation, with its parameters, in a message of the role `system`. */
export type SystemEvent =
  /** The reason is the message's content. */
  | { kind: 'handoff_requested'; requested_by: 'visitor' | 'flow' }
  /** The author now has the conversation. */
  | { kind: 'agent_joined' }
  /** The author has returned the conversation; the visitor waits for another agent. */
  | { kind: 'handoff_returned' }
  | { kind: 'handoff_released' }
  | { kind: 'resolved' }
  | { kind: 'reopened' }
  /** Written if a person was requested or had the conversation; otherwise the end time suffices. */
  | { kind: 'ended'; ended_by: 'visitor' | 'sweep' }
  /** Keys of the captured fields; the contact has their values. */
  | { kind: 'lead_captured'; fields: string[] }
  | { kind: 'consent_changed'; consent: Consent };

export const systemEventKinds = [
  'handoff_requested',
  'agent_joined',
  'handoff_returned',
  'handoff_released',
  'resolved',
  'reopened',
  'ended',
  'lead_captured',
  'consent_changed',
] as const satisfies SystemEvent['kind'][];

/**
 * A turn of a conversation, or, with the role `system`, a change of it. An answer is inserted as `generating` before
 * the model is called, and completed afterwards. Until then the process that holds its lease owns it, and lists omit
 * it.
 */
@Entity('messages')
@Index('ix_messages_conversation', ['conversationId', 'createdAt', 'id'])
@Index('ix_messages_text', { synchronize: false })
@Index('uq_messages_client_id', ['conversationId', 'clientId'], {
  unique: true,
  where: 'client_id IS NOT NULL',
})
@Index('uq_messages_reply_to', ['replyToId'], { unique: true, where: 'reply_to_id IS NOT NULL' })
@Index('ix_messages_idempotency_key', ['createdAt'], { where: "client_id LIKE 'idempotency-key:%'" })
@Index('ix_messages_author', ['authorId'], { where: 'author_id IS NOT NULL' })
@Index('ix_messages_unanswered', ['orgId', 'createdAt'], { where: 'is_unanswered' })
@Index('ix_messages_generating', ['leaseExpiresAt'], { where: "state = 'generating'" })
export class Message {
  @Id('messages') id!: string;
  /** Workspace of the conversation. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('messages', 'conversation_id', () => Conversation) conversationId!: string;
  /** The visitor's turn that this message answers. */
  @Reference('messages', 'reply_to_id', () => Message, { nullable: true }) replyToId!: string | null;
  @Text('role') role!: MessageRole;
  @Text('state', { default: 'complete' }) state!: 'generating' | 'complete';
  /** The text. If `event` is set, only the visitor's words that belong to it; the sentence is rendered on reading. */
  @Sealed() @Text('content') content!: Sealed<string>;
  /** The member who wrote the message or caused the event; null once the account is deleted. */
  @Column({ name: 'author_id', type: 'uuid', nullable: true }) authorId!: string | null;
  /** The author's name at that time; null once the account is deleted. */
  @NullableText('author_name') authorName!: string | null;
  @Json('event', { nullable: true }) event!: SystemEvent | null;
  /** The visitor's own id of a turn; identifies repeated sends. */
  @NullableText('client_id') clientId!: string | null;
  /** The selected option of a flow's question, as the page sent it. */
  @NullableText('option_id') optionId!: string | null;
  /** The input that a flow requests with this message. */
  @Sealed() @Json('input', { nullable: true }) input!: Sealed<AskedInput> | null;
  @Sealed() @Json('citations', { nullable: true }) citations!: Sealed<Citation[]> | null;
  @NullableText('model') model!: string | null;
  @Integer('input_tokens', { nullable: true }) inputTokens!: number | null;
  @Integer('output_tokens', { nullable: true }) outputTokens!: number | null;
  @Dollars('cost_usd', { nullable: true }) costUsd!: number | null;
  @Integer('latency_ms', { nullable: true }) latencyMs!: number | null;
  @Integer('ttft_ms', { nullable: true }) ttftMs!: number | null;
  /** When it was mailed to the visitor, who had left. */
  @Timestamp('mailed_at', { nullable: true }) mailedAt!: Date | null;
  @Flag('is_error') isError!: boolean;
  /** True for an answer if the documents had no hit, the bot sent its fallback, or the model failed. */
  @Flag('is_unanswered') isUnanswered!: boolean;
  @NullableText('error_code') errorCode!: string | null;
  @Timestamp('lease_expires_at', { nullable: true }) leaseExpiresAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @KeyId() keyId!: string | null;
}
