import { Column, Entity, Index } from 'typeorm';
import { Id, Reference, Timestamp } from '../../database/columns.ts';
import { Conversation } from '../conversations/conversation.entity.ts';

/** A request for a person, which the database keeps as conversations change; whoever takes over unasked makes none. */
@Entity('handoffs')
@Index('ix_handoffs_conversation', ['conversationId', 'requestedAt'])
export class Handoff {
  @Id('handoffs') id!: string;
  /** Its conversation's, as the bot is. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('handoffs', 'conversation_id', () => Conversation) conversationId!: string;
  @Timestamp('requested_at') requestedAt!: Date;
  /** When the first member had the conversation; null while none has, or where it ended before. */
  @Timestamp('answered_at', { nullable: true }) answeredAt!: Date | null;
}
