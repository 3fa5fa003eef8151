import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/**
 * Records that a table's files were rewritten. A rewrite removes older versions of rows, which may be
 * unencrypted.
 */
@Entity('table_rewrites')
export class TableRewrite {
  /** Name of the table, or `wal` for the write-ahead log. */
  @PrimaryColumn({ name: 'name', type: 'text', primaryKeyConstraintName: 'pk_table_rewrites' }) name!: string;
  /** Row versions that were replaced before this time no longer exist in the files. */
  @Timestamp('clean_since') cleanSince!: Date;
  /** Duration in seconds for which the rewrite locked the table. */
  @Column({ name: 'seconds', type: 'double precision' }) seconds!: number;
}
