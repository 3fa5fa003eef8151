import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { buildBot, startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { buildChats, type BuiltChat } from './chats.ts';
import {
  downloadParts,
  runExport,
  readArchiveFiles,
  readArchiveManifest,
  readArchiveRecords,
} from './support.ts';

describe('exports of archives:', () => {
  let parley: SharedParleyWithWorker;

  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  async function buildOrg(chats: readonly BuiltChat[]) {
    const org = await parley.buildOrg();
    const botIds = [await buildBot(org), await buildBot(org)];
    const ids = await buildChats(parley.database, { orgId: org.orgId, botIds }, chats);
    return { ...org, botIds, ids };
  }

  it('exportArchive writes an archive that GNU tar unpacks, with a manifest of its contents', async () => {
    const { client, orgId, botIds, ids } = await buildOrg([
      { says: 'Is it open?', identity: 'ada' },
      { bot: 1 },
    ]);
    const job = await runExport(client);
    assert.deepEqual(
      [job.kind, job.status, job.progress, job.parts, job.error_message, job.errors, job.errors_total],
      ['export', 'completed', 1, 1, null, [], 0],
    );
    assert.deepEqual(job.counts, {
      bots: 2,
      contacts: 2,
      conversations: 2,
      messages: 4,
      skipped: 0,
      failed: 0,
    });
    assert.deepEqual(job.request, { bot_ids: null, from: null, to: null, include_contacts: true });
    const [archive] = await downloadParts(client, job);
    assert.equal(archive!.length, job.size_bytes);
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'a.tar.gz'), archive!);
    const listed = execFileSync('tar', ['-xvzf', 'a.tar.gz'], { cwd: folder, encoding: 'utf8' });
    const names = ['manifest.json', 'bots-00001.jsonl', 'contacts-00001.jsonl', 'conversations-00001.jsonl'];
    assert.deepEqual(listed.trim().split('\n'), names);
    const { source, counts, part, parts, files, ...rest } = readArchiveManifest(archive!);
    assert.deepEqual(
      [source.workspace_id, counts, part, parts],
      [orgId, { bots: 2, contacts: 2, conversations: 2, messages: 4 }, 1, 1],
    );
    assert.deepEqual(rest, {
      format: 'parley-archive',
      version: 1,
      filters: { bot_ids: null, from: null, to: null, include_contacts: true },
    });
    assert.deepEqual(
      files.map(({ name, records }) => [name, records]),
      [
        ['bots-00001.jsonl', 2],
        ['contacts-00001.jsonl', 2],
        ['conversations-00001.jsonl', 6],
      ],
    );
    const records = readArchiveRecords(archive!);
    assert.equal(records[`conversations ${ids[0]}`]!['bot_id'], botIds[0]);
    assert.match(
      readArchiveFiles(archive!).get('conversations-00001.jsonl')!.toString(),
      /"content":"Is it open\?"/,
    );
  });

  it('exportArchive contains the conversations of the requested bots and times, with their contacts', async () => {
    const { client, botIds, ids } = await buildOrg([
      { at: '2026-03-01T10:00:00.000Z' },
      { at: '2026-03-02T00:00:00.000Z' },
      { at: '2026-03-02T10:00:00.000Z', bot: 1 },
      { at: '2026-03-03T00:00:00.000Z' },
    ]);
    const exportKeys = async (body: object) => {
      const [archive] = await downloadParts(client, await runExport(client, body));
      return Object.keys(readArchiveRecords(archive!)).filter((key) => ids.some((id) => key.endsWith(id)));
    };
    const day = { from: '2026-03-02T02:00:00+02:00', to: '2026-03-03T00:00:00Z' };
    assert.deepEqual(await exportKeys(day), [`conversations ${ids[1]}`, `conversations ${ids[2]}`]);
    assert.deepEqual(await exportKeys({ ...day, bot_ids: [botIds[1]] }), [`conversations ${ids[2]}`]);
    const job = await runExport(client, { bot_ids: [botIds[1]] });
    assert.deepEqual([job.counts.bots, job.counts.contacts], [1, 1]);
  });

  it('exportArchive without contacts omits contacts, and their details in conversations', async () => {
    const { client, ids } = await buildOrg([{ identity: 'ada', customFields: { size: 'L' } }]);
    const [archive] = await downloadParts(client, await runExport(client, { include_contacts: false }));
    const records = readArchiveRecords(archive!);
    assert.deepEqual(
      [...readArchiveFiles(archive!).keys()],
      ['manifest.json', 'bots-00001.jsonl', 'conversations-00001.jsonl'],
    );
    assert.equal(records[`conversations ${ids[0]}`]!['custom_fields'], undefined);
  });

  itInSoak('exportArchive of an empty workspace writes an archive without conversations', async () => {
    const { client } = await parley.buildOrg();
    const job = await runExport(client);
    const [archive] = await downloadParts(client, job);
    assert.deepEqual(readArchiveManifest(archive!).files, []);
  });

  it('exportArchive returns 422 for times in the wrong order, 403 for bots of other workspaces, and 404 for unknown bots', async () => {
    const { client } = await buildOrg([]);
    const other = await buildOrg([]);
    const requestExport = async (body: object) =>
      formatOutcome(await client.post('/api/archive/export', body));
    const from = '2026-03-02T00:00:00Z';
    assert.equal(await requestExport({ from, to: from }), '422 validation_error');
    assert.equal(await requestExport({ bot_ids: [] }), '422 validation_error');
    assert.equal(await requestExport({ bot_ids: [other.botIds[0]] }), '403 forbidden');
    assert.equal(await requestExport({ bot_ids: [newId()] }), '404 not_found');
    assert.deepEqual((await client.get('/api/archive/jobs')).body, []);
  });

  itInSoak('exportArchive omits a conversation that exceeds an archive’s size, and reports it', async () => {
    const { client, ids } = await buildOrg([{ says: 'a'.repeat(1024 * 1024) }, {}]);
    const job = await runExport(client);
    assert.deepEqual([job.status, job.counts.conversations, job.counts.failed], ['completed', 1, 1]);
    assert.deepEqual(job.errors, [
      {
        line: null,
        id: ids[0],
        code: 'conversation_too_large',
        message:
          'The conversation was skipped: one of its messages exceeds 1 MB. listConversationMessages returns its messages.',
      },
    ]);
  });

  itInSoak('exportArchive compresses repetitive content only as far as importArchive accepts', async () => {
    const { client } = await buildOrg(Array.from({ length: 300 }, () => ({ says: 'a'.repeat(20_000) })));
    const job = await runExport(client);
    const [archive] = await downloadParts(client, job);
    const unpackedBytes = readArchiveManifest(archive!).files.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(unpackedBytes > 6_000_000 && archive!.length * 100 > unpackedBytes, `${archive!.length} bytes`);
  });

  it('listArchiveJobs returns jobs of the last 30 days, newest first; getArchiveJob and getArchiveDownload return existing jobs', async () => {
    const { client } = await buildOrg([{}]);
    const [first, second] = [await runExport(client), await runExport(client)];
    const { body: jobs } = await client.get('/api/archive/jobs');
    assert.deepEqual(
      jobs.map(({ id }) => id),
      [second.id, first.id],
    );
    assert.deepEqual((await client.get(`/api/archive/jobs/${first.id}`)).body, first);
    const download = async (query: string) =>
      formatOutcome(await client.get(`/api/archive/jobs/${first.id}/download${query}`));
    assert.equal(await download('?part=2'), '422 validation_error');
    assert.equal(await download('?part=0'), '422 validation_error');
    const week = new Date(first.finished_at!).getTime() + 7 * 24 * 60 * 60_000;
    assert.equal(new Date(first.expires_at!).getTime(), week);
    await parley.database.repository(ArchiveJob).update(first.id, { expiresAt: new Date() });
    assert.equal(await download(''), '404 not_found');
    await parley.database.repository(ArchiveJob).update(first.id, { status: 'running', expiresAt: null });
    assert.equal(await download(''), '409 conflict');
    const old = new Date(Date.now() - 31 * 24 * 60 * 60_000);
    await parley.database.repository(ArchiveJob).update(first.id, { createdAt: old });
    assert.deepEqual(
      (await client.get('/api/archive/jobs')).body.map(({ id }) => id),
      [second.id],
    );
  });

  itInSoak('exportArchive includes open conversations', async () => {
    const { client, ids } = await buildOrg([{}]);
    await parley.database.repository(Conversation).update(ids[0]!, { status: 'active', endedAt: null });
    const [archive] = await downloadParts(client, await runExport(client));
    const record = readArchiveRecords(archive!)[`conversations ${ids[0]}`]!;
    assert.deepEqual([record['status'], record['ended_at']], ['active', undefined]);
  });
});
