import type { CalendarConnection } from '../../client/types.ts';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { formatHour } from '../../ui/format-hour.ts';

/** Shows the calendar settings to users who may not change them. */
export function SettingsFacts({ connection }: { connection: CalendarConnection }) {
  const { business_open_hour: opens, business_close_hour: closes, buffer_minutes: buffer } = connection;
  return (
    <Section title="When meetings can be booked">
      <Facts
        facts={[
          ['Days', connection.weekdays_only ? 'Monday to Friday' : 'Every day'],
          ['Hours', `${formatHour(opens)} to ${formatHour(closes)}`],
          ['Time zone', connection.timezone],
          ['A meeting', `${connection.slot_minutes} minutes`],
          ['In between', buffer === 0 ? 'nothing' : `${buffer} minutes`],
        ]}
      />
      <p class="hint">An admin can change this.</p>
    </Section>
  );
}
