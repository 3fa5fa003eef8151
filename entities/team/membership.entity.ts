import { Entity, Index } from 'typeorm';
import { CreatedAt, Flag, Id, Reference, Text } from '../../database/columns.ts';
import { Org } from './org.entity.ts';
import { User } from '../accounts/user.entity.ts';

/** Roles of members in a workspace, from the most to the least rights. */
export const orgRoles = ['owner', 'admin', 'member', 'viewer'] as const;
export type OrgRole = (typeof orgRoles)[number];

@Entity('memberships')
@Index('uq_memberships_org_user', ['orgId', 'userId'], { unique: true })
@Index('ix_memberships_user_id', ['userId'])
export class Membership {
  @Id('memberships') id!: string;
  @Reference('memberships', 'org_id', () => Org) orgId!: string;
  @Reference('memberships', 'user_id', () => User) userId!: string;
  @Text('role') role!: OrgRole;
  @Flag('is_default') isDefault!: boolean;
  /**
   * Whether the member created this workspace below another workspace. The membership then lasts only as long
   * as the member's role in the parent allows it. The flag is reset when another member grants the member a
   * role in this workspace.
   */
  @Flag('is_maker', false) isMaker!: boolean;
  @CreatedAt() createdAt!: Date;
}
