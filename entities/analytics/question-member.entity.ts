import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Flag, Reference, Timestamp } from '../../database/columns.ts';
import { Message } from '../conversations/message.entity.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

/** A visitor's message that is a question of a cluster. It goes with the message; the database then notes a delta of its day. */
@Entity('question_members')
@Index('ix_question_members_cluster', ['clusterId', 'askedAt', 'messageId'])
@Index('ix_question_members_words', ['wordsId', 'clusterId'])
@Index('uq_question_members_pattern', ['clusterId'], { unique: true, where: 'is_pattern' })
export class QuestionMember {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_members' })
  @ForeignKey(() => Message, 'id', { name: 'fk_question_members_message_id', onDelete: 'CASCADE' })
  messageId!: string;
  /** The message's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('question_members', 'cluster_id', () => QuestionCluster) clusterId!: string;
  /** Of the bot and the question's lexemes: what has just the same is of the same cluster. */
  @Column({ name: 'words_id', type: 'uuid' }) wordsId!: string;
  /** The message's. */
  @Column({ name: 'conversation_id', type: 'uuid' }) conversationId!: string;
  /** When the message was sent, whose day in UTC counts it. */
  @Timestamp('asked_at') askedAt!: Date;
  /** Whether its answer was none. */
  @Flag('is_unanswered') isUnanswered!: boolean;
  /** Whether other questions are compared with it: one of each cluster, whose lexemes are kept. */
  @Flag('is_pattern') isPattern!: boolean;
}
