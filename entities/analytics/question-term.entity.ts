import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Flag } from '../../database/columns.ts';
import { QuestionMember } from './question-member.entity.ts';

const key = { primaryKeyConstraintName: 'pk_question_terms' };

/**
 * A lexeme of the question that represents a cluster, by which new questions find the cluster. The row is
 * deleted with that question's pattern.
 */
@Entity('question_terms')
@Index('ix_question_terms_message', ['messageId'])
export class QuestionTerm {
  @PrimaryColumn({ name: 'bot_id', type: 'uuid', ...key }) botId!: string;
  @PrimaryColumn({ name: 'lexeme', type: 'text', collation: 'C', ...key }) lexeme!: string;
  /** Number of lexemes in the cluster's pattern. A question with far more or fewer lexemes cannot match. */
  @Column({ name: 'lexeme_count', type: 'smallint', primary: true, ...key }) lexemeCount!: number;
  @PrimaryColumn({ name: 'message_id', type: 'uuid', ...key })
  @ForeignKey(() => QuestionMember, 'messageId', {
    name: 'fk_question_terms_message_id',
    onDelete: 'CASCADE',
  })
  messageId!: string;
  /** Whether the lexeme of a question comes from a name. */
  @Flag('is_name') isName!: boolean;
}
