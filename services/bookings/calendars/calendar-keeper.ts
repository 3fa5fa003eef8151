import { CalendarReconnect, type CalendarDescriptor } from '../../../adapters/calendars/calendar-provider.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type {
  CalendarConnection,
  CalendarProviderName,
  GivenCalendarSettings,
} from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBookingRepository } from '../../../repositories/bookings/calendar-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { AccessNotices, Actor } from '../../team/access-notices.ts';
import { accessWords } from '../../team/access-words.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { syncCalendarCommand } from './calendar-commands.ts';
import type { CalendarLeaving } from './calendar-leaving.ts';
import { openCredentials, sealCredentials, type CalendarCredentials } from './sealed-credentials.ts';

export interface CalendarKeeperDeps {
  connections: CalendarConnectionRepository;
  bookings: CalendarBookingRepository;
  orgs: Pick<OrgRepository, 'findOpenLocked'>;
  leaving: CalendarLeaving;
  outbox: OutboxService;
  accessNotices: Pick<AccessNotices, 'notify'>;
  keyring: Keyring;
}

/** An account that somebody has just connected. */
export interface ConnectedAccount {
  provider: CalendarProviderName;
  actor: Actor;
  credentials: CalendarCredentials | null;
  calendars: readonly CalendarDescriptor[];
}

/** Keeps what was connected, and forgets it. */
export class CalendarKeeper {
  readonly #deps: CalendarKeeperDeps;

  constructor(deps: CalendarKeeperDeps) {
    this.#deps = deps;
  }

  /**
   * Settings stay as they were; bookings that wait for a calendar go on. The access to another account that was connected
   * before is given up. Owners are mailed. Null where the workspace was deleted meanwhile.
   */
  keep(scope: OrgScope, account: ConnectedAccount): Promise<CalendarConnection | null> {
    return inTransaction(scope, async (own) => {
      const { connections, bookings, orgs, leaving, outbox, accessNotices } = this.#deps;
      if (!(await orgs.findOpenLocked(own))) return null;
      const former = await this.#lockOwn(own, account);
      const isSame = this.#isSame(former, account);
      const present = isSame ? former : await this.#replace(own, former, account);
      const row = this.#rowOf(present, account);
      await connections.update(own, present.id, {
        ...row,
        connectedAt: () => 'now()',
        updatedAt: () => 'now()',
      });
      const kept: CalendarConnection = { ...present, ...row };
      if (account.provider === 'local') return kept;
      // Events in another account stay where they are; those to come are written to this one as well.
      if (!isSame) await bookings.forgetEvents(own, kept.id);
      await outbox.command(own, syncCalendarCommand(kept));
      await leaving.tellWaiting(own, present.id);
      await accessNotices.notify(own.db, own.orgId, {
        actor: account.actor,
        kind: 'connectCalendar',
        notice: accessWords.calendarConnected(kept.accountEmail ?? 'an account', kept.provider),
      });
      return kept;
    });
  }

  /** Nobody sees it any more; a workflow gives the access up and removes it. @throws AppError `not_found` */
  disconnect(scope: OrgScope): Promise<CalendarConnection> {
    return inTransaction(scope, async (own) => {
      const left = await this.#deps.leaving.leavePresent(own);
      if (!left) throw new AppError('not_found', 'No calendar is connected.');
      return left;
    });
  }

  /** The row for another account than before; there is nothing to give up of one that had none. */
  async #replace(
    scope: OrgScope,
    former: CalendarConnection,
    account: ConnectedAccount,
  ): Promise<CalendarConnection> {
    if (former.sealedCredentials === null) return former;
    await this.#deps.leaving.leave(scope, former);
    const { settings, providerTimezone } = former;
    return { ...(await this.#lockOwn(scope, account)), settings, providerTimezone };
  }

  #isSame(former: CalendarConnection, { provider, credentials, calendars }: ConnectedAccount): boolean {
    const { id, sealedCredentials: sealed } = former;
    if (former.provider !== provider || former.accountEmail !== accountOf(credentials, calendars))
      return false;
    if (credentials?.provider !== 'caldav' || sealed === null) return sealed !== null || provider === 'local';
    // One address may have accounts on several servers, none of which is to hear of the others.
    return this.#homeOf(id, sealed) === credentials.homeUrl;
  }

  /** Undefined for what cannot be opened any more. */
  #homeOf(id: string, sealed: string): string | undefined {
    try {
      const former = openCredentials(this.#deps.keyring, id, sealed);
      return former.provider === 'caldav' ? former.homeUrl : undefined;
    } catch (error) {
      if (error instanceof CalendarReconnect) return undefined;
      throw error;
    }
  }

  async #lockOwn(scope: OrgScope, { provider, actor }: ConnectedAccount): Promise<CalendarConnection> {
    const { connections } = this.#deps;
    const present = await connections.findPresentLocked(scope);
    if (present) return present;
    await connections.insertFirst(scope, { id: newId(), provider, connectedBy: actor.userId });
    const made = await connections.findPresentLocked(scope);
    if (!made) throw new AppError('conflict', 'The calendar is being disconnected; try again.');
    return made;
  }

  #rowOf(present: CalendarConnection, account: ConnectedAccount) {
    const { provider, actor, credentials, calendars } = account;
    const primary = findPrimary(calendars);
    return {
      provider,
      accountEmail: accountOf(credentials, calendars),
      sealedCredentials: credentials && sealCredentials(this.#deps.keyring, present.id, credentials),
      settings: settingsWithin(present.settings, calendars),
      providerTimezone: primary?.timezone ?? (provider === 'local' ? null : present.providerTimezone),
      primaryCalendarId: primary?.id ?? null,
      health: 'healthy' as const,
      lastError: null,
      connectedBy: actor.userId,
      refreshLeaseUntil: null,
      syncDueAt: provider === 'local' ? null : new Date(),
    };
  }
}

/** Calendars that this account does not have are not asked. */
function settingsWithin(
  { bookingCalendarId, calendarIds, ...settings }: GivenCalendarSettings,
  calendars: readonly CalendarDescriptor[],
): GivenCalendarSettings {
  const known = new Map(calendars.map((calendar) => [calendar.id, calendar]));
  const ids = calendarIds?.filter((id) => known.has(id)) ?? [];
  return {
    ...settings,
    ...(bookingCalendarId !== undefined && known.get(bookingCalendarId)?.canWrite && { bookingCalendarId }),
    ...(ids.length > 0 && { calendarIds: ids }),
  };
}

function accountOf(
  credentials: CalendarCredentials | null,
  calendars: readonly CalendarDescriptor[],
): string | null {
  if (credentials?.provider === 'caldav') return credentials.addresses[0] ?? credentials.username;
  // Google's primary calendar is named like the account.
  return calendars.find(({ isPrimary }) => isPrimary)?.id ?? null;
}

/** The calendar that counts unless another one is chosen. */
function findPrimary(calendars: readonly CalendarDescriptor[]): CalendarDescriptor | undefined {
  return (
    calendars.find(({ isPrimary, canWrite }) => isPrimary && canWrite) ??
    calendars.find(({ canWrite }) => canWrite) ??
    calendars[0]
  );
}
