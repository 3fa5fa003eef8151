import type { Database } from '../../database/database.ts';
import { deleteReturning } from '../../database/returning.ts';
import { AccountRequest } from '../../entities/accounts/account-request.entity.ts';

export type CompletedRequest = Pick<AccountRequest, 'kind' | 'email' | 'until'>;

/** Stores requests for emails to an email address, until a worker has completed them. */
export class AccountRequestRepository {
  async insert(db: Database, request: Omit<AccountRequest, 'createdAt'>): Promise<void> {
    await db.repository(AccountRequest).insert(request);
  }

  /** Deletes a request for an email and returns it; null if the request was already completed. */
  async delete(db: Database, id: string): Promise<CompletedRequest | null> {
    const [request] = await deleteReturning(db.repository(AccountRequest), { id });
    return request ?? null;
  }
}
