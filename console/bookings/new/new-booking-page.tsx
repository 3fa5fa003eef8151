import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { LoadedView } from '../../components/loaded-view.tsx';
import { Page } from '../../components/page.tsx';
import { BookingTabs } from '../booking-tabs.tsx';
import { CalendarTrouble } from '../list/calendar-trouble.tsx';
import { useCalendar } from '../use-calendar.ts';
import { NewBookingForm } from './new-booking-form.tsx';

/** Page on which a member of the team books a meeting for another person. */
export function NewBookingPage() {
  const calendar = useCalendar();
  const mayBook = usePermission()('bookings:write', 'member');
  return (
    <Page title="New booking">
      <BookingTabs current="list" />
      {mayBook ? (
        <LoadedView loaded={calendar}>
          {({ connection, zone }) => (
            <>
              <CalendarTrouble connection={connection} />
              {connection !== null && <NewBookingForm zone={zone} />}
            </>
          )}
        </LoadedView>
      ) : (
        <p className="empty">
          Only members with the scope <code>bookings:write</code> can book.{' '}
          <a href={buildHref(['bookings'])}>View bookings</a>
        </p>
      )}
    </Page>
  );
}
