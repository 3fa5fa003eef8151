import type { ClaimOptions } from '../../repositories/webhooks/delivery-queue.repository.ts';
import type { DeliveryLanes } from './delivery-lanes.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

const LARGEST_CLAIM = 500;
/** Smaller claims, while others are being sent, cost more than they gain. */
const WORTHWHILE_CLAIM = LARGEST_CLAIM / 2;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

export type Turn = Pick<
  ClaimOptions,
  | 'limit'
  | 'workspaceRooms'
  | 'newcomerRoom'
  | 'afterWorkspace'
  | 'afterEndpoints'
  | 'rooms'
  | 'onDemandRooms'
>;

/** Plans claims so that every workspace gets its turn, and every endpoint in it, whatever the backlog of others. */
export class ClaimTurns {
  readonly #lanes: DeliveryLanes;
  /** A claim is running, whose deliveries are not held yet. */
  #isClaiming = false;
  /** The last claim was cut before every workspace had its turn. */
  #isRoundOpen = false;
  #afterWorkspace = BEFORE_ALL_IDS;
  /** Last served endpoint of each workspace whose turn was cut before all its endpoints were served. */
  readonly #afterEndpoints = new Map<string, string>();
  /** Number of workspaces in the last claim. */
  #sharers = 0;

  constructor(lanes: DeliveryLanes) {
    this.#lanes = lanes;
  }

  /**
   * Plans a claim of at most half of the free capacity, so that the next workspace finds some. Workspaces that may hold
   * more share it with newcomers. Undefined if there is no capacity.
   */
  next(): Turn | undefined {
    const limit = Math.min(LARGEST_CLAIM, Math.ceil(this.#lanes.free / 2));
    this.#isRoundOpen ||= limit === 0;
    this.#isClaiming = limit > 0;
    if (limit === 0) return undefined;
    const rooms = [...this.#lanes.workspaces].map((id) => [id, this.#lanes.roomOfWorkspace(id)] as const);
    const growing = rooms.filter(([, room]) => room > 0).length;
    const most = Math.max(1, Math.floor(limit / Math.max(2, this.#sharers, growing + 1)));
    return {
      limit,
      workspaceRooms: new Map(rooms.map(([id, room]) => [id, Math.min(most, room)])),
      newcomerRoom: Math.min(most, this.#lanes.roomOfWorkspace()),
      afterWorkspace: this.#afterWorkspace,
      afterEndpoints: this.#afterEndpoints,
      rooms: this.#lanes.rooms(),
      onDemandRooms: this.#lanes.onDemandRooms(),
    };
  }

  /** Records the result of a claim whose deliveries are now held. Returns whether more may be claimed at once. */
  note(claimed: readonly ClaimedDelivery[], turn: Turn): boolean {
    const workspaces = byWorkspace(claimed);
    this.#isClaiming = false;
    this.#sharers = workspaces.size;
    this.#isRoundOpen = claimed.length === turn.limit;
    if (this.#isRoundOpen) this.#afterWorkspace = lastInTurn([...workspaces.keys()], turn.afterWorkspace);
    this.#noteTurns(workspaces, turn);
    const isAnyEndpointLow = this.#lanes.noteFull(claimed, turn.rooms);
    if (this.#isRoundOpen) return this.#lanes.free >= WORTHWHILE_CLAIM;
    return (
      isAnyEndpointLow || [...this.#afterEndpoints.keys()].some((orgId) => this.#lanes.isWorkspaceLow(orgId))
    );
  }

  /** Returns whether to claim more after a delivery of the workspace was settled. */
  isDue(orgId: string): boolean {
    if (this.#isClaiming) return false;
    const isLow = this.#lanes.isWorkspaceLow(orgId);
    if (this.#isRoundOpen && this.#lanes.free >= WORTHWHILE_CLAIM) return true;
    return isLow && (this.#isRoundOpen || this.#afterEndpoints.has(orgId));
  }

  #noteTurns(workspaces: ReadonlyMap<string, readonly ClaimedDelivery[]>, turn: Turn): void {
    const roomOf = (orgId: string) => turn.workspaceRooms.get(orgId) ?? turn.newcomerRoom;
    for (const orgId of this.#afterEndpoints.keys()) {
      const hadWholeTurn = !this.#isRoundOpen && !workspaces.has(orgId) && roomOf(orgId) > 0;
      if (hadWholeTurn) this.#afterEndpoints.delete(orgId);
    }
    for (const [orgId, claimed] of workspaces) {
      const isCut = claimed.length >= roomOf(orgId) || (this.#isRoundOpen && orgId === this.#afterWorkspace);
      const start = this.#afterEndpoints.get(orgId) ?? BEFORE_ALL_IDS;
      // Deliveries on demand take no turns.
      const ids = claimed.filter(({ isOnDemand }) => !isOnDemand).map(({ webhookId }) => webhookId);
      if (isCut) this.#afterEndpoints.set(orgId, lastInTurn(ids, start));
      else this.#afterEndpoints.delete(orgId);
    }
  }
}

function byWorkspace(claimed: readonly ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const workspaces = new Map<string, ClaimedDelivery[]>();
  for (const delivery of claimed) {
    const others = workspaces.get(delivery.orgId);
    if (others) others.push(delivery);
    else workspaces.set(delivery.orgId, [delivery]);
  }
  return workspaces;
}

/** Returns the last id in the circular order that begins after `start`. */
function lastInTurn(ids: readonly string[], start: string): string {
  const ordered = ids.toSorted();
  return ordered.findLast((id) => id <= start) ?? ordered.at(-1) ?? start;
}
