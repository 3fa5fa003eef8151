import { CalendarUnavailable, type CalendarAccount } from '../../../adapters/calendars/calendar-provider.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';

/** Opens the accounts that connections have the credentials of. */
export class CalendarAccounts {
  /** @throws CalendarUnavailable for a connection without an account */
  open(_scope: OrgScope, { provider }: CalendarConnection): CalendarAccount {
    throw new CalendarUnavailable(`There is no account at ${provider}.`);
  }
}
