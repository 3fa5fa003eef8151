import type { Database, PreparedStatement } from '../../database/database.ts';
import type { Invitation } from '../../entities/team/invitation.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import {
  HIERARCHY_LEVELS,
  type Org,
  type OrgSettings,
  type PlanTier,
} from '../../entities/team/org.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** A workspace as one person sees it. */
export interface SeenOrg {
  id: string;
  name: string;
  slug: string;
  planTier: PlanTier;
  parentOrgId: string | null;
  role: OrgRole;
  isDefault: boolean;
  settings: OrgSettings;
}

/** A workspace in a hierarchy. */
export interface DescendantOrg {
  id: string;
  parentOrgId: string | null;
  name: string;
  slug: string;
  planTier: PlanTier;
  isActive: boolean;
  /** Steps from the workspace that has nothing above it. */
  depth: number;
}

export type NewOrg = Pick<Org, 'id' | 'name' | 'slug' | 'planTier' | 'parentOrgId'>;
/** Null removes a setting. */
export type OrgSettingsChanges = { [K in keyof OrgSettings]?: OrgSettings[K] | null };
/** What is undefined stays. */
export type OrgChanges = { [K in 'name' | 'isActive']: Org[K] | undefined } & {
  settings: OrgSettingsChanges | undefined;
};

const SEEN = `o.id, o.name, o.slug, o.plan_tier AS "planTier", o.parent_org_id AS "parentOrgId", o.settings,
  coalesce(m.is_default, false) AS "isDefault"`;

const SETTINGS: PreparedStatement = {
  name: 'org-settings',
  text: 'SELECT settings FROM orgs WHERE id = $1',
};

/**
 * A workspace and all below it, with these of their columns. It takes a whole level at a time: a search of the index for
 * each workspace takes seven times as long as one for all of a level.
 */
function withBelow(columns: string): string {
  const level = (number: number) => `level_${number} AS (
    SELECT ${columns}, (SELECT count(*)::integer FROM above) + ${number - 1} AS depth
    FROM orgs WHERE parent_org_id = ANY(ARRAY(SELECT id FROM level_${number - 1})))`;
  const levelsBelow = Array.from({ length: HIERARCHY_LEVELS - 1 }, (_, index) => index + 1);
  return `
    WITH RECURSIVE above AS (
      SELECT id, parent_org_id FROM orgs WHERE id = $1
      UNION ALL
      SELECT o.id, o.parent_org_id FROM above a JOIN orgs o ON o.id = a.parent_org_id
    ), level_0 AS (
      SELECT ${columns}, (SELECT count(*)::integer - 1 FROM above) AS depth FROM orgs WHERE id = $1 AND deleted_at IS NULL
    ), ${levelsBelow.map(level).join(', ')}, below AS (
      ${[0, ...levelsBelow].map((number) => `SELECT * FROM level_${number}`).join(' UNION ALL ')}
    )`;
}

/** A row's `xmin` is the transaction that wrote it last. */
const HIERARCHY_MARK: PreparedStatement = {
  name: 'hierarchy-mark',
  text: `${withBelow('id, xmin')}
    SELECT format('%s.%s.%s', count(*), min(depth), bit_xor(hash_record_extended((id, xmin), 0))) AS mark FROM below`,
};

/** Ids are sorted by time. */
const HIERARCHY: PreparedStatement = {
  name: 'hierarchy',
  text: `${withBelow('id, parent_org_id, name, slug, plan_tier, is_active')}
    SELECT id, parent_org_id AS "parentOrgId", name, slug, plan_tier AS "planTier", is_active AS "isActive", depth
    FROM below ORDER BY depth, id`,
};

export class OrgRepository {
  /** Those that somebody belongs to, oldest first. @param topId only this one and those below it */
  seenBy(db: Database, userId: string, topId: string | null): Promise<SeenOrg[]> {
    return db.sql(
      `${withBelow('id')}
       SELECT ${SEEN}, m.role FROM memberships m
       JOIN orgs o ON o.id = m.org_id AND o.deleted_at IS NULL
       WHERE m.user_id = $2 AND ($1::uuid IS NULL OR o.id IN (SELECT id FROM below))
       ORDER BY m.created_at, m.id`,
      [topId, userId],
    );
  }

