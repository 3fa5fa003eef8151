import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A visitor's message that has an answer but is not in a cluster of similar questions yet. A database trigger
 * inserts the row in the transaction that completes the answer.
 */
@Entity('question_queue')
export class QueuedQuestion {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_queue' })
  messageId!: string;
}
