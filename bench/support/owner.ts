import { scopes } from '../../api/http/scopes.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../entities/database.ts';
import { Membership } from '../../entities/membership.entity.ts';
import { Org } from '../../entities/org.entity.ts';
import { User } from '../../entities/user.entity.ts';
import { createApiKey } from '../../services/bootstrap.service.ts';

/** The key of a workspace that is made with it. */
export function createOwner(db: Database, orgId: string): Promise<string> {
  const userId = newId();
  return db.transaction(async (tx) => {
    await tx.repository(Org).insert({ id: orgId, name: 'Bench', slug: orgId, planTier: 'enterprise' });
    await tx.repository(User).insert({ id: userId, email: `${userId}@example.com`, fullName: 'Bench' });
    await tx.repository(Membership).insert({ id: newId(), orgId, userId, role: 'owner' });
    return createApiKey(tx, { orgId, createdById: userId, name: 'Bench', scopes });
  });
}
