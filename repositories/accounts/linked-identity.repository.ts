import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { IdentityAttempt, LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';

const IDENTITY = `id, user_id AS "userId", provider, issuer, subject, email, last_login_at AS "lastLoginAt",
  created_at AS "createdAt"`;

export type NewIdentity = Pick<
  LinkedIdentity,
  'userId' | 'provider' | 'issuer' | 'subject' | 'email' | 'lastLoginAt'
>;

/** Who people are at identity providers, and who is on the way there. */
export class LinkedIdentityRepository {
  list(db: Database, userId: string): Promise<LinkedIdentity[]> {
    return db.sql<LinkedIdentity>(
      `SELECT ${IDENTITY} FROM linked_identities WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
  }

  async find(db: Database, issuer: string, subject: string): Promise<LinkedIdentity | null> {
    const [identity] = await db.sql<LinkedIdentity>(
      `SELECT ${IDENTITY} FROM linked_identities WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    return identity ?? null;
  }

  /** Null where the identity is linked already, or the account is to another one of this provider. */
  async insert(db: Database, identity: NewIdentity): Promise<LinkedIdentity | null> {
    const { userId, provider, issuer, subject, email, lastLoginAt } = identity;
    const [inserted] = await db.sql<LinkedIdentity>(
      `INSERT INTO linked_identities (id, user_id, provider, issuer, subject, email, last_login_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING ${IDENTITY}`,
      [newId(), userId, provider, issuer, subject, email, lastLoginAt],
    );
    return inserted ?? null;
  }

  async noteLogin(
    db: Database,
    id: string,
    { email, at }: { email: string | null; at: Date },
  ): Promise<void> {
    await db.sql('UPDATE linked_identities SET email = $2, last_login_at = $3 WHERE id = $1', [
      id,
      email,
      at,
    ]);
  }

  /** Whether there is a password; nobody else decides about the ways into the account until the commit. */
  async holdAccount(db: Database, userId: string): Promise<boolean> {
    const [account] = await db.sql<{ hasPassword: boolean }>(
      'SELECT password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR UPDATE',
      [userId],
    );
    return account?.hasPassword ?? false;
  }

  async remove(db: Database, id: string): Promise<void> {
    await db.sql('DELETE FROM linked_identities WHERE id = $1', [id]);
  }

  async keepAttempt(db: Database, attempt: IdentityAttempt): Promise<void> {
    await db.sql(
      'INSERT INTO identity_attempts (verifier_digest, state_digest, provider, expires_at) VALUES ($1, $2, $3, $4)',
      [attempt.verifierDigest, attempt.stateDigest, attempt.provider, attempt.expiresAt],
    );
  }

  /** Once: the attempt is over then, however it ends. */
  async takeAttempt(db: Database, verifierDigest: string): Promise<IdentityAttempt | null> {
    const [attempt] = await db.sql<IdentityAttempt>(
      `DELETE FROM identity_attempts WHERE verifier_digest = $1
       RETURNING verifier_digest AS "verifierDigest", state_digest AS "stateDigest", provider, expires_at AS "expiresAt"`,
      [verifierDigest],
    );
    return attempt ?? null;
  }
}
