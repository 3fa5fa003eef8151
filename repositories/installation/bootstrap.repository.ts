import { IsNull } from 'typeorm';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { AccountLink, type LinkPurpose } from '../../entities/accounts/account-link.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { LOCK_BOOTSTRAP } from './bootstrap.sql.ts';

/**
 * Number of the advisory lock for creating the first workspace. The number is arbitrary, but no other lock
 * uses it.
 */
const LOCK_NUMBER = 0x7061726c;

/** The account and the workspace that the installation's first start has created. */
export interface FirstOwner {
  userId: string;
  orgId: string;
}

/**
 * Creates the first workspace of an installation, and finds its owner until a person has set up the
 * account.
 */
export class BootstrapRepository {
  /**
   * Serializes the creation of the first workspace until the transaction ends. `isDone` is true if a
   * workspace exists already.
   */
  async lock(db: Database): Promise<{ isDone: boolean }> {
    await db.run(LOCK_BOOTSTRAP, [LOCK_NUMBER]);
    return { isDone: await db.repository(Org).exists() };
  }

  /** Returns the id of the oldest account, which belongs to the first owner; null if no account exists. */
  async findFirstUserId(db: Database): Promise<string | null> {
    const [first] = await db
      .repository(User)
      .find({ select: { id: true }, order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
    return first?.id ?? null;
  }

  /**
   * Returns the first owner if the account is unused: it has no password, and has never started a session.
   * Locks the account until the transaction ends.
   */
  async findUnusedOwnerLocked(db: Database, userId: string): Promise<FirstOwner | null> {
    const unused = await db.repository(User).findOne({
      where: { id: userId, isActive: true, passwordHash: IsNull(), lastSignInAt: IsNull() },
      select: { id: true },
      lock: { mode: 'for_no_key_update' },
    });
    const membership =
      unused &&
      (await db
        .repository(Membership)
        .findOne({ where: { userId, role: 'owner' }, order: { createdAt: 'ASC' } }));
    return membership && { userId, orgId: membership.orgId };
  }

  /** Returns whether a valid link can set up the first owner's account, which is still unused. */
  hasValidLink(db: Database): Promise<boolean> {
    return db
      .repository(User)
      .createQueryBuilder('account')
      .innerJoin(AccountLink, 'link', 'link.userId = account.id AND link.expiresAt > now()')
      .where('account.isActive AND account.passwordHash IS NULL AND account.lastSignInAt IS NULL')
      .andWhere('link.purpose = :purpose', { purpose: 'first_run' satisfies LinkPurpose })
      .getExists();
  }

  async insertOwner(
    db: Database,
    { email, passwordHash }: Pick<User, 'email' | 'passwordHash'>,
  ): Promise<FirstOwner> {
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
