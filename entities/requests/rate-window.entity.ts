import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/**
 * Number of requests in the current window of a rate limit. The table is unlogged: counts may be lost in a
 * crash.
 */
@Entity('rate_windows')
export class RateWindow {
  @PrimaryColumn({ name: 'key', type: 'text', primaryKeyConstraintName: 'pk_rate_windows' }) key!: string;
  @Column({ name: 'used', type: 'integer' }) used!: number;
  @Timestamp('started_at') startedAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
}
