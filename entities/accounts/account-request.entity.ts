import { Entity } from 'typeorm';
import { CreatedAt, Id, Text, Timestamp } from '../../database/columns.ts';

/** Kinds of email that inform a person that codes are refused for some time, after too many wrong guesses. */
export type PausedKind = 'mailed_codes_paused' | 'factor_codes_paused';

/** Kinds of email that people can request without a session. */
export type AccountRequestKind = 'verify_email' | 'reset_password' | 'sign_in_code' | PausedKind;

/**
 * A person's request for an email to an email address. A worker checks later whether the address has an
 * account, so that the response does not reveal it.
 */
@Entity('account_requests')
export class AccountRequest {
  @Id('account_requests') id!: string;
  @Text('kind') kind!: AccountRequestKind;
  @Text('email') email!: string;
  /** End of the time in which codes are refused; null for requests of other kinds. */
  @Timestamp('until', { nullable: true }) until!: Date | null;
  @CreatedAt() createdAt!: Date;
}
