import { Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/**
 * A visitor's message whose answer is complete, and that nobody has read for its question yet. A trigger on messages writes it with the
 * answer, so that it is there from the moment on that the answer is, however late that commits.
 */
@Entity('question_queue')
export class QueuedQuestion {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_queue' })
  messageId!: string;
}

/** Where the reading of messages stands that are older than the queue; no row once it is over. */
@Entity('question_backfill')
export class QuestionBackfill {
  /** The last message that was read. */
  @PrimaryColumn({ name: 'after_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_backfill' })
  afterId!: string;
  @Timestamp('since') since!: Date;
  /** Messages of later are in the queue. */
  @Timestamp('until') until!: Date;
}
