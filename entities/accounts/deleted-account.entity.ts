import { Entity } from 'typeorm';
import { Id } from '../../database/columns.ts';

/** An account that was deleted, by a digest of its id that tells nobody anything: archives that were made before name it no more. */
@Entity('deleted_accounts')
export class DeletedAccount {
  @Id('deleted_accounts') id!: string;
}
