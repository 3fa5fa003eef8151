import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Flag, Reference, Timestamp } from '../../database/columns.ts';
import { Message } from '../conversations/message.entity.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

/**
 * A visitor's message that belongs to a cluster. It is deleted with the message; a trigger then writes a delta for its
 * day.
 */
@Entity('question_members')
@Index('ix_question_members_cluster', ['clusterId', 'askedAt', 'messageId'])
@Index('ix_question_members_words', ['wordsId', 'clusterId'])
@Index('uq_question_members_pattern', ['clusterId'], { unique: true, where: 'is_pattern' })
export class QuestionMember {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_members' })
  @ForeignKey(() => Message, 'id', { name: 'fk_question_members_message_id', onDelete: 'CASCADE' })
  messageId!: string;
  /** Workspace of the message. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('question_members', 'cluster_id', () => QuestionCluster) clusterId!: string;
  /** Id derived from the bot and the question's lexemes: questions with the same id belong to the same cluster. */
  @Column({ name: 'words_id', type: 'uuid' }) wordsId!: string;
  /** Conversation of the message. */
  @Column({ name: 'conversation_id', type: 'uuid' }) conversationId!: string;
  /** When the message was sent. Its day in UTC counts the question. */
  @Timestamp('asked_at') askedAt!: Date;
  /** Whether the question was not answered. */
  @Flag('is_unanswered') isUnanswered!: boolean;
  /**
   * Whether other questions are compared with this one. Each cluster has one such pattern, whose lexemes are stored.
   */
  @Flag('is_pattern') isPattern!: boolean;
}
