import { Column, Entity, Index } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import { CreatedAt, Flag, Id, Json, Reference, Text, Timestamp, UpdatedAt } from '../../database/columns.ts';

/** Levels of a hierarchy. A workspace without a parent is on the first; a trigger refuses a sixth. */
export const HIERARCHY_LEVELS = 5;

/** Field names of the API. Further keys are stored as sent. */
export interface OrgSettings {
  /** Default language of new bots. */
  default_language?: string;
  /** Time zone of mails and transcripts. */
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
  /** Tier of the payer. */
  @Text('plan_tier', { default: 'free' }) planTier!: PlanTier;
  /**
   * The workspace at the top of the hierarchy, which may be this one. Its plan covers the whole hierarchy, which shares
   * its limits.
   */
  @Column({ name: 'payer_id', type: 'uuid' }) payerId!: string;
  @Reference('orgs', 'parent_org_id', () => Org, { nullable: true, onDelete: 'RESTRICT' }) parentOrgId!:
    string | null;
  @Flag('is_active', true) isActive!: boolean;
  @Json('settings', { default: {} }) settings!: OrgSettings;
  /** When it was deleted. It has no members any more, and the workflow `deleteOrg` is removing it. */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
