import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Text, Timestamp } from '../../database/columns.ts';

/**
 * An email address for which a mail server reported that no mailbox exists. The address may be a visitor's,
 * so only a digest is stored.
 */
@Entity('refused_addresses')
@Index('ix_refused_addresses_refused_at', ['refusedAt'])
export class RefusedAddress {
  /**
   * Digest of the email address in lower case, keyed with the master key. Older releases of Parley stored the
   * address itself in this column.
   */
  @PrimaryColumn({ name: 'address', type: 'text', primaryKeyConstraintName: 'pk_refused_addresses' })
  digest!: string;
  @Text('reason') reason!: string;
  @Timestamp('refused_at', { default: () => 'now()' }) refusedAt!: Date;
}
