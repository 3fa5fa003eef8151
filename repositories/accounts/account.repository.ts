import { IsNull, MoreThan } from 'typeorm';
import { newId } from '../../core/ids.ts';
import type { LinkPurpose } from '../../entities/accounts/account-link.entity.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { Org, type PlanTier } from '../../entities/team/org.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';

const ACCOUNT = `id, email, full_name AS "fullName", avatar_url AS "avatarUrl", password_hash AS "passwordHash",
  email_verified_at AS "emailVerifiedAt", mfa_activated_at AS "mfaActivatedAt", created_at AS "createdAt"`;

const BY_EMAIL: PreparedStatement = {
  name: 'account-by-email',
  text: `SELECT ${ACCOUNT} FROM users WHERE email = $1 AND is_active`,
};

/** An active account. */
export type Account = Pick<
  User,
  | 'id'
  | 'email'
  | 'fullName'
  | 'avatarUrl'
  | 'passwordHash'
  | 'emailVerifiedAt'
  | 'mfaActivatedAt'
  | 'createdAt'
>;

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

export type TakenRequest = Pick<AccountRequest, 'kind' | 'email' | 'until'>;

export interface AccountChanges {
  fullName?: string;
  avatarUrl?: string | null;
}

/** People's accounts, and what was mailed to get into them. */
export class AccountRepository {
  async byEmail(db: Database, email: string): Promise<Account | null> {
    const [account] = await db.prepared<Account>(BY_EMAIL, [email]);
    return account ?? null;
  }

  async byId(db: Database, userId: string): Promise<Account | null> {
    const [account] = await db.sql<Account>(`SELECT ${ACCOUNT} FROM users WHERE id = $1 AND is_active`, [
      userId,
    ]);
    return account ?? null;
  }

  /** The same, which stays as it is until the transaction ends. */
  async hold(db: Database, userId: string): Promise<Account | null> {
    const [account] = await db.sql<Account>(
      `SELECT ${ACCOUNT} FROM users WHERE id = $1 AND is_active FOR NO KEY UPDATE`,
      [userId],
    );
    return account ?? null;
  }

  /** The new account's id, or null where the address is taken. */
  async create(
    db: Database,
    account: Pick<User, 'email' | 'fullName' | 'passwordHash'>,
  ): Promise<string | null> {
    const [created] = await db.sql<{ id: string }>(
      `INSERT INTO users (id, email, full_name, password_hash) VALUES ($1, $2, $3, $4)
       ON CONFLICT (email) DO NOTHING RETURNING id`,
      [newId(), account.email, account.fullName, account.passwordHash],
    );
    return created?.id ?? null;
  }

  async change(db: Database, userId: string, changes: AccountChanges): Promise<void> {
    await db.repository(User).update(userId, { ...changes, updatedAt: () => 'now()' });
  }

  /** Links to set another one are good no more. */
  async setPassword(db: Database, userId: string, passwordHash: string | null): Promise<void> {
    await db.repository(User).update(userId, { passwordHash, updatedAt: () => 'now()' });
    await db.sql(`DELETE FROM account_links WHERE user_id = $1 AND purpose = 'reset_password'`, [userId]);
  }

  /** Returns whether it was not verified before. */
  async verify(db: Database, userId: string): Promise<boolean> {
    const rows = await db.sql(
      `UPDATE users SET email_verified_at = now(), updated_at = now()
       WHERE id = $1 AND email_verified_at IS NULL RETURNING 1`,
      [userId],
    );
    return rows.length > 0;
  }

  /** Ends what else somebody may have made to get in with, before the address was shown to be the person's. */
  async dropOtherWaysIn(db: Database, userId: string): Promise<void> {
    await db.sql('DELETE FROM linked_identities WHERE user_id = $1', [userId]);
    await db.sql('UPDATE api_keys SET revoked_at = now() WHERE created_by_id = $1 AND revoked_at IS NULL', [
      userId,
    ]);
  }

