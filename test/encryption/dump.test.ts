import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestOrg } from '../support/parley.ts';
import { ask } from '../support/widget.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { createEndpoint } from '../webhooks/support.ts';
import { storeWordEverywhere } from './dump-scene.ts';
import { buildOwner, startVault, findTablesWith, type TestVault } from './support.ts';

/** A word that the test writes into all messages, forms, uploads and answers, and nowhere else. */
const WORD = 'quokkaberry';

/**
 * Table with the word index of documents, which stays readable, as the documented consequences of encryption
 * say. Chunks have the index in the column `search`.
 */
const WORD_INDEX = ['search_terms'];

describe('a dump of the database', () => {
  let parley: TestParleyWithWorker;
  let vault: TestVault;
  let receiver: Receiver;
  before(async () => {
    [parley, vault] = await Promise.all([startParleyWithWorker(), startVault()]);
    receiver = await startReceiver((response) => response.end(`The ${WORD} is in the ledger.`));
  });
  after(() => Promise.all([parley.stop(), vault.stop(), receiver.close()]));

  /** Encrypts the content of another workspace with its own key. */
  async function seal({ userId, orgId }: TestOrg): Promise<void> {
    const { client: owner } = await parley.signIn({ userId, orgId });
    const settings = { key_service: vault.service };
    assert.equal((await owner.patch(`/api/orgs/${orgId}`, { settings })).status, 200);
    assert.equal((await owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
  }

  /** Builds a workspace with its own key, with data in each table that stores text. */
  async function build() {
    const org = await buildOwner(parley, vault.service);
    const { owner, client } = org;
    await owner.put('/api/encryption', { mode: 'tenant' });
    const { body: bot } = await client.post('/api/bots', {
      name: 'Help desk',
      handoff_enabled: true,
      lead_capture_config: {
        enabled: true,
        fields: [
          { key: 'name', label: 'Name' },
          { key: 'hobby', label: 'Hobby' },
        ],
      },
    });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    await createEndpoint(org, receiver.url, { events: ['message.created', 'lead.captured'] });
    const document = {
      source_type: 'raw_text',
      title: 'Notes',
      raw_text: `The ${WORD} workshop opens at nine.`,
    };
    const { body: made } = await client.post(`/api/bots/${bot.id}/knowledge`, document);
    const status = async () =>
      (await client.get(`/api/bots/${bot.id}/knowledge/${made.id}/status`)).body.status;
    await waitUntilEqual(status, 'indexed');
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}` as const;
    const named = { 'idempotency-key': 'said' };
    await (await ask(visitor, path, { content: `When does the ${WORD} workshop open?` }, named)).text();
    await visitor.post(`${path}/consent`, { consent: 'granted' });
    await visitor.post(`${path}/lead`, { fields: { name: `${WORD} Ada`, hobby: `${WORD} picking` } });
    await visitor.post(`${path}/handoff`, { reason: `My ${WORD} is lost.` });
    await owner.post(`/api/inbox/${session.session_id}/reply`, { content: `Your ${WORD} is here.` });
    const [contact] = (await client.get('/api/contacts')).body.items;
    const contactFields = { name: `${WORD} Ada`, phone: null, custom_fields: { hobby: `More ${WORD}` } };
    const edited = await client.patch(`/api/contacts/${contact!.id}`, contactFields, {
      'idempotency-key': 'edited',
    });
    assert.equal(edited.status, 200);
    await visitor.post(`${path}/end`);
    const scope = { orgId: org.orgId, db: parley.database };
    await parley.runtime.services.conversations.enrichment.enrichByPatterns(scope, session.session_id);
    await parley.runtime.services.analytics.questionGrouping.groupBatch(parley.database);
    await storeWordEverywhere(parley, org, seal, WORD);
    await waitUntil(async () => {
      const rows = await parley.database.sql(
        "SELECT FROM webhook_deliveries WHERE org_id = $1 AND event = 'message.created' AND response_body IS NOT NULL",
        [org.orgId],
      );
      return rows.length > 0;
    }, 'what the receiver says to be kept');
  }

  it('does not contain a word of a workspace with its own key, in any table or file', async () => {
    await build();
    const telling = await findTablesWith(parley, WORD);
    assert.deepEqual(telling, WORD_INDEX);
    const files = await readdir(join(parley.runtime.settings.home, 'files'), {
      recursive: true,
      withFileTypes: true,
    });
    const stored = files.filter((file) => file.isFile());
    assert.equal(stored.length, 1);
    for (const { parentPath, name } of stored)
      assert.equal((await readFile(join(parentPath, name))).includes(WORD), false);
  });
});
