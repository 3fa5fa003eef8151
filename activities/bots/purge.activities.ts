import type { Database } from '../../database/database.ts';
import type { PurgeService } from '../../services/bots/purge-service.ts';
import type { WebhookPurge } from '../../services/webhooks/webhook-purge.ts';
import type {
  DeleteDocumentInput,
  DeleteFileInput,
  PurgeBotInput,
  PurgeWebhookInput,
} from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type PurgeActivities = ReturnType<typeof createPurgeActivities>;

export function createPurgeActivities({
  database: db,
  purge,
  webhookPurge,
}: {
  database: Database;
  purge: PurgeService;
  webhookPurge: WebhookPurge;
}) {
  return {
    removeOriginals: ({ orgId, ...document }: DeleteDocumentInput) =>
      purge.removeOriginals({ orgId, db }, document),
    removeFile: async ({ storageKey, leftover }: DeleteFileInput) => {
      await purge.removeFile(storageKey);
      if (leftover !== undefined) await purge.removeFile(leftover);
    },
    runningIngestions: ({ orgId, botId }: PurgeBotInput) => purge.runningIngestions({ orgId, db }, botId),
    removeBotContents: ({ orgId, botId }: PurgeBotInput) =>
      withHeartbeat((signal) => purge.removeContents({ orgId, db }, botId, signal)),
    removeBot: ({ orgId, botId }: PurgeBotInput) =>
      withHeartbeat(() => purge.removeBot({ orgId, db }, botId)),
    removeWebhook: ({ orgId, endpointId: webhookId }: PurgeWebhookInput) =>
      withHeartbeat((signal) => webhookPurge.remove({ orgId, db }, webhookId, signal)),
  };
}
