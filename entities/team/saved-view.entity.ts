import { Entity, Index } from 'typeorm';
import { CreatedAt, Flag, Id, Integer, Json, Reference, Text, UpdatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Org } from './org.entity.ts';

/** Pages of the console whose filters members save. */
export const viewPages = ['conversations', 'contacts', 'deliveries', 'bookings', 'audit'] as const;
export type ViewPage = (typeof viewPages)[number];

/** Filters of a page of the console that a member has saved under a name. */
@Entity('saved_views')
@Index('ix_saved_views_org_id', ['orgId'])
@Index('ix_saved_views_created_by_id', ['createdById', 'orgId'])
export class SavedView {
  @Id('saved_views') id!: string;
  @Reference('saved_views', 'org_id', () => Org) orgId!: string;
  @Reference('saved_views', 'created_by_id', () => User) createdById!: string;
  @Text('page') page!: ViewPage;
  @Text('name') name!: string;
  /** Parameters of the page's URL, which contain the saved filters. */
  @Json('query') query!: Record<string, string>;
  /** Position of the saved view in the list. Views with the same position are ordered by creation time. */
  @Integer('position') position!: number;
  /** Whether all members of the workspace see the saved view. */
  @Flag('is_shared') isShared!: boolean;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
