import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { withAdmin } from '../../support/database.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { ask, buildSession } from '../../support/widget.ts';
import { ROLE } from '../../../scripts/launcher/postgres-roles.ts';
import { reseal, startVault, type TestVault } from '../../encryption/support.ts';

const SAID = 'Where is my cargo bike?';

describe('a restored copy of the database', () => {
  let parley: TestParley;
  let vault: TestVault;
  let copy: string;
  before(async () => {
    [parley, vault] = await Promise.all([startParley(), startVault()]);
  });
  after(async () => {
    await Promise.all([parley.stop(), vault.stop()]);
    await withAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`));
  });

  /** Restores a copy of the database next to the original. */
  async function copyDatabase(): Promise<string> {
    const url = new URL(parley.runtime.settings.databaseUrl ?? '');
    const original = url.pathname.slice(1);
    copy = `copy_${newId().replaceAll('-', '')}`;
    await withAdmin(async (client) => {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
        [original],
      );
      await client.query(`CREATE DATABASE ${copy} OWNER ${ROLE} TEMPLATE ${original} STRATEGY file_copy`);
    });
    url.pathname = copy;
    return url.href;
  }

  it('is readable with the same key service after the original has replaced its keys', async () => {
    const session = await buildSession(parley);
    const { client: owner } = await parley.signIn(session);
    const settings = { key_service: vault.service };
    assert.equal((await owner.patch(`/api/orgs/${session.orgId}`, { settings })).status, 200);
    await owner.put('/api/encryption', { mode: 'tenant' });
    await (await ask(session.visitor, session.path, { content: SAID })).text();
    await reseal(parley, session.orgId);
    const databaseUrl = await copyDatabase();

    assert.equal((await owner.post('/api/encryption/rotate')).status, 200);
    await reseal(parley, session.orgId);
    const restored = await parley.startAnother({ databaseUrl });
    const messages = `/api/conversations/${session.session.session_id}/messages` as const;
    const readFirstMessage = async (process: Pick<TestParley, 'client'>) =>
      (await process.client(session.key).get(messages)).body[0]?.content;
    assert.deepEqual([await readFirstMessage(restored), await readFirstMessage(parley)], [SAID, SAID]);

    vault.front.mode = 'refuse';
    const without = await parley.startAnother({ databaseUrl });
    assert.equal((await without.client(session.key).get(messages)).status, 423);
    await restored.stop();
    await without.stop();
  });
});
