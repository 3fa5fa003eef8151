// Records the database of the release in package.json for test/database/upgrade.test.ts. It fills a database through the API
// and a worker, and dumps it to test/fixtures/. A recorded release never changes.
// Run it with: npm run build && npx tsx test/database/record-release.ts
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/global-setup.ts';
import { buildResources } from '../support/operation-calls.ts';
import { installPostgresClients } from '../support/postgres-clients.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { getDumpUrl, MASTER_KEY, getWorkspaceUrl, type ReleasedWorkspace } from './released-database.ts';

const DUMP_OPTIONS = ['--no-owner', '--no-privileges', '--no-comments', '--rows-per-insert=100'];
/** Matches lines to remove from the database dump: commands of psql, and settings that older servers do not know. */
const UNSUPPORTED_LINES = /^(?:\\.*|SET transaction_timeout.*)\n/gm;

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
if (existsSync(getDumpUrl(version))) throw new Error(`The database of ${version} is recorded already.`);
await mochaGlobalSetup();
try {
  const parley = await startParleyWithWorker({ PARLEY_MASTER_KEY: MASTER_KEY });
  try {
    const workspace = await fillWorkspace(parley);
    const sql = await dump(parley.runtime.settings.databaseUrl!);
    writeFileSync(getDumpUrl(version), gzipSync(sql, { level: 9 }));
    writeFileSync(getWorkspaceUrl(version), `${JSON.stringify(workspace, null, 2)}\n`);
  } finally {
    await parley.stop();
  }
} finally {
  await mochaGlobalTeardown();
}
process.exit();

/**
 * Creates one row of each kind, an indexed document, and a conversation that the bot has answered
 * from it.
 */
async function fillWorkspace(parley: TestParleyWithWorker): Promise<ReleasedWorkspace> {
  const { orgId, key, client, ids } = await buildResources(parley);
  const { bot_id: botId = '', public_key: publicKey = '' } = ids;
  const knowledge = `/api/bots/${botId}/knowledge` as const;
  const raw_text = '# Bees\n\nBees make honey in summer.';
  const document = await client.post(knowledge, { source_type: 'raw_text', title: 'Bees', raw_text });
  assert.equal(document.status, 201, JSON.stringify(document.body));
  const documentId = document.body.id as string;
  await waitUntil(async () => {
    const { body } = await client.get(`${knowledge}/${documentId}`);
    return body.status === 'indexed';
  }, 'the document to be indexed');
  const session = await parley.client().post(`/api/public/bots/${publicKey}/sessions`, {});
  const { session_id: conversationId, visitor_token: token } = session.body;
  const path = `/api/public/sessions/${conversationId}` as const;
  const answer = await parley.client(token).post(`${path}/messages`, { content: 'When do bees make honey?' });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { orgId, key, botId, publicKey, documentId, conversationId };
}

async function dump(databaseUrl: string): Promise<string> {
  const program = join(await installPostgresClients(), 'pg_dump');
  const sql = execFileSync(program, [...DUMP_OPTIONS, databaseUrl], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  return sql.replaceAll(UNSUPPORTED_LINES, '');
}
