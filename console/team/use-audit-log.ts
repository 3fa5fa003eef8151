import { withQuery } from '../client/paths.ts';
import type { AuditEvent } from '../client/types.ts';
import { useAction, type Action } from '../state/use-action.ts';
import { useLoad, type Loaded } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';

const LIMIT = 50;

interface AuditEvents {
  events: AuditEvent[];
  /** Whether the log may have older events than the loaded ones. */
  hasMore: boolean;
}

export interface AuditLog extends Loaded<AuditEvents> {
  more: Action<[]>;
}

/**
 * Loads the audit log, newest first.
 * @param url URL of the workspace's audit log
 */
export function useAuditLog(url: string, filters: Record<string, string | undefined>): AuditLog {
  const { client } = useSession();
  const fetchEvents = async (before?: string, signal?: AbortSignal): Promise<AuditEvents> => {
    const address = withQuery(url, { ...filters, before, limit: LIMIT });
    const events = await client.get<AuditEvent[]>(address, signal);
    return { events, hasMore: events.length === LIMIT };
  };
  const loaded = useLoad((signal) => fetchEvents(undefined, signal), [client, withQuery(url, filters)]);
  const { data, change } = loaded;
  const more = useAction(async () => {
    const older = await fetchEvents(data?.events.at(-1)?.id);
    change(({ events }) => ({ ...older, events: [...events, ...older.events] }));
  });
  return { ...loaded, more };
}
