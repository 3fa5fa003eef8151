import type { Database } from '../../database/database.ts';
import type { User } from '../../entities/accounts/user.entity.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { SecondFactorRepository } from '../../repositories/accounts/second-factor.repository.ts';
import type { SessionService } from './session-service.ts';

export interface WaysIn {
  accounts: AccountRepository;
  factors: SecondFactorRepository;
  sessions: SessionService;
}

/** Whose account it is, and whether it has been made for it just now. */
export interface Claim {
  userId: string;
  isNew: boolean;
}

/**
 * Notes that somebody reads the mail of the account's address. The first time the account starts afresh: whatever goes
 * that somebody else may have made to get in with, or to keep others out. Returns whether it was the first time.
 */
export async function proveAddress(
  db: Database,
  userId: string,
  { accounts, factors, sessions }: WaysIn,
): Promise<boolean> {
  if (!(await accounts.markVerified(db, userId))) return false;
  await accounts.endOtherAccess(db, userId);
  await sessions.endAll(db, userId);
  await accounts.updatePassword(db, userId, null);
  await factors.delete(db, userId);
  return true;
}

/**
 * The account of somebody who has shown that the address is theirs: a new one, or the one that somebody has registered
 * for it and never confirmed, which starts afresh. Null where there is a confirmed one.
 */
export async function claimAddress(
  db: Database,
  { email, fullName, passwordHash }: Pick<User, 'email' | 'fullName' | 'passwordHash'>,
  ways: WaysIn,
): Promise<Claim | null> {
  const { accounts } = ways;
  const created = await accounts.insert(db, { email, fullName, passwordHash });
  if (created !== null) {
    await accounts.markVerified(db, created);
    return { userId: created, isNew: true };
  }
  const unconfirmed = await accounts.findByEmail(db, email);
  if (!unconfirmed || !(await proveAddress(db, unconfirmed.id, ways))) return null;
  await accounts.update(db, unconfirmed.id, { fullName });
  await accounts.updatePassword(db, unconfirmed.id, passwordHash);
  return { userId: unconfirmed.id, isNew: false };
}
