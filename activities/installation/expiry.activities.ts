import type { Database } from '../../database/database.ts';
import type { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';
import type { ConversationFileRemoval } from '../../services/conversations/files/conversation-file-removal.ts';

export type ExpiryActivities = ReturnType<typeof createExpiryActivities>;

export function createExpiryActivities({
  database,
  expiry,
  fileRemoval,
}: {
  database: Database;
  expiry: ExpiryRepository;
  fileRemoval: Pick<ConversationFileRemoval, 'removeUnsent'>;
}) {
  return {
    removeExpired: async () => {
      const { removed, isMore } = await expiry.deleteBatch(database);
      const hasMoreFiles = await fileRemoval.removeUnsent(database);
      return { removed, isMore: isMore || hasMoreFiles };
    },
  };
}
