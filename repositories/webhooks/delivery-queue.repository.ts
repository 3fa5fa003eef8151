import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { notifyChannel } from '../../database/notify.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { DELIVERIES_CHANNEL, WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { CLAIM_FIRST_ATTEMPTS, CLAIM_RETRY, RENEW_LEASES } from './delivery-queue.sql.ts';
import type { ClaimedDelivery } from './delivery-queue.sql.ts';

export interface ClaimOptions {
  limit: number;
  leaseSeconds: number;
  /**
   * Maximum number of webhook deliveries to claim, by workspace, for workspaces that have deliveries in this
   * process.
   */
  workspaceLimits: ReadonlyMap<string, number>;
  /** Maximum number of webhook deliveries to claim from each other workspace. */
  newWorkspaceLimit: number;
  /**
   * Id of the workspace from which deliveries were last claimed. Workspaces are visited in the order of their
   * ids, beginning after this id.
   */
  afterWorkspace: string;
  /**
   * Id of the endpoint whose deliveries were last claimed in each workspace. Endpoints are visited in the
   * order of their ids, beginning after this id.
   */
  afterEndpoints: ReadonlyMap<string, string>;
  /**
   * Maximum number of webhook deliveries to claim, by endpoint, for endpoints that have deliveries in this
   * process.
   */
  endpointLimits: ReadonlyMap<string, number>;
  /**
   * Maximum number of on-demand deliveries (tests and replays) for these endpoints. Such deliveries are
   * claimed first.
   */
  onDemandLimits: ReadonlyMap<string, number>;
  onDemandLimit: number;
  /**
   * Maximum number of webhook deliveries to claim for each endpoint that has no deliveries in this process.
   */
  newEndpointLimit: number;
  /** Maximum number of deliveries to claim for a webhook endpoint whose last attempt failed. */
  failingLimit: number;
}

/** The webhook deliveries of all workspaces as a queue, which all dispatchers share. */
export class DeliveryQueueRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns whether any webhook delivery is pending: it was never attempted, or its first attempt is in
   * progress.
   */
  hasPending(): Promise<boolean> {
    return this.#db.repository(WebhookDelivery).existsBy({ status: 'pending' });
  }

  /**
   * Leases webhook deliveries that were never attempted, from each workspace in turn. First takes a few
   * on-demand deliveries, then the oldest of each endpoint that is not held back, then further on-demand
   * deliveries.
   */
  claimFirstAttempts(options: ClaimOptions): Promise<ClaimedDelivery[]> {
    return this.#db.run(CLAIM_FIRST_ATTEMPTS, [
      options.afterWorkspace,
      toJsonObject(options.workspaceLimits),
      options.newWorkspaceLimit,
      toJsonObject(options.afterEndpoints),
      toJsonObject(options.endpointLimits),
      options.newEndpointLimit,
      options.failingLimit,
      options.limit,
      options.leaseSeconds,
      toJsonObject(options.onDemandLimits),
      options.onDemandLimit,
    ]);
  }

  /**
   * Leases a webhook delivery for its next attempt, even before the attempt is due. Null if no retry is left
   * or another process has the lease.
   * @param attempts expected number of attempts so far; a higher number means that this attempt was already
   *   made
   */
  async claimRetry(
    { orgId, db }: OrgScope,
    { id, attempts }: { id: string; attempts?: number | undefined },
    leaseSeconds: number,
  ): Promise<ClaimedDelivery | null> {
    const [claimed] = await db.run(CLAIM_RETRY, [id, orgId, leaseSeconds, attempts]);
    return claimed ?? null;
  }

  /**
   * Extends leases of webhook deliveries to `leaseSeconds` from now, except those whose result is being
   * written. Returns the ids of the deliveries with an extended lease.
   */
  async renew(ids: readonly string[], leaseSeconds: number): Promise<string[]> {
    const renewed = await this.#db.run(RENEW_LEASES, [ids, leaseSeconds]);
    return renewed.map(({ id }) => id);
  }

  /**
   * Releases leases of webhook deliveries, so that another dispatcher can claim the deliveries before the
   * leases expire.
   */
  async release(ids: readonly string[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const released = await tx
        .repository(WebhookDelivery)
        .createQueryBuilder()
        .update()
        .set({ leaseExpiresAt: null })
        .where('id = ANY(:ids)', { ids })
        .andWhere({ status: In(['pending', 'retrying']) })
        .execute();
      if (released.affected) await notifyChannel(tx, DELIVERIES_CHANNEL);
    });
  }
}

const toJsonObject = (map: ReadonlyMap<string, string | number>): string =>
  JSON.stringify(Object.fromEntries(map));
