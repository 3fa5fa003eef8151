import { In, IsNull, LessThan, Like, MoreThan, Not } from 'typeorm';
import { deriveId, newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { AccountLink, SignInCode } from '../../entities/accounts/account-link.entity.ts';
import { DeletedAccount } from '../../entities/accounts/deleted-account.entity.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { DeviceLogin } from '../../entities/team/device-login.entity.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import type { PlanTier } from '../../core/billing/plans.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { ACCOUNT_FIELDS, type Account } from './account.ts';
import { ACCOUNT_BY_EMAIL } from './account.sql.ts';

const ACCOUNT = Object.fromEntries(ACCOUNT_FIELDS.map((field) => [field, true]));

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  planTier: PlanTier;
  role: OrgRole;
}

/**
 * API keys and linked identities with which an account can be accessed, in addition to its password
 * and sessions.
 */
export interface OtherAccess {
  keys: number;
  providers: string[];
  hasFactor: boolean;
}

export interface AccountChanges {
  fullName?: string;
  /** New email address. Only the first owner can change it, before the account is used. */
  email?: string;
  avatarUrl?: string | null;
}

export class AccountRepository {
  async findByEmail(db: Database, email: string): Promise<Account | null> {
    const [account] = await db.run(ACCOUNT_BY_EMAIL, [email]);
    return account ?? null;
  }

  find(db: Database, userId: string): Promise<Account | null> {
    return db.repository(User).findOne({ where: { id: userId, isActive: true }, select: ACCOUNT });
  }

  /** Returns an account like `find`, and locks it against changes until the transaction ends. */
  findLocked(db: Database, userId: string): Promise<Account | null> {
    const lock = { mode: 'for_no_key_update' } as const;
    return db.repository(User).findOne({ where: { id: userId, isActive: true }, select: ACCOUNT, lock });
  }

  /** Creates an account. Returns its id, or null if another account has the email address. */
  async insert(
    db: Database,
    { email, fullName, passwordHash }: Pick<User, 'email' | 'fullName' | 'passwordHash'>,
  ): Promise<string | null> {
    const row = { id: newId(), email, fullName, passwordHash };
    const inserted = await insertOrIgnore(db.repository(User), row);
    return inserted?.id ?? null;
  }

  async update(db: Database, userId: string, changes: AccountChanges): Promise<void> {
    await db.repository(User).update(userId, { ...changes, updatedAt: () => 'now()' });
  }

  /** Returns whether another account, even one that is being deleted, has the email address. */
  isEmailTaken(db: Database, email: string, exceptId: string): Promise<boolean> {
    return db.repository(User).existsBy({ email, id: Not(exceptId) });
  }

  /** Sets the password of an account, and deletes emailed links for a new password. */
  async updatePassword(db: Database, userId: string, passwordHash: string | null): Promise<void> {
    await db.repository(User).update(userId, { passwordHash, updatedAt: () => 'now()' });
    await db.repository(AccountLink).delete({ userId, purpose: 'reset_password' });
  }

  /**
   * Marks the account's email address as verified.
   * @returns false if the address was already verified
   */
  async markVerified(db: Database, userId: string): Promise<boolean> {
    const { affected } = await db
      .repository(User)
      .update(
        { id: userId, emailVerifiedAt: IsNull() },
        { emailVerifiedAt: () => 'now()', updatedAt: () => 'now()' },
      );
    return affected === 1;
  }

