import { Column, Entity, Index } from 'typeorm';
import { Id, Integer, Reference } from '../../database/columns.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

/**
 * A change that subtracts a deleted question from the counts of its day. A database trigger inserts this row,
 * so that deletions need no lock on the day's row. Readers add the deltas to the counts, until the worker
 * folds them.
 */
@Entity('question_deltas')
@Index('ix_question_deltas_cluster', ['clusterId'])
@Index('ix_question_deltas_org', ['orgId', 'day'])
export class QuestionDelta {
  @Id('question_deltas') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('question_deltas', 'cluster_id', () => QuestionCluster) clusterId!: string;
  @Column({ name: 'day', type: 'date' }) day!: string;
  /** Number of deleted questions, as a negative number. */
  @Integer('asked') asked!: number;
  @Integer('unanswered') unanswered!: number;
}
