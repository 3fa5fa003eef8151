import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Integer, Text } from '../../database/columns.ts';

/**
 * How often an event has happened in an hour (UTC): the sum of the rows, which relays append as they hand events over, and
 * which are folded into one once the hour is over. The key begins with the hour, so that whoever appends writes to the end of
 * the one index, and what is old stands together.
 */
@Entity('event_counts')
export class EventCount {
  /** The time at which it begins. */
  @PrimaryColumn({
    name: 'hour',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'pk_event_counts',
  })
  hour!: Date;
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_event_counts' })
  orgId!: string;
  @PrimaryColumn({ name: 'id', type: 'uuid', primaryKeyConstraintName: 'pk_event_counts' }) id!: string;
  /** Null for events of a workspace. */
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('name') name!: string;
  @Integer('count') count!: number;
}
