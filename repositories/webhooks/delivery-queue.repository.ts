import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { notify } from '../../database/notify.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { DELIVERIES_CHANNEL, WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { CLAIM_FIRST_ATTEMPTS, CLAIM_RETRY, RENEW_LEASES } from './delivery-queue.sql.ts';
import type { ClaimedDelivery } from './delivery-queue.sql.ts';

export interface ClaimOptions {
  limit: number;
  leaseSeconds: number;
  /** Maximum of further deliveries for each workspace with deliveries in this process. */
  workspaceRooms: ReadonlyMap<string, number>;
  /** Maximum for each other workspace. */
  newcomerRoom: number;
  /** Workspaces are visited by id, beginning after this one. */
  afterWorkspace: string;
  /** Endpoints of each workspace are visited by id, beginning after this one. */
  afterEndpoints: ReadonlyMap<string, string>;
  /** Maximum of further deliveries for each endpoint with deliveries in this process. */
  rooms: ReadonlyMap<string, number>;
  /** Maximum of on-demand deliveries for each such endpoint, which are taken first. */
  onDemandRooms: ReadonlyMap<string, number>;
  onDemandRoom: number;
  /** Maximum for each other endpoint. */
  room: number;
  /** Maximum for an endpoint whose last attempt failed. */
  failingRoom: number;
}

/** Queue of deliveries of all workspaces, which the dispatchers share. */
export class DeliveryQueueRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** True if a delivery waits for its first attempt, due or not, or is being sent for the first time. */
  hasPending(): Promise<boolean> {
    return this.#db.repository(WebhookDelivery).existsBy({ status: 'pending' });
  }

  /**
   * Leases deliveries that were never attempted, from each workspace in turn. Takes a few on-demand deliveries, then
   * the oldest of each endpoint that is not held, then the remaining on-demand deliveries.
   */
  claimFirstAttempts(options: ClaimOptions): Promise<ClaimedDelivery[]> {
    return this.#db.run(CLAIM_FIRST_ATTEMPTS, [
      options.afterWorkspace,
      toJsonObject(options.workspaceRooms),
      options.newcomerRoom,
      toJsonObject(options.afterEndpoints),
      toJsonObject(options.rooms),
      options.room,
      options.failingRoom,
      options.limit,
      options.leaseSeconds,
      toJsonObject(options.onDemandRooms),
      options.onDemandRoom,
    ]);
  }

  /**
   * Leases a delivery for its next attempt, due or not. Null if no retry is left or another process has leased it.
   * @param attempts attempts before this one, if known; if there are more, this attempt was already made
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
   * Renews leases from now on. Returns the ids of renewed ones. A delivery whose result is being written is not
   * renewed.
   */
  async renew(ids: readonly string[], leaseSeconds: number): Promise<string[]> {
    const renewed = await this.#db.run(RENEW_LEASES, [ids, leaseSeconds]);
    return renewed.map(({ id }) => id);
  }

  /** Releases leases, so that another dispatcher need not wait until they expire. */
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
      if (released.affected) await notify(tx, DELIVERIES_CHANNEL);
    });
  }
}

const toJsonObject = (map: ReadonlyMap<string, string | number>): string =>
  JSON.stringify(Object.fromEntries(map));
