import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Flag, Reference, Timestamp } from '../../database/columns.ts';
import { Message } from '../conversations/message.entity.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

/**
 * A visitor's message that belongs to a cluster of similar questions. The row is deleted with the message,
 * and a database trigger then inserts a `QuestionDelta`.
 */
@Entity('question_members')
@Index('ix_question_members_cluster', ['clusterId', 'askedAt', 'messageId'])
@Index('ix_question_members_words', ['wordsId', 'clusterId'])
@Index('uq_question_members_pattern', ['clusterId'], { unique: true, where: 'is_pattern' })
export class QuestionMember {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_members' })
  @ForeignKey(() => Message, 'id', { name: 'fk_question_members_message_id', onDelete: 'CASCADE' })
  messageId!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('question_members', 'cluster_id', () => QuestionCluster) clusterId!: string;
  /**
   * Id derived from the bot and the question's lexemes. Questions with the same id are in the same cluster.
   */
  @Column({ name: 'words_id', type: 'uuid' }) wordsId!: string;
  @Column({ name: 'conversation_id', type: 'uuid' }) conversationId!: string;
  /** Time at which the visitor sent the question. The question counts for that day in UTC. */
  @Timestamp('asked_at') askedAt!: Date;
  @Flag('is_unanswered') isUnanswered!: boolean;
  /**
   * Whether new questions are compared with this question. Each cluster has one such pattern, whose lexemes
   * are stored as `QuestionTerm`.
   */
  @Flag('is_pattern') isPattern!: boolean;
}
