import type { Database } from '../../database/database.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';

/**
 * Returns the account's role in a workspace, which may come from a workspace above. Null if the account has
 * no role or is inactive.
 */
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
