import type { CalendarConnection } from '../../client/types.ts';
import { usePermission } from '../../session/use-permission.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Page } from '../../components/page/page.tsx';
import { BookingTabs } from '../booking-tabs.tsx';
import { toKnownZone } from '../times.ts';
import { useCalendar } from '../use-calendar.ts';
import { CalendarSettings } from './calendar-settings.tsx';
import { ConnectCalendar } from './connect-calendar.tsx';
import { ConnectionPart } from './connection-part.tsx';
import { ResultNotice } from './result-notice.tsx';
import { SettingsFacts } from './settings-facts.tsx';

/**
 * @param result outcome of connecting a calendar, from the URL to which the provider redirected; undefined
 *   otherwise
 */
export function CalendarPage({ result }: { result: string | undefined }) {
  const calendar = useCalendar();
  const mayChange = usePermission()('bookings:write', 'admin');
  return (
    <Page title="Calendar">
      <BookingTabs current="calendar" />
      <ResultNotice result={result} />
      <LoadedView loaded={calendar}>
        {({ connection, zone }) => (
          <>
            <ConnectionPart connection={connection} mayChange={mayChange} onChange={calendar.reload} />
            {mayChange && needsCalendar(connection) && <ConnectCalendar connection={connection} />}
            {mayChange && (
              <CalendarSettings
                connection={connection}
                zone={zone}
                onSaved={(saved) => calendar.set({ connection: saved, zone: toKnownZone(saved.timezone) })}
              />
            )}
            {mayChange && !needsCalendar(connection) && <ConnectCalendar connection={connection} />}
            {!mayChange && connection !== null && <SettingsFacts connection={connection} />}
          </>
        )}
      </LoadedView>
    </Page>
  );
}

/** Whether the user must connect a calendar before meetings can be booked. */
function needsCalendar(connection: CalendarConnection | null): boolean {
  return connection === null || connection.health === 'reconnect_needed';
}
