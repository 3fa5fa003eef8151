import { Entity } from 'typeorm';
import { CreatedAt, Id, Text, Timestamp } from '../../database/columns.ts';

/** Codes that are not taken for a while, after so many wrong ones. */
export type PausedKind = 'mailed_codes_paused' | 'factor_codes_paused';

/** What somebody who is not signed in may have mailed. */
export type AccountRequestKind = 'verify_email' | 'reset_password' | 'sign_in_code' | PausedKind;

/** What an address was given for, until a worker has looked whether there is an account and has written to it. */
@Entity('account_requests')
export class AccountRequest {
  @Id('account_requests') id!: string;
  @Text('kind') kind!: AccountRequestKind;
  @Text('email') email!: string;
  /** Until when codes are not taken. */
  @Timestamp('until', { nullable: true }) until!: Date | null;
  @CreatedAt() createdAt!: Date;
}
