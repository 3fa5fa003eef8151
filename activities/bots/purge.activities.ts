import type { Database } from '../../database/database.ts';
import type { PurgeService } from '../../services/bots/purge-service.ts';
import type { DeleteDocumentInput, DeleteFileInput, PurgeBotInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type PurgeActivities = ReturnType<typeof createPurgeActivities>;

export function createPurgeActivities({ database: db, purge }: { database: Database; purge: PurgeService }) {
  return {
    removeOriginals: ({ orgId, ...document }: DeleteDocumentInput) =>
      purge.removeOriginals({ orgId, db }, document),
    removeFile: async ({ storageKey, leftover }: DeleteFileInput) => {
      await purge.removeFile(storageKey);
      if (leftover !== undefined) await purge.removeFile(leftover);
    },
    runningIngestions: ({ orgId, botId }: PurgeBotInput) => purge.listRunningIngestions({ orgId, db }, botId),
    removeBotContents: ({ orgId, botId }: PurgeBotInput) =>
      withHeartbeat((signal) => purge.removeContents({ orgId, db }, botId, signal)),
    removeBot: ({ orgId, botId }: PurgeBotInput) =>
      withHeartbeat(() => purge.removeBot({ orgId, db }, botId)),
  };
}
