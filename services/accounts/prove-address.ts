import type { Database } from '../../database/database.ts';
import type { User } from '../../entities/accounts/user.entity.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { SecondFactorRepository } from '../../repositories/accounts/second-factor.repository.ts';
import type { SessionService } from './session-service.ts';

export interface AddressProofDeps {
  accounts: AccountRepository;
  factors: SecondFactorRepository;
  sessions: SessionService;
}

/** The account that has an email address, and whether it was just created. */
export interface Claim {
  userId: string;
  isNew: boolean;
}

/**
 * Records that the caller can read email to the account's address. The first such proof resets the account:
 * it removes credentials that a stranger may have created. Returns whether this was the first proof.
 */
export async function proveAddress(
  db: Database,
  userId: string,
  { accounts, factors, sessions }: AddressProofDeps,
): Promise<boolean> {
  if (!(await accounts.markVerified(db, userId))) return false;
  await accounts.revokeOtherAccess(db, userId);
  await sessions.endAll(db, userId);
  await accounts.updatePassword(db, userId, null);
  await factors.delete(db, userId);
  return true;
}

/**
 * Returns the account for an email address that the caller has verified: a new account, or an unconfirmed
 * account after a reset. Null if a confirmed account has the address.
 */
export async function claimAddress(
  db: Database,
  { email, fullName, passwordHash }: Pick<User, 'email' | 'fullName' | 'passwordHash'>,
  deps: AddressProofDeps,
): Promise<Claim | null> {
  const { accounts } = deps;
  const newUserId = await accounts.insert(db, { email, fullName, passwordHash });
  if (newUserId !== null) {
    await accounts.markVerified(db, newUserId);
    return { userId: newUserId, isNew: true };
  }
  const unconfirmed = await accounts.findByEmail(db, email);
  if (!unconfirmed || !(await proveAddress(db, unconfirmed.id, deps))) return null;
  await accounts.update(db, unconfirmed.id, { fullName });
  await accounts.updatePassword(db, unconfirmed.id, passwordHash);
  return { userId: unconfirmed.id, isNew: false };
}
