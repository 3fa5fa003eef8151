import { Column, Entity, Index } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import { CreatedAt, Flag, Id, Json, Reference, Text, Timestamp, UpdatedAt } from '../../database/columns.ts';

/** A workspace with nothing above it is on the first; a trigger keeps a sixth away. */
export const HIERARCHY_LEVELS = 5;

/** As the API names them; further keys are stored as sent. */
export interface OrgSettings {
  /** Of bots that are made without one. */
  default_language?: string;
  /** Of the times in mails and transcripts. */
  time_zone?: string;
}

/** A workspace. */
@Entity('orgs')
@Index('uq_orgs_slug', ['slug'], { unique: true })
@Index('ix_orgs_parent_org_id', ['parentOrgId'])
@Index('ix_orgs_payer', ['payerId'])
export class Org {
  @Id('orgs') id!: string;
  @Text('name') name!: string;
  @Text('slug') slug!: string;
  /** The payer's. */
  @Text('plan_tier', { default: 'free' }) planTier!: PlanTier;
  /** The workspace at the top of the hierarchy, be it this one: its plan is that of all below it, and they share its limits. */
  @Column({ name: 'payer_id', type: 'uuid' }) payerId!: string;
  @Reference('orgs', 'parent_org_id', () => Org, { nullable: true, onDelete: 'RESTRICT' }) parentOrgId!:
    string | null;
  @Flag('is_active', true) isActive!: boolean;
  @Json('settings', { default: {} }) settings!: OrgSettings;
  /** Nobody belongs to it any more, and the workflow `deleteOrg` is removing it. */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
