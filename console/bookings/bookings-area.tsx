import { NoSuchPage } from '../no-such-page.tsx';
import { isId } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { CalendarPage } from './calendar/calendar-page.tsx';
import { BookingsPage } from './list/bookings-page.tsx';
import { NewBookingPage } from './new/new-booking-page.tsx';

export interface BookingsAreaProps {
  /** Page of the area, or id of the open booking. */
  part: string | undefined;
  query: Record<string, string>;
}

/** Bookings and the connected calendar. */
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
