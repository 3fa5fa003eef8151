import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  AlertDestinationRepository,
  DestinationKey,
} from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMoveRepository } from '../../../repositories/alerts/alert-move.repository.ts';
import type { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';

/** Number of consecutive undeliverable messages after which Parley sends no more alerts to a destination. */
const MAX_UNDELIVERABLE = 3;

interface NotifyBlocked {
  (scope: OrgScope, destination: AlertDestination): Promise<void>;
}

export interface DestinationHealthDeps {
  destinations: AlertDestinationRepository;
  moves: AlertMoveRepository;
  /** Informs the workspace's team by email that a destination of alerts was blocked. */
  notifyBlocked: NotifyBlocked;
}

/**
 * Blocks destinations of alerts that accept no messages. Also changes ids of destinations, for example when a
 * Telegram group has become a supergroup.
 */
export class DestinationHealth {
  readonly #deps: DestinationHealthDeps;

  constructor(deps: DestinationHealthDeps) {
    this.#deps = deps;
  }

  /** Blocks alerts to the destination until its owner consents again. Notifies the workspace's team once. */
  block(scope: OrgScope, key: DestinationKey, reason: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { destinations, notifyBlocked } = this.#deps;
      if (!(await destinations.markBlocked(tx, key, reason))) return;
      const destination = await destinations.find(tx, key);
      // An unverified destination has received no alerts, so the team is not notified.
      if (destination?.verifiedAt) await notifyBlocked(tx, destination);
    });
  }

  recordUndeliverable(scope: OrgScope, key: DestinationKey, reason: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { destinations } = this.#deps;
      const destination = await destinations.findLocked(tx, key);
      if (!destination) return;
      const undeliverable = destination.undeliverable + 1;
      await destinations.update(tx, key, { undeliverable });
      if (undeliverable >= MAX_UNDELIVERABLE) await this.block(tx, key, reason);
    });
  }

  /** Replaces the id of a destination of alerts, which stays verified. */
  move(scope: OrgScope, key: DestinationKey, destination: string): Promise<void> {
    return inTransaction(scope, (tx) => this.#deps.moves.move(tx, key, destination));
  }
}
