import { Entity } from 'typeorm';
import { CreatedAt, Id, Text } from './columns.ts';

/** What somebody who is not signed in may ask to be mailed. */
export type AccountRequestKind = 'verify_email' | 'reset_password' | 'sign_in_code';

/** What an address was given for, until a worker has looked whether there is an account and has written to it. */
@Entity('account_requests')
export class AccountRequest {
  @Id('account_requests') id!: string;
  @Text('kind') kind!: AccountRequestKind;
  @Text('email') email!: string;
  @CreatedAt() createdAt!: Date;
}
