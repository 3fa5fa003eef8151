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
} from './columns.ts';
import type { Citation } from '../core/citation.ts';
import { Conversation } from './conversation.entity.ts';

export const messageRoles = ['user', 'assistant', 'agent', 'system'] as const;
export type MessageRole = (typeof messageRoles)[number];

/**
 * A turn of a conversation. An answer is written as `generating` before the model is asked and completed afterwards;
 * until then it belongs to the process that holds its lease, and no list shows it.
 */
@Entity('messages')
@Index('ix_messages_conversation', ['conversationId', 'createdAt', 'id'])
@Index('uq_messages_client_id', ['conversationId', 'clientId'], {
  unique: true,
  where: 'client_id IS NOT NULL',
})
@Index('uq_messages_reply_to', ['replyToId'], { unique: true, where: 'reply_to_id IS NOT NULL' })
@Index('ix_messages_idempotency_key', ['createdAt'], { where: "client_id LIKE 'idempotency-key:%'" })
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
  @Text('content') content!: string;
  /** The visitor's own id of a turn, by which a repeated send is recognised. */
  @NullableText('client_id') clientId!: string | null;
  @Json('citations', { nullable: true }) citations!: Citation[] | null;
  @NullableText('model') model!: string | null;
  @Integer('input_tokens', { nullable: true }) inputTokens!: number | null;
  @Integer('output_tokens', { nullable: true }) outputTokens!: number | null;
  @Dollars('cost_usd', { nullable: true }) costUsd!: number | null;
  @Integer('latency_ms', { nullable: true }) latencyMs!: number | null;
  @Integer('ttft_ms', { nullable: true }) ttftMs!: number | null;
  @Flag('is_error') isError!: boolean;
  @NullableText('error_code') errorCode!: string | null;
  @Timestamp('lease_expires_at', { nullable: true }) leaseExpiresAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
