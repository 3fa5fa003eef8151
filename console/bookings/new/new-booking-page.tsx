import { Anchor } from '@mantine/core';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Page } from '../../components/page/page.tsx';
import { IconCalendar } from '../../shell/icons.ts';
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
        <EmptyState
          icon={<IconCalendar size={32} />}
          title="You can't create bookings"
          action={<Anchor href={buildHref(['bookings'])}>View bookings</Anchor>}
        >
          Your role or API key only lets you read bookings.
        </EmptyState>
      )}
    </Page>
  );
}
