import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPng, uploadAvatar } from '../support/images.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildBot, startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';

describe('deleteFile', () => {
  let parley: SharedParleyWithWorker;

  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  it('deletes a replaced avatar and keeps the new avatar', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const readAssetId = (bot: Awaited<ReturnType<typeof uploadAvatar>>) =>
      String(bot.widget_theme['avatar_url']).split('/').at(-1)!;
    const first = readAssetId(await uploadAvatar(org.client, botId, buildPng(8, 8)));
    const second = readAssetId(await uploadAvatar(org.client, botId, buildPng(9, 9)));
    const folder = join(parley.runtime.settings.home, 'files', org.orgId, botId, 'avatars');
    await waitUntil(async () => !(await readdir(folder)).includes(first), 'the file to be gone');
    await parley.temporal.workflow.getHandle(`delete-file/${first}`).result();
    assert.deepEqual(await readdir(folder), [second]);
  });
});
