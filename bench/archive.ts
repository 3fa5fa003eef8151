import { Database } from '../database/database.ts';
import { createDataSource } from '../entities/data-source.ts';
import type { ArchiveJobRead } from '../api/archive/archive.schemas.ts';
import { downloadParts, waitForJobEnd, upload } from '../test/archive/support.ts';
import { fillChats } from '../test/archive/many-chats.ts';
import { createClient, type ApiClient } from '../test/support/api-client.ts';
import { roundTo, type Figure } from './support/figure.ts';
import { call, resetWorkerPeak, readWorkerPeakMegabytes, type Installation } from './support/installation.ts';

const MESSAGES = Number(process.env['MESSAGES'] ?? 1_000_000);
const MESSAGES_EACH = 10;
const EXPORT_SECONDS = 60;
const IMPORT_SECONDS = 180;
const MAX_MEGABYTES = 120;
const BEFORE_ALL = '2020-01-01T00:00:00.000Z';

/**
 * Measures exportArchive and importArchive of 1,000,000 messages in 100,000 conversations, with the worker's memory.
 */
export async function benchArchive(installation: Installation): Promise<Figure[]> {
  const { databaseUrl, apiUrl, apiKey } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 2 }, 'bench', 0).initialize();
  const db = new Database(dataSource);
  const client = createClient(apiUrl, apiKey);
  try {
    const { id: botId } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
    const [bot] = await db.sql<{ org_id: string }>('SELECT org_id FROM bots WHERE id = $1', [botId]);
    await fill(db, { orgId: bot!.org_id, botId });
    // Warm up: the system may have removed code of the idle worker from memory. Loading that code again must
    // not count.
    await waitForCompletion(client, (await client.post('/api/archive/export', { to: BEFORE_ALL })).body.id);
    const idle = resetIdlePeak(installation);
    const exported = await measureJob(installation, async () => {
      const { body: job } = await client.post('/api/archive/export', {});
      return waitForCompletion(client, job.id);
    });
    const files = await downloadParts(client, exported.result);
    await deleteChats(db, botId);
    const imported = await measureJob(installation, async () => {
      const jobs = [];
      for (const file of files) {
        const job = (await (await upload(client, file)).json()) as ArchiveJobRead;
        jobs.push(await waitForCompletion(client, job.id));
      }
      return jobs;
    });
    const messages = imported.result.reduce((sum, { counts }) => sum + counts.messages, 0);
    if (messages !== MESSAGES) throw new Error(`${messages} of ${MESSAGES} messages were imported.`);
    return [
      ...toJobFigures('export', exported, idle, EXPORT_SECONDS),
      ...toJobFigures('import', imported, idle, IMPORT_SECONDS),
      {
        bench: 'archive',
        figure: 'size of the archive',
        value: roundTo(exported.result.size_bytes / 1e6),
        unit: 'MB',
        note: `${files.length} parts`,
      },
    ];
  } finally {
    await dataSource.destroy();
  }
}

async function fill(db: Database, place: { orgId: string; botId: string }): Promise<void> {
  await fillChats(db, place, { conversations: MESSAGES / MESSAGES_EACH, messages: MESSAGES_EACH });
  await db.sql('VACUUM ANALYZE conversations, messages, contacts');
}

/** Deletes all messages by SQL, faster than the API operations, which delete row by row. */
async function deleteChats(db: Database, botId: string): Promise<void> {
  await db.sql('TRUNCATE conversations CASCADE');
  await db.sql('DELETE FROM contacts WHERE bot_id = $1', [botId]);
  await db.sql('VACUUM ANALYZE conversations, messages, contacts');
}

/** @throws Error if the archive job has failed */
async function waitForCompletion(client: ApiClient, id: string): Promise<ArchiveJobRead> {
  const job = await waitForJobEnd(client, id, Infinity);
  if (job.status === 'failed') throw new Error(job.error_message ?? '');
  return job;
}

function resetIdlePeak(installation: Installation): number | null {
  resetWorkerPeak(installation);
  return readWorkerPeakMegabytes(installation);
}

interface MeasuredJob<T> {
  result: T;
  seconds: number;
  megabytes: number | null;
}

async function measureJob<T>(installation: Installation, work: () => Promise<T>): Promise<MeasuredJob<T>> {
  resetWorkerPeak(installation);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { result, seconds, megabytes: readWorkerPeakMegabytes(installation) };
}

function toJobFigures(
  what: string,
  { seconds, megabytes }: MeasuredJob<unknown>,
  idle: number | null,
  max: number,
): Figure[] {
  const of = `of ${MESSAGES.toLocaleString('en-US')} messages`;
  const shared = { bench: 'archive' };
  const time: Figure = {
    ...shared,
    figure: `${what} ${of}`,
    value: roundTo(seconds),
    unit: 's',
    target: `at most ${max} s`,
    ok: seconds <= max,
  };
  if (megabytes === null || idle === null) return [time];
  const more = megabytes - idle;
  const memory: Figure = {
    ...shared,
    figure: `${what}: peak memory of the worker above idle`,
    value: roundTo(more, 0),
    unit: 'MB',
    target: `at most ${MAX_MEGABYTES} MB`,
    ok: more <= MAX_MEGABYTES,
  };
  return [time, memory];
}
