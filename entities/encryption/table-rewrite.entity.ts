import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/** When a table's files were last rewritten, which removes former versions of its rows. */
@Entity('table_rewrites')
export class TableRewrite {
  /** The table, or `wal` for the write-ahead log. */
  @PrimaryColumn({ name: 'name', type: 'text', primaryKeyConstraintName: 'pk_table_rewrites' }) name!: string;
  /** Versions replaced before this time are gone. */
  @Timestamp('clean_since') cleanSince!: Date;
  /** How long the table was locked. */
  @Column({ name: 'seconds', type: 'double precision' }) seconds!: number;
}
