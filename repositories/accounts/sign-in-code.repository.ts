import { LessThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { updateReturning } from '../../database/returning.ts';
import { fromNow, isToCome } from '../../database/times.ts';
import { SignInCode } from '../../entities/accounts/account-link.entity.ts';

/** The code that was mailed last to each address. */
export class SignInCodeRepository {
  /** Replaces the code that the address had. */
  async upsert(db: Database, email: string, digest: string, lifetimeSeconds: number): Promise<void> {
    const code = { email, digest, tries: 0, expiresAt: fromNow(lifetimeSeconds, 'secs') };
    await db.repository(SignInCode).upsert(code, ['email']);
  }

  /** Whether this is the code that the address was sent last. */
  exists(db: Database, email: string, digest: string): Promise<boolean> {
    return db.repository(SignInCode).existsBy({ email, digest, expiresAt: isToCome() });
  }

  /** Spends one of the tries of the address's code; returns whether this is it. */
  async spendTry(db: Database, email: string, digest: string, maxTries: number): Promise<boolean> {
    const good = { email, tries: LessThan(maxTries), expiresAt: isToCome() };
    const [code] = await updateReturning(db.repository(SignInCode), good, { tries: () => 'tries + 1' });
    return code?.digest === digest;
  }

  /** Returns false where somebody else has just used the code. */
  async delete(db: Database, email: string, digest: string): Promise<boolean> {
    const { affected } = await db.repository(SignInCode).delete({ email, digest });
    return affected === 1;
  }
}
