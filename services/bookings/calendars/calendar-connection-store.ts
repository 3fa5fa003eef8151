import { CalendarReconnect, type CalendarDescriptor } from '../../../adapters/calendars/calendar-provider.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  CalendarConnection,
  CalendarProviderName,
  StoredCalendarSettings,
} from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBookingRepository } from '../../../repositories/bookings/calendar-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { AccessNotices, Actor } from '../../team/access-notices.ts';
import { accessWords } from '../../team/access-words.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createSyncCommand } from './calendar-commands.ts';
import type { CalendarRemoval } from './calendar-removal.ts';
import { openCredentials, sealCredentials, type CalendarCredentials } from './sealed-credentials.ts';

export interface CalendarConnectionStoreDeps {
  connections: CalendarConnectionRepository;
  bookings: CalendarBookingRepository;
  orgs: Pick<OrgRepository, 'findUndeletedLocked'>;
  removal: CalendarRemoval;
  outbox: OutboxService;
  accessNotices: Pick<AccessNotices, 'notify'>;
  keyring: Keyring;
}

/** A calendar account that a person has just connected. */
export interface ConnectedAccount {
  provider: CalendarProviderName;
  actor: Actor;
  credentials: CalendarCredentials | null;
  calendars: readonly CalendarDescriptor[];
}

/** Stores connected calendar accounts, and disconnects them. */
export class CalendarConnectionStore {
  readonly #deps: CalendarConnectionStoreDeps;

  constructor(deps: CalendarConnectionStoreDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a connected calendar account and informs the workspace's owners by email. Keeps the settings, and
   * continues bookings that wait for a calendar. If another account was connected, disconnects it. Returns
   * null if the workspace was deleted meanwhile.
   */
  store(scope: OrgScope, account: ConnectedAccount): Promise<CalendarConnection | null> {
    return inTransaction(scope, async (tx) => {
      const { connections, bookings, orgs, removal, outbox, accessNotices } = this.#deps;
      if (!(await orgs.findUndeletedLocked(tx))) return null;
      const previous = await this.#lockOrCreate(tx, account);
      const isSame = this.#isSameAccount(previous, account);
      const current = isSame ? previous : await this.#replace(tx, previous, account);
      const row = this.#buildRow(current, account);
      await connections.update(tx, current.id, {
        ...row,
        connectedAt: () => 'now()',
        updatedAt: () => 'now()',
      });
      const connection: CalendarConnection = { ...current, ...row };
      if (account.provider === 'local') return connection;
      // Calendar events of bookings in the previous account stay there. Upcoming events are also written to
      // the new account.
      if (!isSame) await bookings.resetEvents(tx, connection.id);
      await outbox.command(tx, createSyncCommand(connection));
      await removal.signalWaiting(tx, current.id);
      await accessNotices.notify(tx.db, tx.orgId, {
        actor: account.actor,
        kind: 'connectCalendar',
        notice: accessWords.calendarConnected(connection.accountEmail ?? 'an account', connection.provider),
      });
      return connection;
    });
  }

  /**
   * Hides the calendar connection. A workflow then revokes the access and deletes the connection.
   * @throws AppError `not_found` if no calendar is connected
   */
  disconnect(scope: OrgScope): Promise<CalendarConnection> {
    return inTransaction(scope, async (tx) => {
      const disconnected = await this.#deps.removal.removeCurrent(tx);
      if (!disconnected) throw new AppError('not_found', 'No calendar is connected.');
      return disconnected;
    });
  }

  /**
   * Returns the row of the connection for an account that replaces another account. A row without credentials
   * is reused.
   */
  async #replace(
    scope: OrgScope,
    previous: CalendarConnection,
    account: ConnectedAccount,
  ): Promise<CalendarConnection> {
    if (previous.sealedCredentials === null) return previous;
    await this.#deps.removal.remove(scope, previous);
    const { settings, providerTimezone } = previous;
    return { ...(await this.#lockOrCreate(scope, account)), settings, providerTimezone };
  }

  #isSameAccount(
    previous: CalendarConnection,
    { provider, credentials, calendars }: ConnectedAccount,
  ): boolean {
    const { id, sealedCredentials: sealed } = previous;
    if (previous.provider !== provider || previous.accountEmail !== findAccountName(credentials, calendars))
      return false;
    if (credentials?.provider !== 'caldav' || sealed === null) return sealed !== null || provider === 'local';
    // Compares the calendar servers, too: one address may have accounts on several servers.
    return this.#openHomeUrl(id, sealed) === credentials.homeUrl;
  }

  /**
   * Returns the URL of the calendar server from stored credentials; undefined if they can no longer be
   * decrypted.
   */
  #openHomeUrl(id: string, sealed: string): string | undefined {
    try {
      const previous = openCredentials(this.#deps.keyring, id, sealed);
      return previous.provider === 'caldav' ? previous.homeUrl : undefined;
    } catch (error) {
      if (error instanceof CalendarReconnect) return undefined;
      throw error;
    }
  }

  async #lockOrCreate(scope: OrgScope, { provider, actor }: ConnectedAccount): Promise<CalendarConnection> {
    const { connections } = this.#deps;
    const currentConnection = await connections.findCurrentLocked(scope);
    if (currentConnection) return currentConnection;
    await connections.insertFirst(scope, { id: newId(), provider, connectedBy: actor.userId });
    const created = await connections.findCurrentLocked(scope);
    if (!created) throw new AppError('conflict', 'The calendar is being disconnected; try again.');
    return created;
  }

