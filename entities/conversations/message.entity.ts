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

/** What a message of the role `system` says: what has happened to the conversation, and its parameters. */
export type SystemEvent =
  /** The reason is the message's content. */
  | { kind: 'handoff_requested'; requested_by: 'visitor' | 'flow' }
  /** The author has the conversation now. */
  | { kind: 'agent_joined' }
  /** The author has it no more; the visitor waits for somebody else. */
  | { kind: 'handoff_returned' }
  | { kind: 'handoff_released' }
  | { kind: 'resolved' }
  | { kind: 'reopened' }
  /** Only where a person was asked for or had it; in others the time of the end says it all. */
  | { kind: 'ended'; ended_by: 'visitor' | 'sweep' }
  /** The keys alone: values are the contact's. */
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
 * A turn of a conversation, or, with the role `system`, something that happened to it. An answer is written as `generating` before the model is asked and completed afterwards;
 * until then it belongs to the process that holds its lease, and no list shows it.
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
  /** Its conversation's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('messages', 'conversation_id', () => Conversation) conversationId!: string;
  /** The visitor's turn that this answers. */
  @Reference('messages', 'reply_to_id', () => Message, { nullable: true }) replyToId!: string | null;
  @Text('role') role!: MessageRole;
  @Text('state', { default: 'complete' }) state!: 'generating' | 'complete';
  /** Where `event` says what has happened, the words of the visitor that belong to it: its sentence is made when it is read. */
  @Sealed() @Text('content') content!: Sealed<string>;
  /** The member who wrote it, or did what it tells of; null once the account is deleted. */
  @Column({ name: 'author_id', type: 'uuid', nullable: true }) authorId!: string | null;
  /** What the author was called then; null once the account is deleted. */
  @NullableText('author_name') authorName!: string | null;
  @Json('event', { nullable: true }) event!: SystemEvent | null;
  /** The visitor's own id of a turn, by which a repeated send is recognised. */
  @NullableText('client_id') clientId!: string | null;
  /** The option of a flow's question that the visitor has picked, as the page says. */
  @NullableText('option_id') optionId!: string | null;
  /** What a flow asks with it. */
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
  /** Of an answer: the documents had nothing for the question, the bot said its fallback, or the model failed. */
  @Flag('is_unanswered') isUnanswered!: boolean;
  @NullableText('error_code') errorCode!: string | null;
  @Timestamp('lease_expires_at', { nullable: true }) leaseExpiresAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @KeyId() keyId!: string | null;
}
