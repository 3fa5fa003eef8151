import { Entity, Index } from 'typeorm';
import { CreatedAt, Flag, Id, Reference, Text } from '../../database/columns.ts';
import { Org } from './org.entity.ts';
import { User } from '../accounts/user.entity.ts';

/** Roles from most to least rights. */
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
   * The member created the workspace below another one, and belongs to it only while the role above allows that. False
   * once another member grants a role.
   */
  @Flag('is_maker', false) isMaker!: boolean;
  @CreatedAt() createdAt!: Date;
}
