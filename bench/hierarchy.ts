import type { Database } from '../database/database.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';
import { withDatabase } from './support/people.ts';

/** Numbers of workspaces on each level below the first; with the first they are 5,000. */
const LEVELS = [9, 90, 900, 4000];
const CALLS = 200;
const WARM_UP_CALLS = 30;
const LIMIT_MS = 20;

/**
 * Measures the time until the last byte of getOrgHierarchy for 5,000 workspaces on five levels, in turn with
 * getOrg. Measures responses from the cache, and responses after one workspace has changed.
 */
export async function benchHierarchy(installation: Installation): Promise<Figure[]> {
  const { organization: org } = await call<{ organization: { id: string } }>(
    installation,
    'GET',
    '/api/auth/me',
  );
  return withDatabase(installation, async (db) => {
    await fill(db, org.id);
    const [p50, p95] = await compare(installation, org.id);
    const rename = () =>
      db.sql(
        `UPDATE orgs SET name = gen_random_uuid() WHERE id = (SELECT id FROM orgs WHERE parent_org_id = $1 LIMIT 1)`,
        [org.id],
      );
    const changed = await compare(installation, org.id, { name: ', one changed', before: rename });
    return [p50, { ...p95, target: `≤ ${LIMIT_MS} ms`, ok: p95.value <= LIMIT_MS }, ...changed];
  });
}

async function compare(
  installation: Installation,
  orgId: string,
  { name, before }: { name: string; before?: () => Promise<unknown> } = { name: '' },
): Promise<[p50: Figure, p95: Figure]> {
  const times: number[] = [];
  const baselineTimes: number[] = [];
  for (let each = 0; each < WARM_UP_CALLS + CALLS; each += 1) {
    await before?.();
    const hierarchyMs = await measureRequest(installation, `/api/orgs/${orgId}/hierarchy`);
    const orgMs = await measureRequest(installation, `/api/orgs/${orgId}`);
    if (each < WARM_UP_CALLS) continue;
    times.push(hierarchyMs);
    baselineTimes.push(orgMs);
  }
  const figure = (of: string, statistic: (values: number[]) => number): Figure => ({
    bench: 'hierarchy',
    figure: `5,000 workspaces${name}: ${of}`,
    value: roundTo(statistic(times), 1),
    unit: 'ms',
    baseline: roundTo(statistic(baselineTimes), 1),
  });
  return [figure('p50', median), figure('p95', (values) => percentile(values, 0.95))];
}

export async function fill(db: Database, topId: string): Promise<void> {
  let above = [topId];
  for (const [level, count] of LEVELS.entries()) {
    const createdRows = await db.sql<{ id: string }>(
      `INSERT INTO orgs (id, name, slug, payer_id, parent_org_id)
       SELECT gen_random_uuid(), 'Workspace ' || n, 'workspace-' || $1 || '-' || n, $4::uuid,
              ($2::uuid[])[1 + n % cardinality($2::uuid[])]
       FROM generate_series(1, $3::int) AS n RETURNING id`,
      [String(level), above, count, topId],
    );
    above = createdRows.map(({ id }) => id);
  }
  await db.sql('VACUUM ANALYZE orgs');
}

async function measureRequest({ apiUrl, apiKey }: Installation, path: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return performance.now() - startedAt;
}
