import { ApiError } from '../client/api-error.ts';
import type { Client } from '../client/client.ts';
import type { CalendarConnection } from '../client/types.ts';
import { useLoaded, type Cached } from '../state/use-loaded.ts';
import { loadWorkspaceZone } from '../state/load-workspace-zone.ts';
import { useSession } from '../session/session.tsx';
import { toKnownZone } from './times.ts';

/** Interval in milliseconds for loading bookings and calendars again, since other people change them. */
export const REFRESH_MS = 15_000;

export interface Calendar {
  /** Connected calendar; null if no calendar is connected. */
  connection: CalendarConnection | null;
  /**
   * Time zone for the days and times that the console shows: the calendar's time zone, or else the
   * workspace's.
   */
  zone: string;
}

export function useCalendar(): Cached<Calendar> {
  const { client, me } = useSession();
  const orgId = me.data?.organization?.id;
  return useLoaded(
    ['calendar', orgId],
    async (signal) => {
      const connection = await loadConnection(client, signal);
      const zone = connection?.timezone ?? (await loadWorkspaceZone(client, orgId, signal));
      return { connection, zone: toKnownZone(zone) };
    },
    { reloadsOnVisit: true, everyMs: () => REFRESH_MS },
  );
}

async function loadConnection(client: Client, signal: AbortSignal): Promise<CalendarConnection | null> {
  try {
    return await client.get<CalendarConnection>('/api/calendar/connection', signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
