import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Integer, Text } from '../../database/columns.ts';

/**
 * Counts of an event in an hour (UTC): the sum of the rows. Relays append a row whenever they deliver events; the rows
 * of a past hour are folded into one. The key begins with the hour, so that appends go to the end of the only index,
 * and old rows lie together.
 */
@Entity('event_counts')
export class EventCount {
  /** Start of the hour. */
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
