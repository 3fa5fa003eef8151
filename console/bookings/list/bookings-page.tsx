import { Button } from '@mantine/core';
import { IconPlus } from '../../shell/icons.ts';
import { withQuery } from '../../client/paths.ts';
import type { Booking } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { useNow } from '../../state/use-now.ts';
import { goTo, buildHref, currentRoute } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Page } from '../../components/page/page.tsx';
import { BookingTabs } from '../booking-tabs.tsx';
import { findRangeProblem, MAX_DAYS, readDayRange, toTimeRange, type DayRange } from '../day-range.ts';
import { getLocalDay } from '../times.ts';
import { REFRESH_MS, useCalendar } from '../use-calendar.ts';
import { BookingDays } from './booking-days.tsx';
import { BookingDialog } from './booking-dialog.tsx';
import { BookingFilters } from './booking-filters.tsx';
import { CalendarTrouble } from './calendar-trouble.tsx';

export interface BookingsPageProps {
  /** Id of the booking whose dialog is open. */
  id: string | undefined;
  /** Range of days and filters of the list of bookings, from the URL. */
  filters: Record<string, string>;
}

const MINUTE_MS = 60_000;

export function BookingsPage({ id, filters }: BookingsPageProps) {
  const calendar = useCalendar();
  const mayBook = usePermission()('bookings:write', 'member');
  return (
    <Page
      title="Bookings"
      tools={
        mayBook &&
        calendar.data?.connection && (
          <Button component="a" href={buildHref(['bookings', 'new'])} leftSection={<IconPlus />}>
            New booking
          </Button>
        )
      }
    >
      <BookingTabs current="list" />
      <LoadedView loaded={calendar}>
        {({ connection, zone }) => (
          <>
            <CalendarTrouble connection={connection} />
            <BookingList id={id} filters={filters} zone={zone} />
          </>
        )}
      </LoadedView>
    </Page>
  );
}

function BookingList({ id, filters, zone }: BookingsPageProps & { zone: string }) {
  const today = getLocalDay(useNow(MINUTE_MS), zone);
  const range = readDayRange(filters, today);
  const problem = findRangeProblem(range, MAX_DAYS);
  const bookings = useBookings(problem === undefined ? range : null, filters, zone);
  // Read the current URL, which may be newer than the URL with which this function was rendered.
  const filterBy = (changed: Record<string, string>): void =>
    goTo(buildHref(['bookings'], { ...currentRoute().query, ...changed }));
  const isFiltered = Boolean(filters['status'] ?? filters['bot_id']);
  return (
    <>
      <BookingFilters range={range} filters={filters} problem={problem} onChange={filterBy} />
      <p className="hint">Times are in {zone}.</p>
      {problem === undefined && (
        <LoadedView loaded={bookings}>
          {(shown) => (
            <BookingDays
              bookings={shown}
              range={range}
              today={today}
              zone={zone}
              filters={filters}
              isFiltered={isFiltered}
            />
          )}
        </LoadedView>
      )}
      {id !== undefined && (
        <BookingDialog
          key={id}
          id={id}
          zone={zone}
          onChange={bookings.reload}
          onClose={() => goTo(buildHref(['bookings'], filters))}
        />
      )}
    </>
  );
}

/**
 * Loads the bookings of a range of days.
 * @param range days to load; null to load nothing
 */
function useBookings(range: DayRange | null, filters: Record<string, string>, zone: string) {
  const { status, bot_id: botId } = filters;
  const url = range && withQuery('/api/bookings', { ...toTimeRange(range, zone), status, bot_id: botId });
  return useApi<Booking[]>(url, { reloadsOnVisit: true, everyMs: () => REFRESH_MS });
}
