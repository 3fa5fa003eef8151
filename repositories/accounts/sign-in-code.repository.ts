import { LessThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isInFuture } from '../../database/times.ts';
import { SignInCode } from '../../entities/accounts/account-link.entity.ts';

/** The latest mailed sign-in code of each address. */
export class SignInCodeRepository {
  /** Replaces the address's code. */
  async upsert(db: Database, email: string, digest: string, lifetimeSeconds: number): Promise<void> {
    const code = { email, digest, tries: 0, expiresAt: fromNow(lifetimeSeconds, 'secs') };
    await db.repository(SignInCode).upsert(code, ['email']);
  }

  /** True if this is the latest code of the address and has not expired. */
  exists(db: Database, email: string, digest: string): Promise<boolean> {
    return db.repository(SignInCode).existsBy({ email, digest, expiresAt: isInFuture() });
  }

  /** Counts a guess against the address's code. Returns true if the guess is right. */
  async spendTry(db: Database, email: string, digest: string, maxTries: number): Promise<boolean> {
    const good = { email, tries: LessThan(maxTries), expiresAt: isInFuture() };
    const [code] = await updateReturning(db.repository(SignInCode), good, { tries: () => 'tries + 1' });
    return code?.digest === digest;
  }

  /** @returns false if a concurrent request used the code */
  async delete(db: Database, email: string, digest: string): Promise<boolean> {
    const { affected } = await db.repository(SignInCode).delete({ email, digest });
    return affected === 1;
  }
}
