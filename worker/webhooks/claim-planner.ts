import type { ClaimOptions } from '../../repositories/webhooks/delivery-queue.repository.ts';
import type { DeliveryLanes } from './delivery-lanes.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

const MAX_CLAIM = 500;
/**
 * Minimum free capacity for another claim of webhook deliveries while deliveries are being sent. Smaller
 * claims cost more than they gain.
 */
const MIN_WORTHWHILE_CLAIM = MAX_CLAIM / 2;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

export type ClaimPlan = Pick<
  ClaimOptions,
  | 'limit'
  | 'workspaceLimits'
  | 'newWorkspaceLimit'
  | 'afterWorkspace'
  | 'afterEndpoints'
  | 'endpointLimits'
  | 'onDemandLimits'
>;

/**
 * Decides how many webhook deliveries to claim from the database. Every workspace gets its turn, and within
 * it every endpoint, no matter how many deliveries of other workspaces are due.
 */
export class ClaimPlanner {
  readonly #lanes: DeliveryLanes;
  /** True while a claim of deliveries is running, which are not counted as claimed yet. */
  #isClaiming = false;
  /** True if the last claim of deliveries ended before every workspace had its turn. */
  #isRoundIncomplete = false;
  #afterWorkspace = BEFORE_ALL_IDS;
  /**
   * Id of the last endpoint whose deliveries were claimed, for each workspace whose turn ended before it
   * reached all its endpoints.
   */
  readonly #afterEndpoints = new Map<string, string>();
  /** Number of workspaces whose deliveries the last claim returned. */
  #workspaceCount = 0;

  constructor(lanes: DeliveryLanes) {
    this.#lanes = lanes;
  }

  /**
   * Plans a claim of deliveries for at most half of the free capacity, so that the next workspace finds free
   * capacity. Workspaces share the claim equally. Undefined if no capacity is free.
   */
  planClaim(): ClaimPlan | undefined {
    const limit = Math.min(MAX_CLAIM, Math.ceil(this.#lanes.freeCapacity / 2));
    this.#isRoundIncomplete ||= limit === 0;
    this.#isClaiming = limit > 0;
    if (limit === 0) return undefined;
    const claimLimits = [...this.#lanes.listWorkspaceClaimLimits()];
    const growing = claimLimits.filter(([, limit]) => limit > 0).length;
    const maxPerWorkspace = Math.max(1, Math.floor(limit / Math.max(2, this.#workspaceCount, growing + 1)));
    return {
      limit,
      workspaceLimits: new Map(claimLimits.map(([id, limit]) => [id, Math.min(maxPerWorkspace, limit)])),
      newWorkspaceLimit: Math.min(maxPerWorkspace, this.#lanes.getNewWorkspaceClaimLimit()),
      afterWorkspace: this.#afterWorkspace,
      afterEndpoints: this.#afterEndpoints,
      endpointLimits: this.#lanes.listClaimLimits(),
      onDemandLimits: this.#lanes.listOnDemandLimits(),
    };
  }

  /** Records which deliveries a claim returned. Returns whether to claim more at once. */
  recordClaim(claimed: readonly ClaimedDelivery[], plan: ClaimPlan): boolean {
    const workspaces = groupByWorkspace(claimed);
    this.#isClaiming = false;
    this.#workspaceCount = workspaces.size;
    this.#isRoundIncomplete = claimed.length === plan.limit;
    if (this.#isRoundIncomplete)
      this.#afterWorkspace = findLastInTurn([...workspaces.keys()], plan.afterWorkspace);
    this.#recordTurns(workspaces, plan);
    const isAnyEndpointLow = this.#lanes.recordFull(claimed, plan.endpointLimits);
    if (this.#isRoundIncomplete) return this.#lanes.freeCapacity >= MIN_WORTHWHILE_CLAIM;
    return (
      isAnyEndpointLow || [...this.#afterEndpoints.keys()].some((orgId) => this.#lanes.hasUnusedShare(orgId))
    );
  }

  /** Returns whether to claim more deliveries, after a delivery of the workspace has ended. */
  isDue(orgId: string): boolean {
    if (this.#isClaiming) return false;
    const hasUnusedShare = this.#lanes.hasUnusedShare(orgId);
    if (this.#isRoundIncomplete && this.#lanes.freeCapacity >= MIN_WORTHWHILE_CLAIM) return true;
    return hasUnusedShare && (this.#isRoundIncomplete || this.#afterEndpoints.has(orgId));
  }

  #recordTurns(workspaces: ReadonlyMap<string, readonly ClaimedDelivery[]>, plan: ClaimPlan): void {
    const getLimit = (orgId: string) => plan.workspaceLimits.get(orgId) ?? plan.newWorkspaceLimit;
    for (const orgId of this.#afterEndpoints.keys()) {
      const hadFullTurn = !this.#isRoundIncomplete && !workspaces.has(orgId) && getLimit(orgId) > 0;
      if (hadFullTurn) this.#afterEndpoints.delete(orgId);
    }
    for (const [orgId, claimed] of workspaces) {
      const isTurnIncomplete =
        claimed.length >= getLimit(orgId) || (this.#isRoundIncomplete && orgId === this.#afterWorkspace);
      const start = this.#afterEndpoints.get(orgId) ?? BEFORE_ALL_IDS;
      // Ignore test deliveries and replays, which are claimed outside of the endpoints' turns.
      const ids = claimed.filter(({ isOnDemand }) => !isOnDemand).map(({ webhookId }) => webhookId);
      if (isTurnIncomplete) this.#afterEndpoints.set(orgId, findLastInTurn(ids, start));
      else this.#afterEndpoints.delete(orgId);
    }
  }
}

function groupByWorkspace(claimed: readonly ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const workspaces = new Map<string, ClaimedDelivery[]>();
  for (const delivery of claimed) {
    const others = workspaces.get(delivery.orgId);
    if (others) others.push(delivery);
    else workspaces.set(delivery.orgId, [delivery]);
  }
  return workspaces;
}

/** Returns the endpoint id that comes last, in a circular order that starts after `start`. */
function findLastInTurn(ids: readonly string[], start: string): string {
  const ordered = ids.toSorted();
  return ordered.findLast((id) => id <= start) ?? ordered.at(-1) ?? start;
}
