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
  /** How many more to take at most of each workspace that the process holds deliveries of already, */
  workspaceRooms: ReadonlyMap<string, number>;
  /** and of any other one. */
  newcomerRoom: number;
  /** Workspaces have their turns in the order of their ids, beginning after this one. */
  afterWorkspace: string;
  /** By workspace: its endpoints have their turns beginning after this one, likewise. */
  afterEndpoints: ReadonlyMap<string, string>;
  /** How many more to take of each endpoint that the process holds deliveries of already, */
  rooms: ReadonlyMap<string, number>;
  /** of what people ask for before anything else of the endpoint, the rest of it coming after, */
  onDemandRooms: ReadonlyMap<string, number>;
  onDemandRoom: number;
  /** of any other one, */
  room: number;
  /** and of one whose last attempt failed. */
  failingRoom: number;
}

/** The deliveries of all workspaces that are to be sent, as the dispatchers share them out among themselves. */
export class DeliveryQueueRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether any delivery waits for its first attempt, due or not, or is being sent for the first time. */
  isAnyPending(): Promise<boolean> {
    return this.#db.repository(WebhookDelivery).existsBy({ status: 'pending' });
  }

  /**
   * Leases deliveries that nobody has tried yet, of each workspace in turn: a few that people ask for, then the oldest of
   * each endpoint that is not held, then whatever else people ask for.
   */
  claimFirstAttempts(options: ClaimOptions): Promise<ClaimedDelivery[]> {
    return this.#db.run(CLAIM_FIRST_ATTEMPTS, [
      options.afterWorkspace,
      jsonOf(options.workspaceRooms),
      options.newcomerRoom,
      jsonOf(options.afterEndpoints),
      jsonOf(options.rooms),
      options.room,
      options.failingRoom,
      options.limit,
      options.leaseSeconds,
      jsonOf(options.onDemandRooms),
      options.onDemandRoom,
    ]);
  }

  /**
   * Leases a delivery for its next attempt, due or not; null when it is not to be tried again, or somebody has it.
   * @param attempts made before this one, if known: when there are more, it has been made already
   */
  async claimRetry(
    { orgId, db }: OrgScope,
    { id, attempts }: { id: string; attempts?: number | undefined },
    leaseSeconds: number,
  ): Promise<ClaimedDelivery | null> {
    const [claimed] = await db.run(CLAIM_RETRY, [id, orgId, leaseSeconds, attempts]);
    return claimed ?? null;
  }

  /** Makes leases last anew from now. Returns the ids of those that do; one whose result is being written does not. */
  async renew(ids: readonly string[], leaseSeconds: number): Promise<string[]> {
    const renewed = await this.#db.run(RENEW_LEASES, [ids, leaseSeconds]);
    return renewed.map(({ id }) => id);
  }

  /** Gives leases back, so that another dispatcher need not wait for their end. */
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

const jsonOf = (map: ReadonlyMap<string, string | number>): string => JSON.stringify(Object.fromEntries(map));
