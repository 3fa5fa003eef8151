import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { newId } from '../../../core/ids.ts';
import { ArchiveJob, ZERO_COUNTS } from '../../../entities/archive/archive-job.entity.ts';
import { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { buildChats } from '../../archive/chats.ts';
import { buildArchive, runExport, readArchiveManifest } from '../../archive/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../../support/worker.ts';
import { MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const PLACE = '/archive';
const DESK = { viewport: { width: 1280, height: 880 } };
const PHONE = { viewport: { width: 360, height: 780 } };

describe('the page of archives', function () {
  const consoles = useConsoles(this);
  let parley: SharedParleyWithWorker;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParleyWithWorker();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys?.stop();
  });

  async function build() {
    const org = await parley.buildOrg();
    const botIds = [];
    for (const name of ['Harbour Bikes', 'Wine Bar'])
      botIds.push((await org.client.post('/api/bots', { name })).body.id);
    const ids = await buildChats(parley.database, { orgId: org.orgId, botIds }, [{}, { bot: 1 }]);
    return { ...org, botIds, ids };
  }

  it('exports the conversations of a bot, and saves the file (exportArchive, getArchiveDownload)', async () => {
    const { key, ids } = await build();
    const page = await consoles().openWithKey(parley, key, '/bots', DESK);
    await page.getByRole('link', { name: 'Data & security' }).click();
    await page.getByText('No exports or imports yet').waitFor();
    await page.getByLabel('Wine Bar').check();
    await page.getByLabel('From').fill('2026-01-01');
    await page.getByLabel('To (inclusive)').fill('2026-12-31');
    await page.getByRole('button', { name: 'Export archive', exact: true }).click();
    await page.getByText('1 conversation, 2 messages, 1 contact, 1 bot').waitFor();
    await takePicture(page, 'console-archive');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^parley-archive-\d{4}-\d\d-\d\d\.tar\.gz$/);
    assert.equal(readArchiveManifest(await readFile(await file.path())).counts.conversations, 1);
    assert.equal(ids.length, 2);
  });

  it('lists skipped records, and why a file is invalid (importArchive)', async () => {
    const { key, orgId, botIds } = await build();
    const page = await consoles().openWithKey(parley, key, PLACE);
    const chat = {
      type: 'conversation',
      id: newId(),
      bot_id: botIds[0],
      visitor_id: 'v',
      browser_id: newId(),
    };
    const lines = [
      { ...chat, created_at: '2026-06-01T10:00:00.000Z' },
      { ...chat, id: newId() },
    ];
    const input = page.getByLabel('Archive', { exact: true });
    const toInputFile = (buffer: Buffer) => ({ name: 'a.tar.gz', mimeType: 'application/gzip', buffer });
    await input.setInputFiles(toInputFile(buildArchive({ conversations: lines })));
    await page.getByText('1 conversation, 0 messages, 0 contacts; 1 rejected').waitFor();
    await page.getByText('1 record rejected').click();
    await page.getByText('conversations-00001.jsonl, line 2: created_at is required.').waitFor();
    assert.equal(await parley.database.repository(Conversation).countBy({ orgId }), 3);
    await input.setInputFiles(toInputFile(Buffer.from('no archive')));
    await page.getByText('The file is not an archive: it is not a gzip file.').waitFor();
    consoles().errors.length = 0;
  });

  it('shows that the workspace’s key is refused, and continues once it is available again (getArchiveDownload, importArchive)', async () => {
    const org = await build();
    await keys.seal(org);
    await runExport(org.client, {});
    keys.withdraw(org);
    const page = await consoles().openWithKey(parley, org.key, PLACE);
    const refusal = 'The workspace’s key service refuses to decrypt the workspace key.';
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText(refusal).waitFor();
    const file = { name: 'a.tar.gz', mimeType: 'application/gzip', buffer: buildArchive({}) };
    await page.getByLabel('Archive', { exact: true }).setInputFiles(file);
    const alert = page.getByRole('region', { name: 'Import' }).getByRole('alert');
    await alert.getByText(refusal).waitFor();
    await alert.getByText('Nothing is lost.').waitFor();
    keys.restore(org);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    assert.equal(readArchiveManifest(await readFile(await (await download).path())).counts.conversations, 2);
    consoles().errors.length = 0;
  });

  it('shows why a job failed, and why no jobs are visible (listArchiveJobs)', async () => {
    const { key, orgId } = await build();
    const job = { orgId, kind: 'export', counts: ZERO_COUNTS } as const;
    const errorMessage = 'The file storage is full. All attempts within 24 hours failed; start again later.';
    await parley.database.repository(ArchiveJob).insert([
      { ...job, id: newId(), status: 'failed', errorMessage },
      { ...job, id: newId() },
    ]);
    const page = await consoles().openWithKey(parley, key, PLACE);
    await page.getByText(errorMessage).waitFor();
    await waitUntilEqual(() => page.getByLabel('Progress of the export').count(), 1);
    const stranger = await parley.buildOrg({ role: 'member' });
    const refused = await consoles().openWithKey(parley, stranger.key, PLACE);
    await refused.getByRole('alert').waitFor();
    assert.equal(await refused.getByRole('link', { name: 'Data & security' }).count(), 0);
    consoles().errors.length = 0;
  });

  it('fits a phone, and all controls have accessible names', async () => {
    const { key, orgId } = await build();
    const expiresAt = new Date(Date.now() + 86_400_000);
    const job = { orgId, kind: 'export', counts: ZERO_COUNTS, status: 'completed', parts: 3 } as const;
    await parley.database.repository(ArchiveJob).insert({ ...job, id: newId(), expiresAt });
    const page = await consoles().openWithKey(parley, key, PLACE, PHONE);
    await page.getByRole('button', { name: 'Part 3' }).waitFor();
    await takePicture(page, 'console-archive-phone');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    assert.deepEqual(await page.evaluate(NAMELESS), []);
    assert.deepEqual(await page.evaluate(MISNAMED), []);
  });
});