  /** With the role that somebody has in it, be it by a workspace above. */
  async find({ db, orgId }: OrgScope, userId: string): Promise<SeenOrg | null> {
    const [org] = await db.sql<SeenOrg>(
      `SELECT ${SEEN}, effective_role($2, o.id) AS role
       FROM orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = $2
       WHERE o.id = $1 AND o.deleted_at IS NULL`,
      [orgId, userId],
    );
    return org ?? null;
  }

  /** The workspace and all below it, parents before what is below them. */
  hierarchy({ db, orgId }: OrgScope): Promise<DescendantOrg[]> {
    return db.prepared(HIERARCHY, [orgId]);
  }

  /** Changes with whatever changes one of them, and takes a fifth of the time that reading them does. */
  async hierarchyMark({ db, orgId }: OrgScope): Promise<string> {
    const [row] = await db.prepared<{ mark: string }>(HIERARCHY_MARK, [orgId]);
    return row!.mark;
  }

  async settings({ db, orgId }: OrgScope): Promise<OrgSettings> {
    const [org] = await db.prepared<Pick<Org, 'settings'>>(SETTINGS, [orgId]);
    return org?.settings ?? {};
  }

  /** Keeps the workspace from being deleted until the transaction ends. */
  async holdOpen({ db, orgId }: OrgScope): Promise<Pick<Org, 'planTier'> | null> {
    const [org] = await db.sql<Pick<Org, 'planTier'>>(
      `SELECT plan_tier AS "planTier" FROM orgs WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`,
      [orgId],
    );
    return org ?? null;
  }

  /** Returns whether nobody else has the slug. */
  async insert(db: Database, { id, name, slug, planTier, parentOrgId }: NewOrg): Promise<boolean> {
    const rows = await db.sql(
      `INSERT INTO orgs (id, name, slug, plan_tier, parent_org_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (slug) DO NOTHING RETURNING id`,
      [id, name, slug, planTier, parentOrgId],
    );
    return rows.length > 0;
  }

  async update({ db, orgId }: OrgScope, { name, isActive, settings }: OrgChanges): Promise<void> {
    await db.sql(
      `UPDATE orgs SET name = coalesce($2, name), is_active = coalesce($3, is_active),
         settings = jsonb_strip_nulls(settings || coalesce($4::jsonb, '{}')), updated_at = now() WHERE id = $1`,
      [orgId, name, isActive, settings],
    );
  }

  /** Waits for what is being made below it, and keeps others from doing so. */
  async lockToDelete({ db, orgId }: OrgScope): Promise<{ hasChildren: boolean }> {
    await db.sql('SELECT FROM orgs WHERE id = $1 FOR UPDATE', [orgId]);
    const children = await db.sql('SELECT FROM orgs WHERE parent_org_id = $1 LIMIT 1', [orgId]);
    return { hasChildren: children.length > 0 };
  }

  /**
   * Nobody has a role in it any more: nobody is a member, and nothing is above it. Returns the invitations that could
   * still be accepted.
   */
  async markDeleted({ db, orgId }: OrgScope): Promise<Pick<Invitation, 'id' | 'orgId' | 'role'>[]> {
    await db.sql(
      `UPDATE orgs SET deleted_at = now(), is_active = false, parent_org_id = NULL, updated_at = now() WHERE id = $1`,
      [orgId],
    );
    await db.sql('UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE org_id = $1', [orgId]);
    await db.sql('DELETE FROM memberships WHERE org_id = $1', [orgId]);
    return db.sql(
      `UPDATE invitations SET status = 'revoked' WHERE org_id = $1 AND status = 'pending'
       RETURNING id, org_id AS "orgId", role`,
      [orgId],
    );
  }
}
