import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, Reference, Text, Timestamp } from '../../database/columns.ts';
import { User } from './user.entity.ts';

export type LinkPurpose = 'verify_email' | 'reset_password';

/** A mailed link. It works once, for its purpose, until it expires. `digest` is the SHA-256 of its token in hex. */
@Entity('account_links')
@Index('ix_account_links_user_id', ['userId'])
@Index('ix_account_links_expires_at', ['expiresAt'])
export class AccountLink {
  @PrimaryColumn({ name: 'digest', type: 'text', primaryKeyConstraintName: 'pk_account_links' })
  digest!: string;
  @Reference('account_links', 'user_id', () => User) userId!: string;
  @Text('purpose') purpose!: LinkPurpose;
  @Timestamp('expires_at') expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

/**
 * The latest code requested for an address, whether or not the address has an account, so that a guess costs the same
 * work either way. `digest` is keyed, because six digits can be brute-forced.
 */
@Entity('sign_in_codes')
@Index('ix_sign_in_codes_expires_at', ['expiresAt'])
export class SignInCode {
  @PrimaryColumn({ name: 'email', type: 'text', primaryKeyConstraintName: 'pk_sign_in_codes' })
  email!: string;
  @Text('digest') digest!: string;
  @Column({ name: 'tries', type: 'integer', default: 0 }) tries!: number;
  @Timestamp('expires_at') expiresAt!: Date;
}
