import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';
import { User } from './user.entity.ts';

/**
 * An IP address from which a person has signed in or proved access to the account's email. Sign-ins from this
 * address stay possible while wrong guesses block other addresses.
 */
@Entity('known_addresses')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_known_addresses_user_id', onDelete: 'CASCADE' })
@Index('ix_known_addresses_expires_at', ['expiresAt'])
export class KnownAddress {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'pk_known_addresses' })
  userId!: string;
  @PrimaryColumn({ name: 'ip', type: 'text', primaryKeyConstraintName: 'pk_known_addresses' }) ip!: string;
  @Timestamp('expires_at') expiresAt!: Date;
}
