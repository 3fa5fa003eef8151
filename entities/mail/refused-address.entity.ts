import { Entity, PrimaryColumn } from 'typeorm';
import { Text, Timestamp } from '../../database/columns.ts';

/** An address, in lower case, whose mail server said that there is no such mailbox. */
@Entity('refused_addresses')
export class RefusedAddress {
  @PrimaryColumn({ name: 'address', type: 'text', primaryKeyConstraintName: 'pk_refused_addresses' })
  address!: string;
  @Text('reason') reason!: string;
  @Timestamp('refused_at', { default: () => 'now()' }) refusedAt!: Date;
}
