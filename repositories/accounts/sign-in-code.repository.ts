import { LessThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isInFuture } from '../../database/times.ts';
import { SignInCode } from '../../entities/accounts/account-link.entity.ts';

/** Stores the latest emailed sign-in code of each email address. */
export class SignInCodeRepository {
  /** Stores a new sign-in code for the email address, which replaces the previous code. */
  async upsert(db: Database, email: string, digest: string, lifetimeSeconds: number): Promise<void> {
    const code = { email, digest, tries: 0, expiresAt: fromNow(lifetimeSeconds, 'secs') };
    await db.repository(SignInCode).upsert(code, ['email']);
  }

  /** Returns whether this is the latest sign-in code of its email address, and has not expired. */
  exists(db: Database, digest: string): Promise<boolean> {
    return db.repository(SignInCode).existsBy({ digest, expiresAt: isInFuture() });
  }

  /**
   * Counts a guess of the email address's sign-in code, unless the maximum is reached. Returns whether the
   * guess was right.
   */
  async spendTry(db: Database, email: string, digest: string, maxTries: number): Promise<boolean> {
    const usable = { email, tries: LessThan(maxTries), expiresAt: isInFuture() };
    const [code] = await updateReturning(db.repository(SignInCode), usable, { tries: () => 'tries + 1' });
    return code?.digest === digest;
  }

  /**
   * Deletes a sign-in code that was guessed right.
   * @returns false if a concurrent request has used the code
   */
  async delete(db: Database, email: string, digest: string): Promise<boolean> {
    const { affected } = await db.repository(SignInCode).delete({ email, digest });
    return affected === 1;
  }
}
