import assert from 'node:assert/strict';
import { archiveFormat } from '../../../core/archive/archive-format.ts';
import { newId } from '../../../core/ids.ts';
import { Bot } from '../../../entities/bots/bot.entity.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { buildLimitedPlans, setTier } from '../../usage/support.ts';
import { buildArchive, runExport, runImport, upload } from '../../archive/support.ts';

const PLAN_BOTS = 2;

describe('archives of bots:', () => {
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker(buildLimitedPlans({ bots: PLAN_BOTS }));
  });
  after(() => parley.stop());

  const buildBots = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: newId(), name: `Guide ${index}` }));
  const countBots = (orgId: string) => parley.database.repository(Bot).countBy({ orgId });

  it('importArchive fails if the plan does not allow the bots, names the limit, and creates none', async () => {
    const { client, orgId } = await parley.buildOrg();
    await setTier(parley, orgId, 'free');
    await client.post('/api/bots', { name: 'Help desk' });
    const job = await runImport(client, buildArchive({ bots: buildBots(3) }));
    assert.deepEqual(
      { status: job.status, message: job.error_message, bots: job.counts.bots },
      {
        status: 'failed',
        message:
          'The plan’s limit of 2 bots does not allow 3 more: 1 are used. Archive or delete a bot, or have an owner choose a larger plan.',
        bots: 0,
      },
    );
    assert.equal(await countBots(orgId), 1);
  });

  it('importArchive counts only missing bots against the plan, each once', async () => {
    const { client, orgId } = await parley.buildOrg();
    await setTier(parley, orgId, 'free');
    const bots = buildBots(PLAN_BOTS);
    const first = await runImport(client, buildArchive({ bots: [...bots, ...bots] }));
    assert.deepEqual([first.status, first.counts.bots], ['completed', PLAN_BOTS]);
    await client.post('/api/bots', { name: 'Help desk' });
    await client.post('/api/bots', { name: 'Sales' });
    const again = await runImport(client, buildArchive({ bots }));
    assert.deepEqual([again.status, again.counts.bots], ['completed', 0]);
    assert.equal(await countBots(orgId), 2 * PLAN_BOTS);
  });

  it('importArchive refuses more bots than an archive may have, and creates no job', async () => {
    const { client, orgId } = await parley.buildOrg();
    const response = await upload(client, buildArchive({ bots: buildBots(archiveFormat.maxBots + 1) }));
    const { details } = (await response.json()) as { details: { message: string }[] };
    assert.deepEqual(
      [response.status, details[0]?.message],
      [
        422,
        'is not an archive: An archive has at most 1,000 bots; manifest.json lists 1,001. Export fewer bots into each archive.',
      ],
    );
    assert.deepEqual((await client.get('/api/archive/jobs')).body, []);
    assert.equal(await countBots(orgId), 0);
  });

  it('exportArchive of all bots returns 422 if they exceed an archive', async () => {
    const { client, orgId } = await parley.buildOrg();
    const half = archiveFormat.maxBots / 2;
    for (const bots of [buildBots(half), buildBots(half), buildBots(1)])
      assert.equal((await runImport(client, buildArchive({ bots }))).status, 'completed');
    const { status, problem } = await client.post('/api/archive/export', {});
    assert.equal(status, 422);
    assert.deepEqual(
      problem.details.map(({ field, message }) => ({ field, message })),
      [
        {
          field: 'bot_ids',
          message: 'is required: the workspace has more than 1000 bots, the maximum for one archive',
        },
      ],
    );
    const [bot] = await parley.database.repository(Bot).findBy({ orgId });
    assert.equal((await runExport(client, { bot_ids: [bot!.id] })).status, 'completed');
  });
});
