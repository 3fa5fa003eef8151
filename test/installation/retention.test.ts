import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { DataSource, EntityMetadata } from 'typeorm';
import { newId } from '../../core/ids.ts';
import { Database } from '../../database/database.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import { EXPIRED, type Expiry } from '../../repositories/installation/expiry.sql.ts';
import { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';
import { workflowCatalog } from '../../core/workflows/workflow-catalog.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LIFETIMES } from './lifetimes.ts';

type ExpiredKind = keyof typeof EXPIRED;
/** Columns of a database row, with their values as SQL. */
type RowSql = Readonly<Record<string, string>>;

/** Rows of one kind: those that are due for deletion, and those that must stay. */
interface RetentionCase {
  deleted: RowSql[];
  kept: RowSql[];
}

const SETTINGS = { logDays: 30, mailLogDays: 7 };

const ago = (interval: string) => `now() - interval '${interval}'`;
const monthsAgo = (count: number) =>
  `(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '${count} months')::date`;
/** Returns SQL for a UUIDv7 of a time the interval ago, with a random end. */
const sqlIdAt = (interval: string) =>
  `(lpad(to_hex(floor(extract(epoch FROM ${ago(interval)}) * 1000)::bigint), 12, '0') || '7' ||
    substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;

const MINUTE = '1 minute';
/** Builds two rows, one a minute older than an age and one a minute younger. */
const at = (column: string, age: string, also: RowSql = {}): RetentionCase => ({
  deleted: [{ ...also, [column]: ago(`${age} ${MINUTE}`) }],
  kept: [{ ...also, [column]: `${ago(age)} + interval '${MINUTE}'` }],
});
const byId = (days: number, also: RowSql = {}): RetentionCase => ({
  deleted: [{ ...also, id: sqlIdAt(`${days} days ${MINUTE}`) }],
  kept: [{ ...also, id: sqlIdAt(`${days - 1} days 23 hours`) }],
});
const byMonth: RetentionCase = { deleted: [{ month: monthsAgo(4) }], kept: [{ month: monthsAgo(3) }] };
const expiring: RetentionCase = at('expires_at', '0 days');
const withKeptRows = (base: RetentionCase, ...kept: RowSql[]): RetentionCase => ({
  ...base,
  kept: [...base.kept, ...kept],
});
const joinCases = (first: RetentionCase, ...others: RetentionCase[]): RetentionCase => ({
  deleted: [first, ...others].flatMap(({ deleted }) => deleted),
  kept: [first, ...others].flatMap(({ kept }) => kept),
});

const place = (destination: string): RowSql => ({
  channel: `'whatsapp'`,
  destination: `'${destination}'`,
});
const OLD = ago('3 years');

const CASES: Readonly<Record<ExpiredKind, RetentionCase>> = {
  idempotencyKeys: expiring,
  rateWindows: expiring,
  answeredChallenges: expiring,
  identityAttempts: expiring,
  calendarAttempts: expiring,
  sessions: expiring,
  knownAddresses: expiring,
  accountLinks: expiring,
  signInCodes: expiring,
  deviceLogins: expiring,
  botGenerations: expiring,
  alertAttempts: expiring,
  accountRequests: at('created_at', '7 days'),
  auditEvents: at('created_at', '2 years'),
  apiKeys: withKeptRows(
    joinCases(
      at('revoked_at', '2 years', { created_at: OLD }),
      at('expires_at', '2 years', { created_at: OLD }),
      at('revoked_at', '2 years', { created_at: OLD, expires_at: OLD }),
    ),
    { created_at: OLD },
  ),
  invitations: joinCases(
    ...(['pending', 'accepted', 'expired', 'revoked'].map((status) =>
      at('expires_at', '90 days', { status: `'${status}'`, created_at: OLD }),
    ) as [RetentionCase]),
  ),
  checkouts: withKeptRows(
    joinCases(
      at('expires_at', '90 days', { state: `'expired'` }),
      at('expires_at', '90 days', { state: `'failed'` }),
    ),
    ...['preparing', 'open', 'paying', 'completed'].map((state) => ({
      state: `'${state}'`,
      product: `'topup'`,
      expires_at: OLD,
    })),
  ),
  billingEvents: at('created_at', '90 days'),
  planMonths: byMonth,
  planNotices: byMonth,
  monthlyUsage: byMonth,
  refusedAddresses: at('refused_at', '180 days'),
  toolInvocations: byId(30),
  loggedRequests: byId(7),
  deliveries: withKeptRows(
    joinCases(byId(30, { status: `'delivered'` }), byId(30, { status: `'failed'` })),
    { id: sqlIdAt('31 days'), status: `'pending'` },
    { id: sqlIdAt('31 days'), status: `'retrying'` },
  ),
  mails: withKeptRows(
    joinCases(
      byId(7, { state: `'sent'` }),
      byId(7, { state: `'pending'` }),
      byId(7, { state: `'kept'`, key_id: 'gen_random_uuid()' }),
    ),
    { id: sqlIdAt('8 days'), state: `'pending'`, key_id: 'gen_random_uuid()' },
  ),
  alerts: withKeptRows(
    at('created_at', '30 days', { state: `'sent'` }),
    { created_at: OLD, state: `'pending'` },
    { created_at: OLD, state: `'held'` },
  ),
  alertMessages: withKeptRows(
    at('created_at', '30 days', { state: `'delivered'` }),
    { created_at: OLD, state: `'pending'` },
    { created_at: OLD, state: `'sending'` },
  ),
  alertDays: { deleted: [{ date: 'current_date - 31' }], kept: [{ date: 'current_date - 30' }] },
  inbound: at('received_at', '9 days'),
  alertDestinations: {
    deleted: [
      { ...place('unverified-old'), updated_at: ago(`1 day ${MINUTE}`) },
      { ...place('verified-old'), verified_at: OLD, updated_at: ago(`30 days ${MINUTE}`) },
    ],
    kept: [
      { ...place('unverified-new'), updated_at: ago('23 hours') },
      { ...place('verified-new'), verified_at: OLD, updated_at: ago('29 days') },
      { ...place('blocked'), blocked_at: OLD, updated_at: OLD },
      { ...place('of-a-policy'), updated_at: OLD },
    ],
  },
  eventCounts: {
    deleted: [{ hour: ago(`35 days ${MINUTE}`), name: `'lead.captured'` }],
    kept: [{ hour: ago('34 days'), name: `'lead.captured'` }],
  },
  deletedConversations: at('deleted_at', '60 days'),
};

describe('retention', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let db: Database;
  before(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({ databaseUrl: database.url, databasePool: 4 }).initialize();
    db = new Database(dataSource);
  });
  after(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function listTables(): Promise<string[]> {
    const rows = await db.sql<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> 'migrations' ORDER BY relname`,
    );
    return rows.map(({ name }) => name);
  }

  it('has one rule for each table of the schema, in test/installation/lifetimes.ts', async () => {
    const named = Object.keys(LIFETIMES);
    assert.deepEqual(named.toSorted(), (await listTables()).toSorted());
    const mapped = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    assert.deepEqual(mapped.toSorted(), named.toSorted());
  });

  it('is done by purgeExpired for exactly the tables whose rule names it', () => {
    const purged = Object.values<Expiry>(EXPIRED).map(
      ({ entity }) => dataSource.getMetadata(entity).tableName,
    );
    const ruled = Object.entries(LIFETIMES).filter(
      ([, rule]) => rule.kind === 'age' && rule.by === 'purgeExpired',
    );
    assert.deepEqual(
      purged.toSorted(),
      ruled.map(([table]) => table),
    );
    for (const rule of Object.values(LIFETIMES))
      if (rule.kind === 'age') assert.ok(Object.hasOwn(workflowCatalog, rule.by), rule.by);
  });

  it('deletes rows with the parent in their rule, by cascading references', async () => {
    const references = await db.sql<{ name: string; parent: string }>(
      `SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS parent FROM pg_constraint
       WHERE contype = 'f' AND confdeltype = 'c'`,
    );
    for (const [table, rule] of Object.entries(LIFETIMES))
      if (rule.kind === 'parent')
        assert.ok(
          references.some(({ name, parent }) => name === table && parent === rule.of),
          `${table} has no reference to ${rule.of} that cascades`,
        );
  });

  it('is documented in docs/operating.md: rows that are purged by age, and rows that are stored permanently', () => {
    const [, section = ''] = readFileSync('docs/operating.md', 'utf8').split('\n## Retention\n');
    const lines = section.split('\n## ')[0]!.split('\n');
    const documented = lines
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    assert.deepEqual(
      documented.map(([, table, what, by]) => (by === '' ? [table, what] : [table, what, by])),
      [
        ...Object.entries(LIFETIMES).flatMap(([table, rule]) =>
          rule.kind === 'age' ? [[`\`${table}\``, rule.rule, `\`${rule.by}\``]] : [],
        ),
        ...Object.entries(LIFETIMES).flatMap(([table, rule]) =>
          rule.kind === 'kept' ? [[`\`${table}\``, rule.why]] : [],
        ),
      ],
    );
  });

  it('lets purgeExpired delete rows above their age, and no younger rows', async () => {
    const parents = await buildParents();
    await db.sql(
      `INSERT INTO alert_policies (id, org_id, channel, destination, intensity, digest, digest_hour, digest_weekday, timezone)
       VALUES (gen_random_uuid(), $1, 'whatsapp', 'of-a-policy', 'all', 'none', 9, 1, 'UTC')`,
      [parents.get('orgs')],
    );
    const expected: Record<string, string> = {};
    for (const [kind, { deleted, kept }] of Object.entries(CASES)) {
      const metadata = dataSource.getMetadata(EXPIRED[kind as ExpiredKind].entity);
      for (const [outcome, rows] of Object.entries({ deleted, kept }))
        for (const row of rows)
          expected[`${metadata.tableName} ${await insert(metadata, row, parents)}`] =
            `${outcome} ${JSON.stringify(row)}`;
    }
    const { removed, isMore } = await new ExpiryRepository(SETTINGS).deleteBatch(db);
    const left = new Set<string>();
    for (const kind of Object.keys(CASES)) {
      const { tableName } = dataSource.getMetadata(EXPIRED[kind as ExpiredKind].entity);
      const rows = await db.sql<{ place: string }>(`SELECT ctid::text AS place FROM "${tableName}"`);
      for (const { place: each } of rows) left.add(`${tableName} ${each}`);
    }
    const wrong = Object.entries(expected).filter(
      ([row, outcome]) => left.has(row) !== outcome.startsWith('kept'),
    );
    assert.deepEqual(wrong, []);
    for (const [kind, { deleted }] of Object.entries(CASES))
      assert.equal(removed[kind as ExpiredKind], deleted.length, kind);
    assert.equal(isMore, false);
  });

  it('lets purgeExpired keep an old destination for which a policy is being saved', async () => {
    const parents = await buildParents();
    const metadata = dataSource.getMetadata(AlertDestination);
    await insert(metadata, { ...place('being-saved'), updated_at: OLD }, parents);
    const destination = { channel: 'whatsapp', destination: 'being-saved' } as const;
    await db.transaction(async (tx) => {
      const scope = { orgId: parents.get('orgs')!, db: tx };
      await new AlertDestinationRepository().upsert(scope, destination);
      await new ExpiryRepository(SETTINGS).deleteBatch(db);
    });
    assert.equal(await db.repository(AlertDestination).countBy(destination), 1);
  });

  it('is tested for each kind of row that purgeExpired deletes', () => {
    assert.deepEqual(Object.keys(CASES).toSorted(), Object.keys(EXPIRED).toSorted());
  });

  /** Inserts one row into each table to which deleted rows refer; returns ids by table. */
  async function buildParents(): Promise<Map<string, string>> {
    const parents = new Map<string, string>();
    for (const table of ['orgs', 'users', 'bots', 'webhooks']) {
      const metadata = dataSource.entityMetadatas.find(({ tableName }) => tableName === table)!;
      const id = newId();
      const own: RowSql = { id: `'${id}'`, ...(table === 'orgs' && { payer_id: `'${id}'` }) };
      await insert(metadata, own, parents);
      parents.set(table, id);
    }
    return parents;
  }

  /**
   * Inserts a row with an arbitrary value for each required column that is not given; returns the
   * condition that finds it.
   */
  async function insert(
    metadata: EntityMetadata,
    given: RowSql,
    parents: ReadonlyMap<string, string>,
  ): Promise<string> {
    const row = new Map(Object.entries(given));
    for (const column of metadata.columns) {
      if (row.has(column.databaseName) || column.isNullable || column.default !== undefined) continue;
      const parent = metadata.foreignKeys.find(({ columns }) => columns.includes(column));
      const parentId = parent && parents.get(parent.referencedEntityMetadata.tableName);
      row.set(column.databaseName, parentId ? `'${parentId}'` : sqlPlaceholder(column));
    }
    const [inserted] = await db.sql<{ place: string }>(
      `INSERT INTO "${metadata.tableName}" (${[...row.keys()].map((name) => `"${name}"`).join(', ')})
       VALUES (${[...row.values()].join(', ')}) RETURNING ctid::text AS place`,
    );
    return inserted!.place;
  }
});

const MADE_UP: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  boolean: 'false',
  json: `'{}'`,
  jsonb: `'{}'`,
  bytea: `''`,
  timestamptz: 'now()',
  date: 'current_date',
};

function sqlPlaceholder({ type, isArray }: EntityMetadata['columns'][number]): string {
  return isArray ? `'{}'` : (MADE_UP[String(type)] ?? '1');
}
