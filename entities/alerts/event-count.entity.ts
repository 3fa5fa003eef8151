import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Integer, Text } from '../../database/columns.ts';

/**
 * Number of occurrences of an event in an hour (UTC), as counted by one statement of a relay. The total is the
 * sum of all rows. Past hours are later folded into one row. The primary key begins with the hour, so that new
 * rows go to the end of the index.
 */
@Entity('event_counts')
export class EventCount {
  /** Start of the hour (UTC) in which the events occurred. */
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
  /** Bot of the counted events; null for events of the workspace itself. */
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('name') name!: string;
  @Integer('count') count!: number;
}
