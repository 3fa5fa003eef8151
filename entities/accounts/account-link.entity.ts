import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CreatedAt, Reference, Text, Timestamp } from '../../database/columns.ts';
import { User } from './user.entity.ts';

export type MailedLinkPurpose = 'verify_email' | 'reset_password';
/**
 * Purpose of a link to an account. `first_run`: the link that `npm start` prints sets up the account of the
 * first owner.
 */
export type LinkPurpose = MailedLinkPurpose | 'first_run';

/**
 * A link to a person's account, with a token. The link works once, for its purpose, until it expires.
 * `digest` is the SHA-256 of the token in hex.
 */
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
 * The latest sign-in code requested for an email address. Addresses without an account get a row as well, so
 * that response times do not reveal which addresses have an account. `digest` is keyed, because six digits
 * can be guessed from a plain digest.
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
