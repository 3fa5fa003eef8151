import { Column, Entity, Index } from 'typeorm';
import { Id, Reference, Timestamp } from '../../database/columns.ts';
import { Conversation } from '../conversations/conversation.entity.ts';

/**
 * A visitor's or flow's request for an agent. Database triggers on conversations maintain the row. An agent
 * who joins without a request creates no row.
 */
@Entity('handoffs')
@Index('ix_handoffs_conversation', ['conversationId', 'requestedAt'])
@Index('ix_handoffs_answered', ['botId', 'answeredAt'])
export class Handoff {
  @Id('handoffs') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('handoffs', 'conversation_id', () => Conversation) conversationId!: string;
  @Timestamp('requested_at') requestedAt!: Date;
  /**
   * Time at which the first agent joined; null while the visitor waits, or if the conversation ended without
   * an agent.
   */
  @Timestamp('answered_at', { nullable: true }) answeredAt!: Date | null;
}
