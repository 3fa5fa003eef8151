import type {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
} from '../../../adapters/calendars/calendar-provider.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { TeamNotices } from '../../mail/notices/team-notices.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createSyncCommand } from './calendar-commands.ts';
import { STALE_MINUTES } from './stale-minutes.ts';

export interface CalendarHealthDeps {
  connections: CalendarConnectionRepository;
  outbox: OutboxService;
  teamNotices: TeamNotices;
}

type Failure = CalendarReconnect | CalendarUnavailable | CalendarRefused;

/** Records the health of calendar connections, and informs the team once by email when a connection fails. */
export class CalendarHealth {
  readonly #deps: CalendarHealthDeps;

  constructor(deps: CalendarHealthDeps) {
    this.#deps = deps;
  }

  /**
   * Records a completed sync of a calendar connection.
   * @param result `degraded` if some calendars could not be read; `lastError` may also name single events
   */
  async noteSync(
    scope: OrgScope,
    connection: CalendarConnection,
    { health, lastError }: { health: 'healthy' | 'degraded'; lastError: string | null },
  ): Promise<void> {
    await this.#deps.connections.storeSyncResult(scope, connection, { health, lastError });
  }

  /**
   * Records a failed sync of a calendar connection. If the team must reconnect the account, informs it by
   * email at once. After any other failure, informs it when the stored busy times are too old.
   */
  async noteFailure(
    callerScope: OrgScope,
    { id, connectedAt }: CalendarConnection,
    error: Failure,
  ): Promise<void> {
    const scope = { orgId: callerScope.orgId, db: callerScope.db.withoutTransaction };
    const { connections, outbox, teamNotices } = this.#deps;
    const isFinal = error.name === 'CalendarReconnect';
    await inTransaction(scope, async (tx) => {
      const current = await connections.findLocked(tx, id);
      if (!current || current.hiddenAt || current.health === 'reconnect_needed') return;
      // Ignores the error if the calendar account was reconnected after the sync began.
      if (current.connectedAt.getTime() !== connectedAt.getTime()) return;
      const health = isFinal ? 'reconnect_needed' : 'degraded';
      await connections.update(tx, id, { health, lastError: error.message, updatedAt: () => 'now()' });
      if (!(await connections.claimFailureNotice(tx, id, isFinal ? null : STALE_MINUTES))) return;
      await outbox.event(tx, 'calendar.failing', { connection_id: id }, null);
      await teamNotices.mailCalendarFailing(tx, { connectionId: id, reason: error.message });
    });
  }

  requestSync({ orgId, db }: OrgScope, connection: Pick<CalendarConnection, 'id' | 'orgId' | 'provider'>) {
    if (connection.provider === 'local') return Promise.resolve();
    return this.#deps.outbox.command({ orgId, db }, createSyncCommand(connection));
  }
}