  /**
   * Unlinks an account's identities, and revokes its API keys and device logins that may become keys. Another
   * person may have added them before the account's email address was verified.
   */
  async revokeOtherAccess(db: Database, userId: string): Promise<void> {
    await db.repository(LinkedIdentity).delete({ userId });
    // Wait for a device that is collecting its key. The update below then finds this key.
    await db.repository(DeviceLogin).delete({ userId });
    await db
      .repository(ApiKey)
      .update({ createdById: userId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  }

  async getOtherAccess(db: Database, userId: string): Promise<OtherAccess> {
    const keys = await db.repository(ApiKey).count({
      where: [
        { createdById: userId, revokedAt: IsNull(), expiresAt: IsNull() },
        { createdById: userId, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      ],
    });
    const linked = await db
      .repository(LinkedIdentity)
      .find({ where: { userId }, order: { createdAt: 'ASC' } });
    const { mfaActivatedAt } = await db.repository(User).findOneByOrFail({ id: userId });
    return { keys, providers: linked.map(({ provider }) => provider), hasFactor: mfaActivatedAt !== null };
  }

  /**
   * Unlinks an account's identities that were linked before its email address was verified, because another
   * person may have registered the account.
   */
  async deleteEarlyIdentities(db: Database, userId: string): Promise<void> {
    const { emailVerifiedAt } = await db.repository(User).findOneByOrFail({ id: userId });
    if (emailVerifiedAt === null) return;
    await db.repository(LinkedIdentity).delete({ userId, createdAt: LessThan(emailVerifiedAt) });
  }

  /** Returns a workspace with the person's role in it; null if the person has no role in it. */
  async findWorkspace(db: Database, userId: string, orgId: string): Promise<Workspace | null> {
    const workspace = await db
      .repository(Org)
      .createQueryBuilder('org')
      .select('org.id', 'id')
      .addSelect('org.name', 'name')
      .addSelect('org.slug', 'slug')
      .addSelect('org.planTier', 'planTier')
      .addSelect('effective_role(:userId, org.id)', 'role')
      .where('org.id = :orgId', { orgId, userId })
      .getRawOne<Omit<Workspace, 'role'> & { role: OrgRole | null }>();
    return workspace?.role ? { ...workspace, role: workspace.role } : null;
  }

  hasWorkspace(db: Database, orgId: string): Promise<boolean> {
    return db.repository(Org).existsBy({ id: orgId });
  }

  async findWorkspaceName(db: Database, orgId: string): Promise<string | null> {
    const org = await db.repository(Org).findOne({ where: { id: orgId }, select: { name: true } });
    return org?.name ?? null;
  }

  /**
   * Makes a workspace the person's default workspace.
   * @returns false if the person is not a member of the workspace
   */
  async updateDefault(db: Database, userId: string, orgId: string): Promise<boolean> {
    const memberships = db.repository(Membership);
    if (!(await memberships.existsBy({ userId, orgId }))) return false;
    // Update all memberships in a single statement, because transactions that update them one by one could
    // deadlock.
    await memberships
      .createQueryBuilder()
      .update()
      .set({ isDefault: () => '(orgId = :orgId)' })
      .where({ userId })
      .setParameters({ orgId })
      .execute();
    return true;
  }

  /**
   * Returns the names of top workspaces whose only active owner is this person. Locks all workspaces that the
   * person owns until the transaction ends.
   */
  async listSolelyOwnedLocked(db: Database, userId: string): Promise<string[]> {
    const owned = await db
      .repository(Org)
      .createQueryBuilder('org')
      .innerJoin(Membership, 'membership', 'membership.orgId = org.id')
      .where({ parentOrgId: IsNull() })
      .andWhere('membership.userId = :userId AND membership.role = :role', { userId, role: 'owner' })
      .orderBy('org.id')
      .setLock('pessimistic_write', undefined, ['org'])
      .getMany();
    const shared = await db
      .repository(Membership)
      .createQueryBuilder('membership')
      .innerJoin(User, 'owner', 'owner.id = membership.userId AND owner.isActive')
      .where({ orgId: In(owned.map(({ id }) => id)), role: 'owner', userId: Not(userId) })
      .getMany();
    const isShared = new Set(shared.map(({ orgId }) => orgId));
    return owned.filter(({ id }) => !isShared.has(id)).map(({ name }) => name);
  }

  /** Deactivates the account, which blocks sign-in, and removes it from all workspaces. */
  async deactivate(db: Database, userId: string): Promise<void> {
    await db.repository(User).update(userId, { isActive: false, updatedAt: () => 'now()' });
    await db.repository(Membership).delete({ userId });
  }

  /**
   * Deletes an inactive account, and all rows that refer to it or to its email address. The account's
   * messages stay without their author. Stores a digest of the id, so that an import of an archive does not
   * restore the author's name.
   */
  delete(database: Database, userId: string): Promise<void> {
    return database.transaction(async (db) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const account = await db.repository(User).findOne({ where: { id: userId, isActive: false }, lock });
      if (!account) return;
      await insertOrIgnore(db.repository(DeletedAccount), { id: digestAccountId(userId) });
      await db.repository(Message).update({ authorId: userId }, { authorId: null, authorName: null });
      await db.repository(SignInCode).delete({ email: account.email });
      await db.repository(IdempotencyKey).delete({ principal: Like(`user:%:${userId}`) });
      await db.repository(User).delete(userId);
    });
  }
}

/** Returns the digest that replaces the id of a deleted account. */
export function digestAccountId(userId: string): string {
  return deriveId(`deleted-account ${userId}`);
}
