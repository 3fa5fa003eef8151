import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A visitor's message whose answer is complete, and that nobody has read for its question yet. A trigger on messages writes it with the
 * answer, so that it is there from the moment on that the answer is, however late that commits.
 */
@Entity('question_queue')
export class QueuedQuestion {
  @PrimaryColumn({ name: 'message_id', type: 'uuid', primaryKeyConstraintName: 'pk_question_queue' })
  messageId!: string;
}
