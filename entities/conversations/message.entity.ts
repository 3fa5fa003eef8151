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
import type { RequestedInput } from '../../core/flows/node-type.ts';
import { Conversation, type Consent } from './conversation.entity.ts';

export const messageRoles = ['user', 'assistant', 'agent', 'system'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** Event in a conversation, with its parameters. A message with the role `system` contains it. */
export type SystemEvent =
  /** An agent was requested. The message's content is the reason. */
  | { kind: 'handoff_requested'; requested_by: 'visitor' | 'flow' }
  /** The message's author, an agent, has joined the conversation. */
  | { kind: 'agent_joined' }
  /** The message's author, an agent, has left the conversation; the visitor waits for another agent. */
  | { kind: 'handoff_returned' }
  | { kind: 'handoff_released' }
  | { kind: 'resolved' }
  | { kind: 'reopened' }
  /**
   * The conversation has ended. Written only if the conversation was in a handoff; for other conversations,
   * `ended_at` is enough.
   */
  | { kind: 'ended'; ended_by: 'visitor' | 'sweep' }
  /** The visitor left contact details in these fields. The contact stores the values of the fields. */
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
 * A message of a visitor, bot or agent, or an event with the role `system`. An answer is inserted with the
 * state `generating` before the model is called. Until an answer is complete, it belongs to the process that
 * has its lease, and lists of messages skip it.
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
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('messages', 'conversation_id', () => Conversation) conversationId!: string;
  /** The visitor's message that this message answers. */
  @Reference('messages', 'reply_to_id', () => Message, { nullable: true }) replyToId!: string | null;
  @Text('role') role!: MessageRole;
  @Text('state', { default: 'complete' }) state!: 'generating' | 'complete';
  /**
   * Text of the message. For an event, it has only the visitor's words, such as a reason; the event's
   * sentence is rendered when the message is read.
   */
  @Sealed() @Text('content') content!: Sealed<string>;
  /** Member who wrote the message or caused the event; null once the account is deleted. */
  @Column({ name: 'author_id', type: 'uuid', nullable: true }) authorId!: string | null;
  /** Name of the author when the message was written; null once the account is deleted. */
  @NullableText('author_name') authorName!: string | null;
  @Json('event', { nullable: true }) event!: SystemEvent | null;
  /** Id that the visitor's client gave to the message, by which Parley recognizes a repeated request. */
  @NullableText('client_id') clientId!: string | null;
  /** Option of a flow's question that the visitor selected, as the page sent it. */
  @NullableText('option_id') optionId!: string | null;
  /** Input that a flow requests from the visitor with this message, such as a choice. */
  @Sealed() @Json('input', { nullable: true }) input!: Sealed<RequestedInput> | null;
  @Sealed() @Json('citations', { nullable: true }) citations!: Sealed<Citation[]> | null;
  @NullableText('model') model!: string | null;
  @Integer('input_tokens', { nullable: true }) inputTokens!: number | null;
  @Integer('output_tokens', { nullable: true }) outputTokens!: number | null;
  @Dollars('cost_usd', { nullable: true }) costUsd!: number | null;
  @Integer('latency_ms', { nullable: true }) latencyMs!: number | null;
  @Integer('ttft_ms', { nullable: true }) ttftMs!: number | null;
  /** Time at which the message was emailed to the visitor, who had left the page. */
  @Timestamp('mailed_at', { nullable: true }) mailedAt!: Date | null;
  /** Time at which the visitor stopped the answer, whose text may therefore be incomplete. */
  @Timestamp('stopped_at', { nullable: true }) stoppedAt!: Date | null;
  @Flag('is_error') isError!: boolean;
  /**
   * Whether the bot's answer failed the visitor: the documents had no hit, the bot sent its fallback, or the
   * model failed.
   */
  @Flag('is_unanswered') isUnanswered!: boolean;
  @NullableText('error_code') errorCode!: string | null;
  @Timestamp('lease_expires_at', { nullable: true }) leaseExpiresAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @KeyId() keyId!: string | null;
}
