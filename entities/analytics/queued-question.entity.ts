import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A visitor's message with a complete answer that has not been clustered yet. A trigger on messages inserts the row in
 * the answer's transaction, so that it becomes visible together with the answer.
 */
@Entity('question_queue')
export class QueuedQuestion {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_queue' })
  messageId!: string;
}
