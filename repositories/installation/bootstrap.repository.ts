import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { LOCK_BOOTSTRAP } from './bootstrap.sql.ts';

/** Number of an advisory lock. It is arbitrary, but no other lock uses it. */
const LOCK_NUMBER = 0x7061726c;

/** Prevents concurrent creation of the first workspace on a new installation. */
export class BootstrapRepository {
  /**
   * Serializes the creation of the first workspace until the transaction ends. `isDone` is true if a
   * workspace exists.
   */
  async lock(db: Database): Promise<{ isDone: boolean }> {
    await db.run(LOCK_BOOTSTRAP, [LOCK_NUMBER]);
    return { isDone: await db.repository(Org).exists() };
  }

  async insertOwner(
    db: Database,
    { email, passwordHash }: { email: string; passwordHash: string },
  ): Promise<{ orgId: string; userId: string }> {
    const [orgId, userId] = [newId(), newId()];
    await db.repository(Org).insert({
      id: orgId,
      payerId: orgId,
      name: 'My workspace',
      slug: 'my-workspace',
      planTier: 'enterprise',
    });
    await db
      .repository(User)
      .insert({ id: userId, email, fullName: 'Owner', passwordHash, emailVerifiedAt: () => 'now()' });
    await db.repository(Membership).insert({ id: newId(), orgId, userId, role: 'owner', isDefault: true });
    return { orgId, userId };
  }
}
