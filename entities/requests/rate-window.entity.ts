import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/** Requests counted since the start of the present window; the table is unlogged. */
@Entity('rate_windows')
export class RateWindow {
  @PrimaryColumn({ name: 'key', type: 'text', primaryKeyConstraintName: 'pk_rate_windows' }) key!: string;
  @Column({ name: 'used', type: 'integer' }) used!: number;
  @Timestamp('started_at') startedAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
}
