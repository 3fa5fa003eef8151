import { Column, Entity, Index } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import { CreatedAt, Flag, Id, Json, Reference, Text, Timestamp, UpdatedAt } from '../../database/columns.ts';

/**
 * Maximum depth of a hierarchy of workspaces, enforced by a database trigger. A workspace without a parent is
 * at level 1.
 */
export const HIERARCHY_LEVELS = 5;

/** Settings of a workspace, with the API's field names. Other keys that callers send are stored unchanged. */
export interface OrgSettings {
  /** Default language of a workspace's new bots. */
  default_language?: string;
  /** Time zone of a workspace for emails and transcripts. */
  time_zone?: string;
}

@Entity('orgs')
@Index('uq_orgs_slug', ['slug'], { unique: true })
@Index('ix_orgs_parent_org_id', ['parentOrgId'])
@Index('ix_orgs_payer', ['payerId'])
export class Org {
  @Id('orgs') id!: string;
  @Text('name') name!: string;
  @Text('slug') slug!: string;
  /** Plan of the payer, which applies to the whole hierarchy. */
  @Text('plan_tier', { default: 'free' }) planTier!: PlanTier;
  /**
   * Workspace at the top of the hierarchy, which may be this workspace itself. All workspaces of the
   * hierarchy share the limits of its plan.
   */
  @Column({ name: 'payer_id', type: 'uuid' }) payerId!: string;
  @Reference('orgs', 'parent_org_id', () => Org, { nullable: true, onDelete: 'RESTRICT' }) parentOrgId!:
    | string
    | null;
  @Flag('is_active', true) isActive!: boolean;
  @Json('settings', { default: {} }) settings!: OrgSettings;
  /**
   * Time at which the workspace was deleted. A deleted workspace has no members, and the workflow `deleteOrg`
   * deletes its data.
   */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
