import assert from 'node:assert/strict';
import { createDataSource, migrations } from '../../entities/data-source.ts';
import { Analytics1791000030000 } from '../../entities/migrations/1791000030000-analytics.ts';
import { withForm } from '../contacts/lead-form.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { beginSession, changeAtRandom } from './random-changes.ts';
import { assertRecounted, readOverview } from './support.ts';

describe('the migration that introduces analytics', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  it('getAnalyticsOverview: has what had happened before, as if it had always been counted', async () => {
    const org = await buildActiveBot(parley, { handoff_enabled: true, ...withForm });
    const visitors = await Promise.all(
      Array.from({ length: 12 }, () => beginSession(parley.client(), org.bot.public_key)),
    );
    await changeAtRandom({ count: 90, atOnce: 6, visitors, processes: [parley.client], key: org.key });
    const before = await readOverview(org.client);
    const { databaseUrl } = parley.runtime.settings;
    const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }).initialize();
    const later = migrations.slice(migrations.indexOf(Analytics1791000030000));
    for (const _ of later) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    await dataSource.destroy();
    assert.deepEqual(await readOverview(org.client), before);
    await parley.runtime.services.analyticsFolding.fold(parley.database);
    await assertRecounted(parley, org);
    await assertRecounted(parley, org, org.bot.id);
  });
});
