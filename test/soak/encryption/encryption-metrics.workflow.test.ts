import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataKeyRow } from '../../../entities/encryption/workspace-key.entity.ts';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { findFreePorts } from '../../../scripts/launcher/ports.ts';
import { scrape } from '../../support/exposition.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { buildOwner, startVault, type TestVault } from '../../encryption/support.ts';

const SAID = 'My cargo bike has a flat tyre.';
const REFUSED = 'parley_sealed_values_refused_total';
const SEALING = 'parley_workspaces_sealing';
const FAILING = 'parley_key_services_failing';

describe('the metrics of encryption', () => {
  let parley: TestParleyWithWorker;
  let vault: TestVault;
  let ports: { api: number; worker: number };
  const recorded = recordLog();
  before(async () => {
    const [api = 0, worker = 0] = await findFreePorts(2);
    ports = { api, worker };
    const env = { PARLEY_METRICS_PORT: String(api), PARLEY_WORKER_METRICS_PORT: String(worker) };
    [parley, vault] = await Promise.all([startParleyWithWorker(env, { log: recorded.log }), startVault()]);
  });
  after(() => Promise.all([parley?.stop(), vault?.stop()]));
  afterEach(() => void (vault.front.mode = 'pass'));

  const readMetric = async (program: 'api' | 'worker', name: string) =>
    (await scrape(ports[program])).value(name);
  const errors = () => recorded.entries().filter(({ level }) => level === 'error');

  /** Creates a workspace with its own key, a conversation and a document. */
  async function build() {
    const org = await buildOwner(parley, vault.service);
    assert.equal((await org.owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    await visitor.post(`/api/public/sessions/${session.session_id}/messages`, { content: SAID });
    const documents = `/api/bots/${bot.id}/knowledge` as const;
    const add = async (text: string) => {
      const { body } = await org.client.post(documents, { source_type: 'raw_text', raw_text: text });
      const status = async () => (await org.client.get(`${documents}/${body.id}/status`)).body.status;
      await waitUntilEqual(status, 'indexed');
      return body.id;
    };
    const messages = () => org.client.get(`/api/conversations/${session.session_id}/messages`);
    return { ...org, documents, add, messages, conversationId: session.session_id };
  }

  it('count workspaces that are being encrypted and key services that fail', async () => {
    assert.deepEqual([await readMetric('worker', SEALING), await readMetric('worker', FAILING)], [0, 0]);
    const org = await buildOwner(parley, vault.service);
    vault.front.mode = 'refuse_opening';
    assert.equal((await org.owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
    await waitUntilEqual(() => readMetric('worker', SEALING), 1);
    const check = () => parley.runtime.services.encryption.keyChecks.check(parley.database, null);
    assert.equal((await check()).failing, 1);
    assert.equal(await readMetric('worker', FAILING), 1);
    vault.front.mode = 'pass';
    assert.equal((await check()).failing, 0);
    assert.equal(await readMetric('worker', FAILING), 0);
    await waitUntilEqual(() => readMetric('worker', SEALING), 0);
  });

  it('count values that were moved from another row, which return 500 without content and log their position', async () => {
    const { orgId, conversationId, messages } = await build();
    const before = (await readMetric('api', REFUSED))!;
    await parley.database.sql(
      `UPDATE messages m SET content = o.content, key_id = o.key_id
       FROM messages o WHERE o.conversation_id = $1 AND m.conversation_id = $1 AND o.role = 'user' AND m.role = 'assistant'`,
      [conversationId],
    );
    const moved = await messages();
    assert.equal(formatOutcome(moved), '500 internal_error');
    assert.ok(!JSON.stringify(moved.problem).includes('cargo'));
    assert.ok((await readMetric('api', REFUSED))! > before);
    assert.match(
      errors().at(-1)?.err?.message ?? '',
      /^The content at messages\.content:[0-9a-f-]{36} cannot be decrypted: it was changed or moved from another column or row\.$/,
    );
    await parley.database.sql('DELETE FROM messages WHERE org_id = $1', [orgId]);
  });

  it('count a refused decryption of a value copied from another workspace, which can still read its own values', async () => {
    const [own, other] = [await build(), await build()];
    await parley.database.sql(
      `UPDATE messages m SET content = o.content, key_id = o.key_id
       FROM messages o WHERE o.conversation_id = $1 AND m.conversation_id = $2 AND o.role = 'user' AND m.role = 'user'`,
      [other.conversationId, own.conversationId],
    );
    const { contentKeys } = parley.runtime.services.encryption;
    const before = (await readMetric('api', REFUSED))!;
    assert.equal(formatOutcome(await own.messages()), '500 internal_error');
    assert.ok((await readMetric('api', REFUSED))! > before);
    assert.match(errors().at(-1)?.err?.message ?? '', /Parley did not write the value that names it\.$/);
    contentKeys.forget(other.orgId);
    const [row] = await parley.database.sql<{ key_id: string }>(
      "SELECT key_id FROM messages WHERE conversation_id = $1 AND role = 'user'",
      [other.conversationId],
    );
    await contentKeys.prepareKey(other.orgId, row!.key_id);
    assert.ok(contentKeys.isKeyOpen(other.orgId, row!.key_id));
    assert.equal((await other.messages()).body[0]?.content, SAID);
  });

  it('count swapped files, which are never downloaded', async () => {
    const { client, documents, add } = await build();
    const [mine, other] = [await add('Mine.'), await add('Another.')];
    const before = (await readMetric('api', REFUSED))!;
    const findStoredPath = async (id: string) => {
      const { storageKey } = await parley.database.repository(Document).findOneByOrFail({ id });
      return join(parley.runtime.settings.home, 'files', storageKey!);
    };
    await copyFile(await findStoredPath(other), await findStoredPath(mine));
    const { body: link } = await client.get(`${documents}/${mine}/download`);
    const download = parley.client().fetch(new URL(link.url).pathname);
    const text = await download.then((response) => response.text()).catch(() => '');
    assert.equal(text, '');
    assert.ok((await readMetric('api', REFUSED))! > before);
  });

  it('count replaced data keys', async () => {
    const { orgId, messages } = await build();
    const { contentKeys } = parley.runtime.services.encryption;
    const before = (await readMetric('api', REFUSED))!;
    await parley.database.repository(DataKeyRow).update({ orgId }, { commitment: 'another' });
    contentKeys.forget(orgId);
    assert.equal(formatOutcome(await messages()), '500 internal_error');
    assert.ok((await readMetric('api', REFUSED))! > before);
    assert.match(errors().at(-1)?.err?.message ?? '', /is not the key with which its row was created/);
  });
});
