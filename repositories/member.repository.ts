import { notFound, ofAnotherWorkspace } from '../core/errors.ts';
import type { Database } from '../entities/database.ts';
import type { OrgRole } from '../entities/membership.entity.ts';
import type { OrgScope } from './org-scope.ts';

/** The people of a workspace. */
export class MemberRepository {
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
  async roleOf({ db, orgId }: OrgScope, userId: string): Promise<OrgRole> {
    const [user] = await db.sql<{ role: OrgRole | null }>(
      `SELECT m.role FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.org_id = $2 WHERE u.id = $1`,
      [userId, orgId],
    );
    if (!user) throw notFound('member');
    if (user.role === null) throw ofAnotherWorkspace('person');
    return user.role;
  }
}
