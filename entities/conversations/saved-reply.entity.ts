import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference, Text, UpdatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Org } from '../team/org.entity.ts';

/** A text of the workspace that agents insert into their replies. */
@Entity('saved_replies')
@Index('uq_saved_replies_name', ['orgId', 'nameKey'], { unique: true })
@Index('ix_saved_replies_created', ['orgId', 'createdAt', 'id'])
@Index('ix_saved_replies_created_by_id', ['createdById'])
export class SavedReply {
  @Id('saved_replies') id!: string;
  @Reference('saved_replies', 'org_id', () => Org) orgId!: string;
  @Text('name') name!: string;
  /** Name of the saved reply in lower case, by which names are compared. */
  @Text('name_key') nameKey!: string;
  @Text('text') text!: string;
  /** Member who created the saved reply; null once the account is deleted. */
  @Reference('saved_replies', 'created_by_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  createdById!: string | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
