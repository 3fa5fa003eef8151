import { In, IsNull, LessThan, Like, MoreThan, Not } from 'typeorm';
import { idOfText, newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { AccountLink, SignInCode } from '../../entities/accounts/account-link.entity.ts';
import { DeletedAccount } from '../../entities/accounts/deleted-account.entity.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
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

/** What gives access to an account besides its password and its sessions, or is asked for beside them. */
export interface OtherAccess {
  keys: number;
  providers: string[];
  hasFactor: boolean;
}

export interface AccountChanges {
  fullName?: string;
  avatarUrl?: string | null;
}

/** People's accounts. */
export class AccountRepository {
  async findByEmail(db: Database, email: string): Promise<Account | null> {
    const [account] = await db.run(ACCOUNT_BY_EMAIL, [email]);
    return account ?? null;
  }

  find(db: Database, userId: string): Promise<Account | null> {
    return db.repository(User).findOne({ where: { id: userId, isActive: true }, select: ACCOUNT });
  }

  /** The same, which stays as it is until the transaction ends. */
  findLocked(db: Database, userId: string): Promise<Account | null> {
    const lock = { mode: 'for_no_key_update' } as const;
    return db.repository(User).findOne({ where: { id: userId, isActive: true }, select: ACCOUNT, lock });
  }

  /** Returns the new account's id, or null where the address is taken. */
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

  /** Links to set another one are good no more. */
  async updatePassword(db: Database, userId: string, passwordHash: string | null): Promise<void> {
    await db.repository(User).update(userId, { passwordHash, updatedAt: () => 'now()' });
    await db.repository(AccountLink).delete({ userId, purpose: 'reset_password' });
  }

  /** Returns whether it was not verified before. */
  async markVerified(db: Database, userId: string): Promise<boolean> {
    const { affected } = await db
      .repository(User)
      .update(
        { id: userId, emailVerifiedAt: IsNull() },
        { emailVerifiedAt: () => 'now()', updatedAt: () => 'now()' },
      );
    return affected === 1;
  }

  /** Ends what else somebody may have made to get in with, before the address was shown to be the person's. */
  async endOtherAccess(db: Database, userId: string): Promise<void> {
    await db.repository(LinkedIdentity).delete({ userId });
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

  /** Unlinks identities that were linked before the address was verified, perhaps by whoever had registered it. */
  async deleteEarlyIdentities(db: Database, userId: string): Promise<void> {
    const { emailVerifiedAt } = await db.repository(User).findOneByOrFail({ id: userId });
    if (emailVerifiedAt === null) return;
    await db.repository(LinkedIdentity).delete({ userId, createdAt: LessThan(emailVerifiedAt) });
  }

  /** The workspace as the person sees it. */
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

  /** Returns false for somebody who is not a member there. */
  async updateDefault(db: Database, userId: string, orgId: string): Promise<boolean> {
    const memberships = db.repository(Membership);
    if (!(await memberships.existsBy({ userId, orgId }))) return false;
    // All at once: two that change them one by one could wait for each other.
    await memberships
      .createQueryBuilder()
      .update()
      .set({ isDefault: () => '(orgId = :orgId)' })
      .where({ userId })
      .setParameters({ orgId })
      .execute();
    return true;
  }

  /** Names of the topmost workspaces that have nobody else as an owner; those that the person owns stay as they are until the commit. */
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

  /** Nobody signs in to it, and it belongs to no workspace any more. */
  async deactivate(db: Database, userId: string): Promise<void> {
    await db.repository(User).update(userId, { isActive: false, updatedAt: () => 'now()' });
    await db.repository(Membership).delete({ userId });
  }

  /**
   * With all that refers to it, or is kept for its address, unless it is active; messages stay as they were written, in
   * all workspaces, but do not say by whom, and archives do not bring the name back.
   */
  delete(database: Database, userId: string): Promise<void> {
    return database.transaction(async (db) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const account = await db.repository(User).findOne({ where: { id: userId, isActive: false }, lock });
      if (!account) return;
      await insertOrIgnore(db.repository(DeletedAccount), { id: digestOfAccount(userId) });
      await db.repository(Message).update({ authorId: userId }, { authorId: null, authorName: null });
      await db.repository(SignInCode).delete({ email: account.email });
      await db.repository(IdempotencyKey).delete({ principal: Like(`user:%:${userId}`) });
      await db.repository(User).delete(userId);
    });
  }
}

/** What a deleted account is remembered by. */
export function digestOfAccount(userId: string): string {
  return idOfText(`deleted-account ${userId}`);
}
