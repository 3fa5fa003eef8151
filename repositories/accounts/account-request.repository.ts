import type { Database } from '../../database/database.ts';
import { deleteReturning } from '../../database/returning.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';

export type CompletedRequest = Pick<AccountRequest, 'kind' | 'email' | 'until'>;

/** Requests with an e-mail address that are not completed yet. */
export class AccountRequestRepository {
  async insert(db: Database, request: Omit<AccountRequest, 'createdAt'>): Promise<void> {
    await db.repository(AccountRequest).insert(request);
  }

  /** Returns the deleted request; null if it was completed before. */
  async delete(db: Database, id: string): Promise<CompletedRequest | null> {
    const [request] = await deleteReturning(db.repository(AccountRequest), { id });
    return request ?? null;
  }
}
