import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  AlertDestinationRepository,
  DestinationKey,
} from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMoveRepository } from '../../../repositories/alerts/alert-move.repository.ts';
import type { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';

/** Consecutive undeliverable messages after which a number is considered unreachable. */
const MAX_MISSES = 3;

interface NotifyBlocked {
  (scope: OrgScope, destination: AlertDestination): Promise<void>;
}

export interface DestinationHealthDeps {
  destinations: AlertDestinationRepository;
  moves: AlertMoveRepository;
  /** Mails the team. */
  notifyBlocked: NotifyBlocked;
}

/** Blocks destinations that accept no messages, and moves those whose id has changed. */
export class DestinationHealth {
  readonly #deps: DestinationHealthDeps;

  constructor(deps: DestinationHealthDeps) {
    this.#deps = deps;
  }

  /** Blocks the destination until its owner opts in again; notifies the team once. */
  block(scope: OrgScope, place: DestinationKey, reason: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { destinations, notifyBlocked } = this.#deps;
      if (!(await destinations.markBlocked(tx, place, reason))) return;
      const destination = await destinations.find(tx, place);
      // The team gets no mail about a destination that was never verified: it has received no alerts.
      if (destination?.verifiedAt) await notifyBlocked(tx, destination);
    });
  }

  recordMiss(scope: OrgScope, place: DestinationKey, reason: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { destinations } = this.#deps;
      const destination = await destinations.findLocked(tx, place);
      if (!destination) return;
      const undeliverable = destination.undeliverable + 1;
      await destinations.update(tx, place, { undeliverable });
      if (undeliverable >= MAX_MISSES) await this.block(tx, place, reason);
    });
  }

  /** Replaces the destination's id. The chat stays verified. */
  move(scope: OrgScope, place: DestinationKey, destination: string): Promise<void> {
    return inTransaction(scope, (tx) => this.#deps.moves.move(tx, place, destination));
  }
}
