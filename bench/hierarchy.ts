import type { Database } from '../entities/database.ts';
import { median, percentile, rounded, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';
import { withDatabase } from './support/people.ts';

/** Workspaces on each level below the first; with that one they are 5,000. */
const LEVELS = [9, 90, 900, 4000];
const CALLS = 200;
const WARM_UP_CALLS = 30;
const LIMIT_MS = 20;

/** getOrgHierarchy of 5,000 workspaces on five levels until the last byte is there, in turn with getOrg. */
export async function benchHierarchy(installation: Installation): Promise<Figure[]> {
  const { organization: org } = await call<{ organization: { id: string } }>(
    installation,
    'GET',
    '/api/auth/me',
  );
  await withDatabase(installation, (db) => fill(db, org.id));
  const paths = { hierarchy: `/api/orgs/${org.id}/hierarchy`, org: `/api/orgs/${org.id}` };
  const times: Record<keyof typeof paths, number[]> = { hierarchy: [], org: [] };
  for (let each = 0; each < WARM_UP_CALLS + CALLS; each += 1) {
    const hierarchyMs = await timed(installation, paths.hierarchy);
    const orgMs = await timed(installation, paths.org);
    if (each < WARM_UP_CALLS) continue;
    times.hierarchy.push(hierarchyMs);
    times.org.push(orgMs);
  }
  return figuresOf(times.hierarchy, times.org);
}

function figuresOf(times: number[], peerTimes: number[]): Figure[] {
  const figure = (name: string, of: (values: number[]) => number): Figure => ({
    bench: 'hierarchy',
    figure: `5,000 workspaces: ${name}`,
    value: rounded(of(times), 1),
    unit: 'ms',
    baseline: rounded(of(peerTimes), 1),
  });
  const p95 = figure('p95', (values) => percentile(values, 0.95));
  return [figure('p50', median), { ...p95, target: `≤ ${LIMIT_MS} ms`, ok: p95.value <= LIMIT_MS }];
}

export async function fill(db: Database, topId: string): Promise<void> {
  let above = [topId];
  for (const [level, count] of LEVELS.entries()) {
    const made = await db.sql<{ id: string }>(
      `INSERT INTO orgs (id, name, slug, parent_org_id)
       SELECT gen_random_uuid(), 'Workspace ' || n, 'workspace-' || $1 || '-' || n,
              ($2::uuid[])[1 + n % cardinality($2::uuid[])]
       FROM generate_series(1, $3::int) AS n RETURNING id`,
      [String(level), above, count],
    );
    above = made.map(({ id }) => id);
  }
  await db.sql('VACUUM ANALYZE orgs');
}

async function timed({ apiUrl, apiKey }: Installation, path: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return performance.now() - startedAt;
}
