import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Text, Timestamp } from '../../database/columns.ts';

/** An address whose mail server said that there is no such mailbox. It may be a visitor's, so that only its digest is kept. */
@Entity('refused_addresses')
@Index('ix_refused_addresses_refused_at', ['refusedAt'])
export class RefusedAddress {
  /** Keyed by the master key, of the address in lower case. Earlier versions had the address itself in this column. */
  @PrimaryColumn({ name: 'address', type: 'text', primaryKeyConstraintName: 'pk_refused_addresses' })
  digest!: string;
  @Text('reason') reason!: string;
  @Timestamp('refused_at', { default: () => 'now()' }) refusedAt!: Date;
}
