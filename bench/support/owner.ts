import { scopes } from '../../api/http/access/scopes.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { createApiKey } from '../../services/installation/bootstrap.ts';

/** Creates a workspace with an owner; returns the owner's API key. */
export function createOwnerKey(db: Database, orgId: string): Promise<string> {
  const userId = newId();
  return db.transaction(async (tx) => {
    await tx
      .repository(Org)
      .insert({ id: orgId, payerId: orgId, name: 'Bench', slug: orgId, planTier: 'enterprise' });
    await tx.repository(User).insert({ id: userId, email: `${userId}@example.com`, fullName: 'Bench' });
    await tx.repository(Membership).insert({ id: newId(), orgId, userId, role: 'owner' });
    return createApiKey(tx, { orgId, createdById: userId, name: 'Bench', scopes });
  });
}
