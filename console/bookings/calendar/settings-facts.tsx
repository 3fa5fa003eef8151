import type { CalendarConnection } from '../../client/types.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { Section } from '../../components/page/section.tsx';
import { formatHour } from '../../components/text/format-hour.ts';

/** Shows the calendar settings to users who may not change them. */
export function SettingsFacts({ connection }: { connection: CalendarConnection }) {
  const { business_open_hour: opens, business_close_hour: closes, buffer_minutes: buffer } = connection;
  return (
    <Section title="Availability">
      <Facts
        facts={[
          ['Days', connection.weekdays_only ? 'Monday to Friday' : 'Every day'],
          ['Hours', `${formatHour(opens)} to ${formatHour(closes)}`],
          ['Time zone', connection.timezone],
          ['Duration', `${connection.slot_minutes} minutes`],
          ['Buffer between meetings', buffer === 0 ? 'None' : `${buffer} minutes`],
        ]}
      />
      <p className="hint">Only admins can change the availability settings.</p>
    </Section>
  );
}
