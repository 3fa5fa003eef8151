import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/**
 * Record that a table's files were rewritten. A rewrite removes older versions of rows, which may be
 * unencrypted.
 */
@Entity('table_rewrites')
export class TableRewrite {
  /** Name of the rewritten table, or `wal` for the write-ahead log. */
  @PrimaryColumn({ name: 'name', type: 'text', primaryKeyConstraintName: 'pk_table_rewrites' }) name!: string;
  /** Time before which replaced row versions no longer exist in the table's files. */
  @Timestamp('clean_since') cleanSince!: Date;
  /** Duration in seconds for which the rewrite locked the table. */
  @Column({ name: 'seconds', type: 'double precision' }) seconds!: number;
}
