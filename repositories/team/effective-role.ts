import type { Database } from '../../database/database.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';

/** The role that somebody has in a workspace, be it by one above it; null for somebody who has none, or is not active. */
export async function findEffectiveRole(
  db: Database,
  userId: string,
  orgId: string,
): Promise<OrgRole | null> {
  const found = await db
    .repository(User)
    .createQueryBuilder('person')
    .select('effective_role(person.id, :orgId)', 'role')
    .where({ id: userId })
    .setParameters({ orgId })
    .getRawOne<{ role: OrgRole | null }>();
  return found?.role ?? null;
}
