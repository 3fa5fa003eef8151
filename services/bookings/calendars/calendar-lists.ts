import {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
  type CalendarDescriptor,
} from '../../../adapters/calendars/calendar-provider.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { createReconnectError } from './busy-times.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import type { CalendarHealth } from './calendar-health.ts';

const MAX_PROVIDER_MS = 10_000;
const RETRY_SECONDS = '30';
const MAX_RETRY_SECONDS = 600;

export interface CalendarListsDeps {
  connections: CalendarConnectionRepository;
  accounts: CalendarAccounts;
  health: CalendarHealth;
}

/** Lists the calendars of connected accounts. */
export class CalendarLists {
  readonly #deps: CalendarListsDeps;

  constructor(deps: CalendarListsDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the calendars of the workspace's connected account.
   * @throws AppError `not_found` if no calendar is connected; `conflict` if the calendar must be reconnected;
   *   `not_ready` if the provider is unavailable
   */
  async listCurrent(scope: OrgScope): Promise<CalendarDescriptor[]> {
    const connection = await this.#deps.connections.findCurrent(scope);
    if (!connection) throw new AppError('not_found', 'No calendar is connected.');
    return this.listCalendars(scope, connection);
  }

  /**
   * Lists the calendars of the account that a connection belongs to.
   * @throws AppError `conflict` if the account must be reconnected; `not_ready` if the provider is
   *   unavailable
   */
  async listCalendars(scope: OrgScope, connection: CalendarConnection): Promise<CalendarDescriptor[]> {
    if (connection.provider === 'local') return [];
    if (connection.health === 'reconnect_needed') throw createReconnectError();
    try {
      const signal = AbortSignal.timeout(MAX_PROVIDER_MS);
      const account = await this.#deps.accounts.open(scope, connection);
      return await account.listCalendars({ signal });
    } catch (error) {
      if (error instanceof CalendarReconnect) {
        await this.#deps.health.noteFailure(scope, connection, error);
        throw createReconnectError();
      }
      if (error instanceof CalendarUnavailable || error instanceof CalendarRefused)
        throw createUnavailableError(error);
      throw error;
    }
  }
}

function createUnavailableError(error: CalendarUnavailable | CalendarRefused): AppError {
  const requestedMs = error instanceof CalendarUnavailable ? error.retryAfterMs : undefined;
  const seconds =
    requestedMs === undefined
      ? RETRY_SECONDS
      : String(Math.min(Math.ceil(requestedMs / 1000), MAX_RETRY_SECONDS));
  return new AppError('not_ready', error.message, { cause: error, headers: { 'Retry-After': seconds } });
}
