import { Column, Entity, Index } from 'typeorm';
import { Id, Integer, Reference } from '../../database/columns.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

/**
 * What a deleted question takes from its day, written by a trigger on members: who deletes waits for no row of a day. What
 * is asked of days adds them; they are folded after each run.
 */
@Entity('question_deltas')
@Index('ix_question_deltas_cluster', ['clusterId'])
@Index('ix_question_deltas_org', ['orgId', 'day'])
export class QuestionDelta {
  @Id('question_deltas') id!: string;
  /** The cluster's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** The cluster's. */
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('question_deltas', 'cluster_id', () => QuestionCluster) clusterId!: string;
  @Column({ name: 'day', type: 'date' }) day!: string;
  /** Below zero. */
  @Integer('asked') asked!: number;
  @Integer('unanswered') unanswered!: number;
}
