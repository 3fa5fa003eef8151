import type { Database } from '../../database/database.ts';
import { deleteReturning } from '../../database/returning.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';

export type TakenRequest = Pick<AccountRequest, 'kind' | 'email' | 'until'>;

/** What addresses were given for, until it is answered. */
export class AccountRequestRepository {
  async insert(db: Database, request: Omit<AccountRequest, 'createdAt'>): Promise<void> {
    await db.repository(AccountRequest).insert(request);
  }

  /** Returns it once; null for a request that has been answered. */
  async delete(db: Database, id: string): Promise<TakenRequest | null> {
    const [request] = await deleteReturning(db.repository(AccountRequest), { id });
    return request ?? null;
  }
}
