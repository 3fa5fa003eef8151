import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { deleteReturning, insertOrIgnore } from '../../database/returning.ts';
import { IdentityAttempt, LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';

export type NewIdentity = Pick<
  LinkedIdentity,
  'userId' | 'provider' | 'issuer' | 'subject' | 'email' | 'lastLoginAt'
>;

/**
 * Stores the identities of accounts at external identity providers, and the sign-in attempts with
 * such identities.
 */
export class LinkedIdentityRepository {
  list(db: Database, userId: string): Promise<LinkedIdentity[]> {
    return db.repository(LinkedIdentity).find({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(db: Database, issuer: string, subject: string): Promise<LinkedIdentity | null> {
    return db.repository(LinkedIdentity).findOneBy({ issuer, subject });
  }

  /**
   * Links an external identity to an account. Returns null if the identity is linked already, or if the
   * account has another identity of the same provider.
   */
  insert(db: Database, identity: NewIdentity): Promise<LinkedIdentity | null> {
    return insertOrIgnore(db.repository(LinkedIdentity), { ...identity, id: newId() });
  }

  async updateLogin(
    db: Database,
    id: string,
    { email, at }: { email: string | null; at: Date },
  ): Promise<void> {
    await db.repository(LinkedIdentity).update(id, { email, lastLoginAt: at });
  }

  /**
   * Locks an account against concurrent changes of its sign-in methods. Returns whether it has a password.
   */
  async lockAccount(db: Database, userId: string): Promise<boolean> {
    const account = await db.repository(User).findOne({
      where: { id: userId },
      select: { id: true, passwordHash: true },
      lock: { mode: 'pessimistic_write' },
    });
    return account !== null && account.passwordHash !== null;
  }

  async delete(db: Database, id: string): Promise<void> {
    await db.repository(LinkedIdentity).delete(id);
  }

  async insertAttempt(db: Database, attempt: IdentityAttempt): Promise<void> {
    await db.repository(IdentityAttempt).insert(attempt);
  }

  /**
   * Deletes an attempt to sign in with an external identity and returns it, so that it can be used once. Null
   * if the attempt does not exist.
   */
  async deleteAttempt(db: Database, verifierDigest: string): Promise<IdentityAttempt | null> {
    const [attempt] = await deleteReturning(db.repository(IdentityAttempt), { verifierDigest });
    return attempt ?? null;
  }
}
