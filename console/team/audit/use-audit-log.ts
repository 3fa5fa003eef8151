import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Client } from '../../client/client.ts';
import { withQuery, type Query } from '../../client/paths.ts';
import type { AuditEvent } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 200;
const MAX_EXPORTED = 10_000;

/**
 * Loads the audit log, newest first.
 * @param url URL of the workspace's audit log
 */
export function useAuditLog(url: string, filters: Query) {
  const { client } = useSession();
  return useInfiniteQuery({
    queryKey: [url, filters],
    queryFn: ({ pageParam, signal }) =>
      client.get<AuditEvent[]>(withQuery(url, { ...filters, before: pageParam, limit: PAGE_SIZE }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (events) => (events.length < PAGE_SIZE ? null : (events.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
  });
}

/** Loads the events that match the filters, newest first, at most 10,000. */
export async function loadAllEvents(client: Client, url: string, filters: Query): Promise<AuditEvent[]> {
  const all: AuditEvent[] = [];
  let page: AuditEvent[];
  do {
    page = await client.get<AuditEvent[]>(
      withQuery(url, { ...filters, before: all.at(-1)?.id, limit: EXPORT_PAGE_SIZE }),
    );
    all.push(...page);
  } while (page.length === EXPORT_PAGE_SIZE && all.length < MAX_EXPORTED);
  return all;
}
