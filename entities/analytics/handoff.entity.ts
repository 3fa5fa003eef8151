import { Column, Entity, Index } from 'typeorm';
import { Id, Reference, Timestamp } from '../../database/columns.ts';
import { Conversation } from '../conversations/conversation.entity.ts';

/**
 * A request for a person, maintained by triggers on conversations. An agent who joins without a request creates none.
 */
@Entity('handoffs')
@Index('ix_handoffs_conversation', ['conversationId', 'requestedAt'])
export class Handoff {
  @Id('handoffs') id!: string;
  /** Workspace and bot of the conversation. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('handoffs', 'conversation_id', () => Conversation) conversationId!: string;
  @Timestamp('requested_at') requestedAt!: Date;
  /** When the first agent joined; null while the visitor waits, or if the conversation ended before. */
  @Timestamp('answered_at', { nullable: true }) answeredAt!: Date | null;
}