  async otherAccess(db: Database, userId: string): Promise<OtherAccess> {
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
  async dropEarlyIdentities(db: Database, userId: string): Promise<void> {
    await db.sql(
      `DELETE FROM linked_identities l USING users u
       WHERE u.id = $1 AND l.user_id = u.id AND l.created_at < u.email_verified_at`,
      [userId],
    );
  }

  /** The workspace as the person sees it. */
  async workspaceOf(db: Database, userId: string, orgId: string): Promise<Workspace | null> {
    const [workspace] = await db.sql<Omit<Workspace, 'role'> & { role: OrgRole | null }>(
      `SELECT id, name, slug, plan_tier AS "planTier", effective_role($1, id) AS role FROM orgs WHERE id = $2`,
      [userId, orgId],
    );
    return workspace?.role ? { ...workspace, role: workspace.role } : null;
  }

  async hasWorkspace(db: Database, orgId: string): Promise<boolean> {
    return db.repository(Org).existsBy({ id: orgId });
  }

  async workspaceName(db: Database, orgId: string): Promise<string | null> {
    const org = await db.repository(Org).findOne({ where: { id: orgId }, select: { name: true } });
    return org?.name ?? null;
  }

  /** Returns false for somebody who is not a member there. */
  async setDefault(db: Database, userId: string, orgId: string): Promise<boolean> {
    const rows = await db.sql<{ orgId: string }>(
      `UPDATE memberships SET is_default = (org_id = $2)
       WHERE user_id = $1 AND EXISTS (SELECT FROM memberships WHERE user_id = $1 AND org_id = $2)
       RETURNING org_id AS "orgId"`,
      [userId, orgId],
    );
    return rows.length > 0;
  }

  /** Names of the topmost workspaces that have nobody else as an owner; those that the person owns stay as they are until the commit. */
  async soleOwnerOf(db: Database, userId: string): Promise<string[]> {
    const owned = await db.sql<{ id: string; name: string }>(
      `SELECT o.id, o.name FROM orgs o JOIN memberships m ON m.org_id = o.id
       WHERE m.user_id = $1 AND m.role = 'owner' AND o.parent_org_id IS NULL ORDER BY o.id FOR UPDATE OF o`,
      [userId],
    );
    const shared = await db.sql<{ id: string }>(
      `SELECT DISTINCT m.org_id AS id FROM memberships m JOIN users u ON u.id = m.user_id AND u.is_active
       WHERE m.org_id = ANY($1) AND m.role = 'owner' AND m.user_id <> $2`,
      [owned.map(({ id }) => id), userId],
    );
    const isShared = new Set(shared.map(({ id }) => id));
    return owned.filter(({ id }) => !isShared.has(id)).map(({ name }) => name);
  }

  /** Nobody signs in to it, and it belongs to no workspace any more. */
  async deactivate(db: Database, userId: string): Promise<void> {
    await db.sql('UPDATE users SET is_active = false, updated_at = now() WHERE id = $1', [userId]);
    await db.sql('DELETE FROM memberships WHERE user_id = $1', [userId]);
  }

  /** With all that refers to it, or is kept for its address; messages stay as they were written, but do not say by whom. */
  async remove(db: Database, userId: string): Promise<void> {
    await db.sql(
      `WITH gone AS (DELETE FROM users WHERE id = $1 AND NOT is_active RETURNING id, email),
            codes AS (DELETE FROM sign_in_codes WHERE email IN (SELECT email FROM gone)),
            unsigned AS (UPDATE messages SET author_id = NULL, author_name = NULL
                         WHERE author_id IN (SELECT id FROM gone))
       DELETE FROM idempotency_keys WHERE principal LIKE 'user:%:' || (SELECT id FROM gone)`,
      [userId],
    );
  }

  async keepLink(
    db: Database,
    link: { digest: string; userId: string; purpose: LinkPurpose; lifetimeSeconds: number },
  ): Promise<void> {
    await db.sql(
      `INSERT INTO account_links (digest, user_id, purpose, expires_at)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [link.digest, link.userId, link.purpose, link.lifetimeSeconds],
    );
  }

  /** Whose link it is, while it is good. */
  async holderOfLink(db: Database, digest: string, purpose: LinkPurpose): Promise<Account | null> {
    const [account] = await db.sql<Account>(
      `SELECT ${ACCOUNT} FROM users WHERE is_active AND id = (
         SELECT user_id FROM account_links WHERE digest = $1 AND purpose = $2 AND expires_at > now())`,
      [digest, purpose],
    );
    return account ?? null;
  }

  /** Uses the link, and with it all others for the same purpose; returns false where it is not good any more. */
  async useLink(db: Database, digest: string, purpose: LinkPurpose): Promise<boolean> {
    const rows = await db.sql<{ userId: string }>(
      `DELETE FROM account_links WHERE digest = $1 AND purpose = $2 AND expires_at > now()
       RETURNING user_id AS "userId"`,
      [digest, purpose],
    );
    const [used] = rows;
    if (!used) return false;
    await db.sql('DELETE FROM account_links WHERE user_id = $1 AND purpose = $2', [used.userId, purpose]);
    return true;
  }

  /** Replaces the code that the address had. */
  async keepCode(db: Database, email: string, digest: string, lifetimeSeconds: number): Promise<void> {
    await db.sql(
      `INSERT INTO sign_in_codes (email, digest, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))
       ON CONFLICT (email) DO UPDATE SET digest = excluded.digest, tries = 0, expires_at = excluded.expires_at`,
      [email, digest, lifetimeSeconds],
    );
  }

  /** Whether this is the code that the address was sent last. */
  async hasCode(db: Database, email: string, digest: string): Promise<boolean> {
    const rows = await db.sql(
      'SELECT FROM sign_in_codes WHERE email = $1 AND digest = $2 AND expires_at > now()',
      [email, digest],
    );
    return rows.length > 0;
  }

  /** Spends one of the tries of the address's code; returns whether this is it. */
  async tryCode(db: Database, email: string, digest: string, maxTries: number): Promise<boolean> {
    const [code] = await db.sql<{ digest: string }>(
      `UPDATE sign_in_codes SET tries = tries + 1 WHERE email = $1 AND tries < $2 AND expires_at > now()
       RETURNING digest`,
      [email, maxTries],
    );
    return code?.digest === digest;
  }

  /** Returns false where somebody else has just used the code. */
  async useCode(db: Database, email: string, digest: string): Promise<boolean> {
    const rows = await db.sql('DELETE FROM sign_in_codes WHERE email = $1 AND digest = $2 RETURNING 1', [
      email,
      digest,
    ]);
    return rows.length > 0;
  }

  async keepRequest(
    db: Database,
    { id, kind, email, until }: Omit<AccountRequest, 'createdAt'>,
  ): Promise<void> {
    await db.repository(AccountRequest).insert({ id, kind, email, until });
  }

  /** Null for a request that has been answered. */
  async takeRequest(db: Database, id: string): Promise<TakenRequest | null> {
    const [request] = await db.sql<TakenRequest>(
      'DELETE FROM account_requests WHERE id = $1 RETURNING kind, email, until',
      [id],
    );
    return request ?? null;
  }
}
