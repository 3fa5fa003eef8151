import type { Database } from '../../entities/database.ts';
import type { AccountRepository } from '../../repositories/account.repository.ts';
import type { SecondFactorRepository } from '../../repositories/second-factor.repository.ts';
import type { SessionService } from './sessions.service.ts';

export interface WaysIn {
  accounts: AccountRepository;
  factors: SecondFactorRepository;
  sessions: SessionService;
}

/**
 * Notes that somebody reads the mail of the account's address. The first time, whatever goes that somebody else may have
 * made to get in with, or to keep others out: sessions, API keys, linked identities, and password and second factor.
 * @param ownSessionId of the person, who has shown these two to begin it: it goes on, and they stay
 */
export async function proveAddress(
  db: Database,
  userId: string,
  { accounts, factors, sessions }: WaysIn,
  ownSessionId: string | null = null,
): Promise<void> {
  if (!(await accounts.verify(db, userId))) return;
  await accounts.dropOtherWaysIn(db, userId);
  await sessions.endAll(db, userId, ownSessionId);
  if (ownSessionId !== null) return;
  await accounts.setPassword(db, userId, null);
  await factors.remove(db, userId);
}
