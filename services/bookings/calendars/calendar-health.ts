import type {
  CalendarReconnect,
  CalendarUnavailable,
} from '../../../adapters/calendars/calendar-provider.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';

export interface CalendarHealthDeps {
  connections: CalendarConnectionRepository;
}

/** What is known of the providers. */
export class CalendarHealth {
  readonly #deps: CalendarHealthDeps;

  constructor(deps: CalendarHealthDeps) {
    this.#deps = deps;
  }

  async noteSuccess(scope: OrgScope, { id, health, lastError }: CalendarConnection): Promise<void> {
    if (health === 'healthy' && lastError === null) return;
    await this.#deps.connections.update(scope, id, { health: 'healthy', lastError: null });
  }

  async noteFailure(
    scope: OrgScope,
    { id }: CalendarConnection,
    error: CalendarReconnect | CalendarUnavailable,
  ): Promise<void> {
    const health = error.name === 'CalendarReconnect' ? 'reconnect_needed' : 'degraded';
    await this.#deps.connections.update(scope, id, { health, lastError: error.message });
  }

  /** Has the connection read again soon. */
  async askForSync(scope: OrgScope, connectionId: string): Promise<void> {
    await this.#deps.connections.update(scope, connectionId, { syncDueAt: () => 'now()' });
  }
}
