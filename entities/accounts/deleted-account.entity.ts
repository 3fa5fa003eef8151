import { Entity } from 'typeorm';
import { Id } from '../../database/columns.ts';

/** A deleted account, by a one-way digest of its id. Imports of older archives use it to omit the account. */
@Entity('deleted_accounts')
export class DeletedAccount {
  @Id('deleted_accounts') id!: string;
}
