import type { Client } from '../../client/client.ts';
import { withQuery, type Query } from '../../client/paths.ts';
import type { AuditEvent } from '../../client/types.ts';

const PAGE_SIZE = 200;
const MAX_EXPORTED = 10_000;

/** Loads up to 10,000 events of the audit log that match the filters, newest first. */
export async function loadAllEvents(client: Client, url: string, filters: Query): Promise<AuditEvent[]> {
  const all: AuditEvent[] = [];
  let page: AuditEvent[];
  do {
    page = await client.get<AuditEvent[]>(
      withQuery(url, { ...filters, before: all.at(-1)?.id, limit: PAGE_SIZE }),
    );
    all.push(...page);
  } while (page.length === PAGE_SIZE && all.length < MAX_EXPORTED);
  return all;
}
