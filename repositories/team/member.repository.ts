import { notFound, ofAnotherWorkspace } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** A membership with the person's account. */
export interface Member {
  membershipId: string;
  userId: string;
  email: string;
  fullName: string;
  avatarUrl: string | null;
  isVerified: boolean;
  role: OrgRole;
  isDefault: boolean;
  joinedAt: Date;
  lastSignInAt: Date | null;
}

type NewMember = Pick<Membership, 'userId' | 'role'> & Partial<Pick<Membership, 'isDefault' | 'isMaker'>>;

const MEMBERS = `
  SELECT m.id AS "membershipId", u.id AS "userId", u.email, u.full_name AS "fullName", u.avatar_url AS "avatarUrl",
         u.email_verified_at IS NOT NULL AS "isVerified", m.role, m.is_default AS "isDefault",
         m.created_at AS "joinedAt", u.last_sign_in_at AS "lastSignInAt"
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.org_id = $1`;

/** Whoever changes roles locks the workspace for itself, and from the top on those above it for anybody who only reads them. */
const HOLD_ABOVE = `
  SELECT FROM orgs WHERE id IN (
    WITH RECURSIVE above AS (
      SELECT parent_org_id AS id FROM orgs WHERE id = $1
      UNION ALL
      SELECT o.parent_org_id FROM above a JOIN orgs o ON o.id = a.id
    )
    SELECT id FROM above
  ) ORDER BY id FOR SHARE`;

/** The people of a workspace. */
export class MemberRepository extends ScopedRepository<Membership> {
  constructor() {
    super(Membership, 'member');
  }

  /** In the order in which they have joined. */
  list({ db, orgId }: OrgScope): Promise<Member[]> {
    return db.sql(`${MEMBERS} ORDER BY m.created_at, m.id`, [orgId]);
  }

  /** @throws AppError `forbidden` for a membership of another workspace, `not_found` for none */
  async getMember(scope: OrgScope, membershipId: string): Promise<Member> {
    const [member] = await scope.db.sql<Member>(`${MEMBERS} AND m.id = $2`, [scope.orgId, membershipId]);
    return member ?? this.refuse(scope, membershipId);
  }

  /**
   * Those of the names, in lower case, that members have who may answer visitors.
   * @param names ids of users, or e-mail addresses
   */
  async whoMayAnswer({ db, orgId }: OrgScope, names: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await db.sql<{ name: string }>(
      `SELECT DISTINCT name FROM memberships m JOIN users u ON u.id = m.user_id,
         LATERAL (VALUES (u.id::text), (lower(u.email))) AS called (name)
       WHERE m.org_id = $1 AND m.role <> 'viewer' AND name = ANY($2)`,
      [orgId, names.map((name) => name.toLowerCase())],
    );
    return new Set(rows.map(({ name }) => name));
  }

  /** @param email in lower case */
  async hasEmail({ db, orgId }: OrgScope, email: string): Promise<boolean> {
    const members = await db.sql(
      `SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`,
      [orgId, email],
    );
    return members.length > 0;
  }

  /** Returns false for somebody who is a member already. */
  async add(
    { db, orgId }: OrgScope,
    { userId, role, isDefault = false, isMaker = false }: NewMember,
  ): Promise<boolean> {
    const rows = await db.sql(
      `INSERT INTO memberships (id, org_id, user_id, role, is_default, is_maker) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (org_id, user_id) DO NOTHING RETURNING id`,
      [newId(), orgId, userId, role, isDefault, isMaker],
    );
    return rows.length > 0;
  }

  /** Whoever asks for the membership of somebody in the workspace. */
  async findOf(
    { db, orgId }: OrgScope,
    userId: string,
  ): Promise<Pick<Member, 'membershipId' | 'role'> | null> {
    const [member] = await db.sql<Pick<Member, 'membershipId' | 'role'>>(
      `SELECT id AS "membershipId", role FROM memberships WHERE org_id = $1 AND user_id = $2 FOR UPDATE`,
      [orgId, userId],
    );
    return member ?? null;
  }

  /**
   * The role that somebody has in the workspace, be it by one above it. It stays so until the transaction ends: whoever else
   * changes roles here or above waits.
   */
  async holdRoleOf({ db, orgId }: OrgScope, userId: string): Promise<OrgRole | null> {
    await db.sql(HOLD_ABOVE, [orgId]);
    await db.sql('SELECT FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
    return this.#effectiveRole({ db, orgId }, userId);
  }

  /**
   * The role that somebody has in the workspace, be it by one above it; their own membership stays as it is until the
   * transaction ends. Comes before locks of conversations, which those who lose their role give back.
   */
  async hold({ db, orgId }: OrgScope, userId: string): Promise<OrgRole | null> {
    await db.sql('SELECT FROM memberships WHERE org_id = $1 AND user_id = $2 FOR SHARE', [orgId, userId]);
    return this.#effectiveRole({ db, orgId }, userId);
  }

  async #effectiveRole({ db, orgId }: OrgScope, userId: string): Promise<OrgRole | null> {
    const [found] = await db.sql<{ role: OrgRole | null }>('SELECT effective_role($1, $2) AS role', [
      userId,
      orgId,
    ]);
    return found?.role ?? null;
  }

  /** Whoever was signed in to work in the workspace is not any more. */
  async endSessions({ db, orgId }: OrgScope, userId: string): Promise<void> {
    await db.sql('DELETE FROM sessions WHERE user_id = $1 AND org_id = $2', [userId, orgId]);
  }

  /** Takes somebody out of the workspaces that they made below such as they could make none below any more. */
  async leaveMade(db: Database, userId: string): Promise<void> {
    // Each level may have been what the next one stood on.
    for (let left = 1; left > 0;) {
      const rows = await db.sql(
        `DELETE FROM memberships m USING orgs o
         WHERE m.user_id = $1 AND m.is_maker AND o.id = m.org_id AND o.parent_org_id IS NOT NULL
           AND coalesce(effective_role(m.user_id, o.parent_org_id), 'viewer') NOT IN ('owner', 'admin')
         RETURNING m.id`,
        [userId],
      );
      left = rows.length;
    }
  }

  /** Sessions in workspaces where the person has no role. */
  async endUselessSessions(db: Database, userId: string): Promise<void> {
    await db.sql(
      `DELETE FROM sessions WHERE user_id = $1 AND org_id IS NOT NULL AND effective_role(user_id, org_id) IS NULL`,
      [userId],
    );
  }

  /** Keys of whoever has no role where they are for: they stay useless, should the person come back. */
  async revokeUselessKeys(db: Database, userId: string): Promise<void> {
    await db.sql(
      `UPDATE api_keys SET revoked_at = now()
       WHERE created_by_id = $1 AND revoked_at IS NULL AND effective_role(created_by_id, org_id) IS NULL`,
      [userId],
    );
  }

  /** What the accounts are called, by id; those that are gone have no entry. */
  async namesOf(db: Database, userIds: string[]): Promise<Map<string, string>> {
    if (userIds.length === 0) return new Map();
    const rows = await db.sql<{ id: string; name: string }>(
      'SELECT id, full_name AS name FROM users WHERE id = ANY($1)',
      [userIds],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** @throws AppError `forbidden` for somebody of another workspace, `not_found` for nobody */
  async refusePerson({ db }: OrgScope, userId: string): Promise<never> {
    const users = await db.sql('SELECT FROM users WHERE id = $1', [userId]);
    throw users.length === 0 ? notFound('member') : ofAnotherWorkspace('person');
  }
}
