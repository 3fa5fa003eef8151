import { Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';

/**
 * Time at which a worker last reported that it serves a worker role, such as `ingestion`. The table is
 * unlogged: after a crash, workers report again within seconds.
 */
@Entity('served_roles')
export class ServedRole {
  @PrimaryColumn({ name: 'role', type: 'text', primaryKeyConstraintName: 'pk_served_roles' }) role!: string;
  @Timestamp('seen_at') seenAt!: Date;
}
