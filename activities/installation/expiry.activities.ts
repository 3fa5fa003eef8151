import type { Database } from '../../database/database.ts';
import type { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';

export type ExpiryActivities = ReturnType<typeof createExpiryActivities>;

export function createExpiryActivities({
  database,
  expiry,
}: {
  database: Database;
  expiry: ExpiryRepository;
}) {
  return {
    removeExpired: () => expiry.deleteBatch(database),
  };
}
