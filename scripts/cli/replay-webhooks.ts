import { IsNull } from 'typeorm';
import { AppError } from '../../core/errors/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { createLogger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { oneLine } from '../../core/text/safe-text.ts';
import type { Database } from '../../database/database.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { inTransaction } from '../../database/org-scope.ts';
import { openRuntime } from '../../services/runtime.ts';
import { LaunchError } from '../launcher/launch-error.ts';

export interface ReplayOptions {
  webhookId: string;
  /** Start of the period whose failed deliveries are replayed, inclusive. */
  since: Date;
  /** End of the period whose failed deliveries are replayed, exclusive. */
  until: Date;
  /** True to list the failed deliveries without replaying them. */
  isDryRun: boolean;
}

/**
 * Maximum number of deliveries that one run replays, oldest first. The next run continues with the remaining
 * deliveries.
 */
const MAX_REPLAYS = 10_000;

/**
 * Replays the failed deliveries of a webhook endpoint that were not replayed before. The endpoint may belong
 * to any workspace.
 * @throws LaunchError if the endpoint does not exist or is disabled
 */
export async function replayWebhooks(
  settings: Settings,
  { webhookId, isDryRun, ...range }: ReplayOptions,
  report: (line: string) => void,
): Promise<void> {
  const runtime = await openRuntime({ settings, log: createLogger('cli', 'silent') });
  try {
    const { deliveries } = runtime.services.webhooks;
    const scope = { orgId: await findEndpointOrg(runtime.database, webhookId), db: runtime.database };
    const failed = await deliveries.listFailed(scope, webhookId, { ...range, limit: MAX_REPLAYS });
    for (const { id, event, createdAt, reason } of failed) {
      const line = `${createdAt.toISOString()}  ${event}  ${id}`;
      if (isDryRun) {
        report(oneLine(`${line}  ${reason}`));
        continue;
      }
      const { delivery } = await inTransaction(scope, (each) => deliveries.replay(each, id));
      report(`${line}  resent as ${delivery.id}`);
    }
    report(describeReplay(failed.length, isDryRun));
  } catch (error) {
    throw error instanceof AppError ? new LaunchError(error.message) : error;
  } finally {
    await runtime.close();
  }
}

async function findEndpointOrg(database: Database, webhookId: string): Promise<string> {
  const endpoint = isUuid(webhookId)
    ? await database.repository(Webhook).findOneBy({ id: webhookId, deletedAt: IsNull() })
    : null;
  if (endpoint) return endpoint.orgId;
  throw new LaunchError(`There is no webhook endpoint "${webhookId}".`);
}

function describeReplay(count: number, isDryRun: boolean): string {
  if (count === 0) return 'No failed deliveries in that period remain to be replayed.';
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  const more = count === MAX_REPLAYS ? ' There may be more: run the command again.' : '';
  return `${deliveries} ${isDryRun ? 'would be' : count === 1 ? 'is' : 'are'} replayed.${more}`;
}
