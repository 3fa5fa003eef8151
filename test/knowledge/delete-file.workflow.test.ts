import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pngOf, uploadAvatar } from '../support/images.ts';
import { until } from '../support/until.ts';
import { buildBot, sharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';

describe('deleteFile', () => {
  let parley: SharedParleyWithWorker;

  before(async () => {
    parley = await sharedParleyWithWorker();
  });

  it('removes an avatar that was replaced, and the new one stays', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const idOf = (bot: Awaited<ReturnType<typeof uploadAvatar>>) =>
      String(bot.widget_theme['avatar_url']).split('/').at(-1)!;
    const first = idOf(await uploadAvatar(org.client, botId, pngOf(8, 8)));
    const second = idOf(await uploadAvatar(org.client, botId, pngOf(9, 9)));
    const folder = join(parley.runtime.settings.home, 'files', org.orgId, botId, 'avatars');
    await until(async () => !(await readdir(folder)).includes(first), 'the file to be gone');
    await parley.temporal.workflow.getHandle(`delete-file/${first}`).result();
    assert.deepEqual(await readdir(folder), [second]);
  });
});
