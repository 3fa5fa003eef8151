import { Text } from '@mantine/core';
import { useState } from 'react';
import { withQuery } from '../../client/paths.ts';
import type { Booking, CalendarConnection } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Section } from '../../components/page/section.tsx';
import { Status } from '../../components/lists/status.tsx';
import { TimeText } from '../../components/text/time-text.tsx';
import { healthWords } from './health-words.ts';
import { providerNames } from './provider-names.ts';

export interface ConnectionPartProps {
  connection: CalendarConnection | null;
  mayChange: boolean;
  onChange(): void;
}

/** Shows the connected calendar and whether it works. */
export function ConnectionPart({ connection, mayChange, onChange }: ConnectionPartProps) {
  if (connection === null)
    return (
      <Section title="No calendar connected">
        <p>
          Visitors can book meetings once the workspace has a calendar.{' '}
          {mayChange
            ? 'Connect one, or save the availability below to use the built-in calendar.'
            : 'An admin can connect one.'}
        </p>
      </Section>
    );
  const { provider, health, last_error: error, account_email: account } = connection;
  const { tone, name, text } = healthWords[health];
  return (
    <Section title="Calendar connection">
      <Text role="status">{text}</Text>
      <Facts
        facts={[
          [
            'Status',
            <Status key="status" tone={tone}>
              {name}
            </Status>,
          ],
          ['Last error', error],
          ['Calendar', providerNames[provider]],
          ['Account', account],
          ['Connected on', <TimeText key="connected" at={connection.connected_at} />],
          [
            'Last updated',
            provider === 'local' ? null : <RelativeTime key="read" at={connection.last_synced_at} />,
          ],
        ]}
      />
      {mayChange && <Disconnect connection={connection} onDone={onChange} />}
    </Section>
  );
}

function Disconnect({ connection, onDone }: { connection: CalendarConnection; onDone(): void }) {
  const { client } = useSession();
  const upcoming = useUpcomingCount();
  const disconnect = async (): Promise<void> => {
    await client.delete('/api/calendar/connection');
    showConfirmation('Calendar disconnected');
    onDone();
  };
  return (
    <div>
      <ConfirmButton
        question="Disconnect calendar?"
        consequence={`Visitors can't book until you connect a calendar again. ${describeUpcoming(upcoming)} ${
          connection.provider === 'local'
            ? 'The availability settings are deleted.'
            : 'We revoke our access and delete the settings. Events in your calendar stay but are no longer updated.'
        }`}
        onConfirm={disconnect}
        otherwise="Keep"
      >
        Disconnect
      </ConfirmButton>
    </div>
  );
}

/**
 * Returns the number of bookings in the next 91 days, the maximum that the API lists; undefined while
 * loading.
 */
function useUpcomingCount(): number | undefined {
  const [url] = useState(() => {
    const to = new Date(Date.now() + UPCOMING_MS).toISOString();
    return withQuery('/api/bookings', { to, status: 'confirmed' });
  });
  const { data } = useApi<Booking[]>(url);
  return data?.length;
}

const UPCOMING_MS = 91 * 86_400_000;

function describeUpcoming(count: number | undefined): string {
  if (count === 0) return 'No upcoming bookings.';
  const subject = count === undefined ? 'Upcoming bookings' : formatCount(count, 'upcoming booking');
  return count === 1
    ? `${subject} and its reminder are kept. You can still cancel the booking here.`
    : `${subject} and their reminders are kept. You can still cancel the bookings here.`;
}
