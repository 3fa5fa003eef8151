import { Entity } from 'typeorm';
import { CreatedAt, Id, Text, Timestamp } from '../../database/columns.ts';

/** Kinds of codes that are refused for a while after too many wrong guesses. */
export type PausedKind = 'mailed_codes_paused' | 'factor_codes_paused';

/** Mails that a person who is not signed in can request. */
export type AccountRequestKind = 'verify_email' | 'reset_password' | 'sign_in_code' | PausedKind;

/** A request for an address. A worker later checks whether the address has an account and mails it. */
@Entity('account_requests')
export class AccountRequest {
  @Id('account_requests') id!: string;
  @Text('kind') kind!: AccountRequestKind;
  @Text('email') email!: string;
  /** When the pause of codes ends. */
  @Timestamp('until', { nullable: true }) until!: Date | null;
  @CreatedAt() createdAt!: Date;
}
