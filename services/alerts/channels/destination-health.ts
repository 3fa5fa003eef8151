import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  AlertDestinationRepository,
  Place,
} from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMoveRepository } from '../../../repositories/alerts/alert-move.repository.ts';
import type { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';

/** Messages in a row that did not reach a number, before it is taken for dead. */
const MOST_MISSES = 3;

interface BlockedNotice {
  (scope: OrgScope, destination: AlertDestination): Promise<void>;
}

export interface DestinationHealthDeps {
  destinations: AlertDestinationRepository;
  moves: AlertMoveRepository;
  /** Tells the team by mail. */
  tellBlocked: BlockedNotice;
}

/** Destinations that take nothing any more, or have another id. */
export class DestinationHealth {
  readonly #deps: DestinationHealthDeps;

  constructor(deps: DestinationHealthDeps) {
    this.#deps = deps;
  }

  /** Nothing is sent there until its owner wants that again; the team is told once. */
  block(scope: OrgScope, place: Place, reason: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { destinations, tellBlocked } = this.#deps;
      if (!(await destinations.markBlocked(tx, place, reason))) return;
      const destination = await destinations.find(tx, place);
      // One that was only typed has nobody who misses anything.
      if (destination?.verifiedAt) await tellBlocked(tx, destination);
    });
  }

  miss(scope: OrgScope, place: Place, reason: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { destinations } = this.#deps;
      const destination = await destinations.findLocked(tx, place);
      if (!destination) return;
      const undeliverable = destination.undeliverable + 1;
      await destinations.update(tx, place, { undeliverable });
      if (undeliverable >= MOST_MISSES) await this.block(tx, place, reason);
    });
  }

  /** The chat is the same, so what was proven of it stays. */
  move(scope: OrgScope, place: Place, destination: string): Promise<void> {
    return inTransaction(scope, (tx) => this.#deps.moves.move(tx, place, destination));
  }
}