  #buildRow(current: CalendarConnection, account: ConnectedAccount) {
    const { provider, actor, credentials, calendars } = account;
    const primary = findPrimary(calendars);
    return {
      provider,
      accountEmail: findAccountName(credentials, calendars),
      sealedCredentials: credentials && sealCredentials(this.#deps.keyring, current.id, credentials),
      settings: dropUnknownCalendars(current.settings, calendars),
      providerTimezone: primary?.timezone ?? (provider === 'local' ? null : current.providerTimezone),
      primaryCalendarId: primary?.id ?? null,
      health: 'healthy' as const,
      lastError: null,
      connectedBy: actor.userId,
      refreshLeaseUntil: null,
      syncDueAt: provider === 'local' ? null : new Date(),
    };
  }
}

/** Removes calendars from the booking settings that the connected account does not have. */
function dropUnknownCalendars(
  { bookingCalendarId, calendarIds, ...settings }: StoredCalendarSettings,
  calendars: readonly CalendarDescriptor[],
): StoredCalendarSettings {
  const calendarsById = new Map(calendars.map((calendar) => [calendar.id, calendar]));
  const ids = calendarIds?.filter((id) => calendarsById.has(id)) ?? [];
  return {
    ...settings,
    ...(bookingCalendarId !== undefined &&
      calendarsById.get(bookingCalendarId)?.canWrite && { bookingCalendarId }),
    ...(ids.length > 0 && { calendarIds: ids }),
  };
}

function findAccountName(
  credentials: CalendarCredentials | null,
  calendars: readonly CalendarDescriptor[],
): string | null {
  if (credentials?.provider === 'caldav') return credentials.addresses[0] ?? credentials.username;
  // The id of Google's primary calendar is the email address of the account.
  return calendars.find(({ isPrimary }) => isPrimary)?.id ?? null;
}

/**
 * Returns the calendar to which bookings are written by default: the account's primary calendar if it is
 * writable.
 */
function findPrimary(calendars: readonly CalendarDescriptor[]): CalendarDescriptor | undefined {
  return (
    calendars.find(({ isPrimary, canWrite }) => isPrimary && canWrite) ??
    calendars.find(({ canWrite }) => canWrite) ??
    calendars[0]
  );
}
