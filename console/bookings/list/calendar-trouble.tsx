import { Alert, Button, Group } from '@mantine/core';
import type { CalendarConnection } from '../../client/types.ts';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { healthWords } from '../calendar/health-words.ts';

/**
 * Explains why meetings cannot be booked, or only with restrictions, and who can solve this. Renders nothing
 * for a healthy calendar.
 */
export function CalendarTrouble({ connection }: { connection: CalendarConnection | null }) {
  const mayChange = usePermission()('bookings:write', 'admin');
  if (connection?.health === 'healthy') return null;
  const isNotice = connection === null || connection.health === 'paused';
  return (
    <Alert color={isNotice ? 'brand' : 'red'} role="status">
      <Group justify="space-between">
        <span>
          {connection === null
            ? 'Connect a calendar to start taking bookings.'
            : healthWords[connection.health].text}
          {!mayChange && ' Ask an admin to set it up.'}
        </span>
        <Button component="a" size="xs" href={buildHref(['bookings', 'calendar'])}>
          {mayChange ? 'Set up calendar' : 'View calendar'}
        </Button>
      </Group>
    </Alert>
  );
}
