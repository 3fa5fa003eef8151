import type { Database } from '../../database/database.ts';
import { deleteReturning } from '../../database/returning.ts';
import { fromNow, isInFuture } from '../../database/times.ts';
import { AccountLink, type LinkPurpose } from '../../entities/accounts/account-link.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ACCOUNT_FIELDS, type Account } from './account.ts';

export type NewLink = Pick<AccountLink, 'digest' | 'userId' | 'purpose'> & { lifetimeSeconds: number };

/** Stores links that confirm an email address, set a password or set up the first owner. */
export class AccountLinkRepository {
  async insert(db: Database, { lifetimeSeconds, ...link }: NewLink): Promise<void> {
    await db.repository(AccountLink).insert({ ...link, expiresAt: fromNow(lifetimeSeconds, 'secs') });
  }

  /** Returns the account that a link belongs to; null if the link does not exist or has expired. */
  findAccount(db: Database, digest: string, purpose: LinkPurpose): Promise<Account | null> {
    return db
      .repository(User)
      .createQueryBuilder('account')
      .select(ACCOUNT_FIELDS.map((field) => `account.${field}`))
      .innerJoin(AccountLink, 'link', 'link.userId = account.id AND link.expiresAt > now()')
      .where('account.isActive AND link.digest = :digest AND link.purpose = :purpose', { digest, purpose })
      .getOne();
  }

  async deleteAll(db: Database, userId: string, purpose: LinkPurpose): Promise<void> {
    await db.repository(AccountLink).delete({ userId, purpose });
  }

  /**
   * Uses up an emailed link, and deletes all other links of the account for the same purpose.
   * @returns false if the link has expired or was used
   */
  async use(db: Database, digest: string, purpose: LinkPurpose): Promise<boolean> {
    const links = db.repository(AccountLink);
    const [used] = await deleteReturning(links, { digest, purpose, expiresAt: isInFuture() });
    if (!used) return false;
    await links.delete({ userId: used.userId, purpose });
    return true;
  }
}
