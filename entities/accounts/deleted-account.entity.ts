import { Entity } from 'typeorm';
import { Id } from '../../database/columns.ts';

/**
 * A deleted account, whose `id` is a one-way digest of the account's id. Imports of older archives skip
 * the account's name and id.
 */
@Entity('deleted_accounts')
export class DeletedAccount {
  @Id('deleted_accounts') id!: string;
}
