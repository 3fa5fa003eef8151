import { NoSuchPage } from '../no-such-page.tsx';
import { isId } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { CalendarPage } from './calendar/calendar-page.tsx';
import { BookingsPage } from './list/bookings-page.tsx';
import { NewBookingPage } from './new/new-booking-page.tsx';

export interface BookingsAreaProps {
  /** Name of the bookings page in the URL, or id of the booking to open. */
  part: string | undefined;
  query: Record<string, string>;
}

/** Renders the page of bookings, or of the connected calendar, that the URL names. */
export function BookingsArea({ part, query }: BookingsAreaProps) {
  const { me } = useSession();
  if (part !== undefined && part !== 'new' && part !== 'calendar' && !isId(part)) return <NoSuchPage />;
  return (
    <LoadedView loaded={me}>
      {() => {
        if (part === 'calendar') return <CalendarPage result={query['result']} />;
        if (part === 'new') return <NewBookingPage />;
        return <BookingsPage id={part} filters={query} />;
      }}
    </LoadedView>
  );
}
