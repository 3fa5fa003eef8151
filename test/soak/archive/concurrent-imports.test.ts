import assert from 'node:assert/strict';
import type { ArchiveJobRead } from '../../../api/archive/archive.schemas.ts';
import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { ArchiveJob } from '../../../entities/archive/archive-job.entity.ts';
import { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildArchive, upload } from '../../archive/support.ts';

const CONVERSATIONS = 1000;
const AT = '2026-06-01T10:00:00.000Z';

describe('an import that two processes run at once:', () => {
  let parley: SharedParley;

  before(async () => (parley = await startSharedParley()));

  /** Uploads and verifies an archive without importing it. */
  async function buildImport(): Promise<{ scope: OrgScope; jobId: string }> {
    const { client, orgId } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Guide' });
    const conversations = Array.from({ length: CONVERSATIONS }, () => newId()).flatMap((id) => [
      { type: 'conversation', id, bot_id: bot.id, visitor_id: 'v', browser_id: newId(), created_at: AT },
      { type: 'message', conversation_id: id, created_at: AT, id: newId(), role: 'user', content: 'Hello' },
    ]);
    const job = (await (await upload(client, buildArchive({ conversations }))).json()) as ArchiveJobRead;
    const scope = { orgId, db: parley.database };
    await parley.runtime.services.archive.archiveImport.verify(scope, job.id, new AbortController().signal);
    return { scope, jobId: job.id };
  }

  const findImportJob = (id: string) => parley.database.repository(ArchiveJob).findOneByOrFail({ id });

  async function assertWhole({ orgId }: OrgScope, jobId: string): Promise<void> {
    const { status, counts } = await findImportJob(jobId);
    const written = await parley.database.repository(Conversation).countBy({ orgId });
    assert.deepEqual([status, counts.conversations, written], ['completed', CONVERSATIONS, CONVERSATIONS]);
  }

  it('importArchive writes each conversation once, and both runs return the full count', async () => {
    const { scope, jobId } = await buildImport();
    const { archiveImport } = parley.runtime.services.archive;
    const { signal } = new AbortController();
    const both = await Promise.all([1, 2].map(() => archiveImport.commit(scope, jobId, signal)));
    assert.deepEqual(
      both.map(({ conversations }) => conversations),
      [CONVERSATIONS, CONVERSATIONS],
    );
    await assertWhole(scope, jobId);
  });

  it('the slower run of importArchive completes the import when the faster run is stopped', async () => {
    const { scope, jobId } = await buildImport();
    const { archiveImport } = parley.runtime.services.archive;
    const stopped = new AbortController();
    const both = [stopped, new AbortController()].map(({ signal }) =>
      archiveImport.commit(scope, jobId, signal).catch((error: unknown) => error),
    );
    await waitUntil(async () => (await findImportJob(jobId)).counts.conversations > 0, 'the first batch');
    stopped.abort(new Error('stopped'));
    await Promise.all(both);
    await assertWhole(scope, jobId);
  });
});
