import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Text, Timestamp } from '../../database/columns.ts';

/** An address without a mailbox, according to its mail server. It may be a visitor's, so only its digest is stored. */
@Entity('refused_addresses')
@Index('ix_refused_addresses_refused_at', ['refusedAt'])
export class RefusedAddress {
  /**
   * Digest of the lower-case address, keyed with the master key. Earlier versions stored the address itself in this
   * column.
   */
  @PrimaryColumn({ name: 'address', type: 'text', primaryKeyConstraintName: 'pk_refused_addresses' })
  digest!: string;
  @Text('reason') reason!: string;
  @Timestamp('refused_at', { default: () => 'now()' }) refusedAt!: Date;
}
