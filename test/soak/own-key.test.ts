import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { readArchiveManifest } from '../archive/support.ts';
import { goToPlace, useConsoles } from '../console/support.ts';
import { findTablesWith } from '../encryption/support.ts';
import { Recording } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { Vault } from '../support/vault.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { readDeliveryId } from '../webhooks/fault-support.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from '../webhooks/receiver.ts';
import { startVisit, Timeline, Traffic, WORD, type Visitor } from './own-key-scene.ts';

const FRAME_MS = 2500;
const DESK = { viewport: { width: 1280, height: 1050 } };
const VISITOR = { viewport: { width: 520, height: 1050 } };
const KEY_NAME = 'acme';
const VISITORS = 4;
const CACHE_SECONDS = 3;
const KEY_REFUSED = 'The workspace’s key service refuses to decrypt the workspace key.';
const BOT_OFF = 'Chat is currently unavailable.';
const ANSWER = 'assistant: A day pass costs 12 euros.';
const EVENTS = ['message.created', 'lead.captured', 'contact.updated', 'conversation.started'];

describe('a workspace with its own key under continuous use', function () {
  const consoles = useConsoles(this);
  let vault: Vault;
  let receiver: Receiver;
  let isReceiverDown = false;
  const taken: ReceivedRequest[] = [];
  let parley: TestParleyWithWorker;
  before(async () => {
    const started = await Vault.start();
    if (!started) throw new Error('Vault could not be built; this needs Go 1.26.');
    vault = started;
    await vault.createKey(KEY_NAME);
    receiver = await startReceiver((response, request) => {
      if (!isReceiverDown) taken.push(request);
      response.writeHead(isReceiverDown ? 503 : 200).end();
    });
  });
  after(() => Promise.all([vault?.stop(), receiver?.close()]));
  const scene = useWidgetScene(async (env) => {
    parley = await startParleyWithWorker({
      ...env,
      tenantKeyCacheSeconds: CACHE_SECONDS,
      webhookRetrySchedule: '1,2,4,8,8,8,8,8,8,8',
    });
    return parley;
  });
  const timeline = new Timeline();
  let org: Awaited<ReturnType<typeof buildActiveBot>>;
  let page: Page;
  let visit: WidgetPage;
  let recording: Recording;
  let visitors: Visitor[];
  let leaver: Visitor;
  let traffic: Traffic;
  let giveBack: () => Promise<void>;

  it('is encrypted, loses its key, shows the loss in every interface, gets the key back, and has lost nothing', async () => {
    await prepareWorkspace();
    await setKeyService();
    await switchToOwnKey();
    await withdrawKey();
    await assertShownEverywhere();
    await eraseWithoutKey();
    await restoreKey();
    await assertNothingLost();
    await exportWholeArchive();
    await recording.save('own-key', FRAME_MS);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  async function prepareWorkspace(): Promise<void> {
    org = await buildActiveBot(parley, {
      name: 'Harbour Bikes',
      handoff_enabled: true,
      rate_limit_per_minute: 1000,
      lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] },
    });
    await org.client.post('/api/webhooks', { url: receiver.url, events: EVENTS });
    const document = { source_type: 'raw_text', title: 'Prices', raw_text: `The ${WORD} costs 12 euros.` };
    const { body: made } = await org.client.post(`/api/bots/${org.bot.id}/knowledge`, document);
    const status = async () =>
      (await org.client.get(`/api/bots/${org.bot.id}/knowledge/${made.id}/status`)).body.status;
    await waitUntilEqual(status, 'indexed');
    visitors = await Promise.all(Array.from({ length: VISITORS }, () => startVisit(parley, org)));
    leaver = await startVisit(parley, org);
    page = await consoles().openAsPerson(parley, org, '/encryption', DESK);
    visit = await scene.visits.visit(org.bot, VISITOR);
    await visit.open();
    await visit.say('What does a day pass cost?');
    await waitUntilSaid(visit, ['user: What does a day pass cost?', ANSWER]);
    recording = new Recording(visit.page, page);
    traffic = new Traffic(org.client, visitors);
    timeline.log(`${VISITORS} visitors ask and their contacts are edited, all the time`);
  }

  async function setKeyService(): Promise<void> {
    await button('Configure KMS').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(vault.url);
    await dialog.getByLabel('Key name').fill(KEY_NAME);
    await dialog.getByLabel('Token').fill(vault.token);
    await recording.addFrame();
    await button('Test and save').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Stored encrypted, never shown').waitFor();
    timeline.log('the owner has saved the key service');
  }

  async function switchToOwnKey(): Promise<void> {
    assert.ok((await findTablesWith(parley, WORD)).includes('messages'));
    await button('Switch to customer-managed key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type “Acme” to confirm').fill('Acme');
    await recording.addFrame();
    await dialog.getByRole('button', { name: 'Switch to customer-managed key' }).click();
    await page.getByText(/^In progress: [\d,]+ texts and files/).waitFor();
    timeline.log('switched to the workspace’s own key; existing content is being sealed');
    await page.getByText(/^In progress: [1-9][\d,]* texts and files/).waitFor();
    await recording.addFrame();
    await page.getByText(/^In progress/).waitFor({ state: 'detached' });
    timeline.log('all is sealed');
    await recording.addFrame();
    assert.deepEqual(await findTablesWith(parley, WORD), ['search_terms']);
    const outcomes = traffic.takeOutcomes();
    assert.deepEqual(Object.keys(outcomes).sort(), ['200', 'done'], JSON.stringify(outcomes));
    timeline.log(`no call has failed: ${JSON.stringify(outcomes)}`);
  }

  async function withdrawKey(): Promise<void> {
    isReceiverDown = true;
    const count = receiver.requests.length;
    await waitUntil(() => receiver.requests.length > count + 3, 'deliveries to fail');
    giveBack = await vault.withdrawKey(KEY_NAME);
    timeline.log('the receiver of webhooks is down, and the key is gone from Vault');
    const isOver = () => Object.keys(traffic.takeOutcomes()).join() === '423 key_unavailable';
    await waitUntil(isOver, 'all calls to be refused');
    isReceiverDown = false;
    timeline.log('every call is 423 now; the receiver is up again');
  }

  async function assertShownEverywhere(): Promise<void> {
    const { conversationId } = visitors[0]!;
    for (const place of [
      'inbox',
      'conversations',
      `conversations/${conversationId}`,
      'webhooks/deliveries',
    ]) {
      await goToPlace(page, place);
      const alert = page.getByRole('main').getByRole('alert');
      await alert.getByText(KEY_REFUSED).waitFor();
      await alert.getByText('Nothing is lost. Everything continues').waitFor();
      await waitUntilEqual(() => page.getByText("You're all caught up").count(), 0);
      await recording.addFrame();
    }
    await goToPlace(page, `bots/${org.bot.id}/knowledge`);
    await page.getByText('Prices').waitFor();
    await visit.say('And a week?');
    await visit.waitForText(BOT_OFF);
    await recording.addFrame();
    timeline.log('console and widget say so in plain words');
  }

  /** Erases a contact while the key is unavailable: erasure must not wait for the key. */
  async function eraseWithoutKey(): Promise<void> {
    assert.equal((await org.client.post(`/api/contacts/${leaver.contactId}/erase`)).status, 202);
    const erasure = parley.temporal.workflow.getHandle(`erase-contact/${leaver.contactId}`);
    const isErased = () =>
      erasure.result().then(
        () => true,
        () => false,
      );
    await waitUntil(isErased, 'the contact to be erased');
    const remaining = await parley.database.sql('SELECT FROM conversations WHERE id = $1', [
      leaver.conversationId,
    ]);
    assert.deepEqual(remaining, []);
    timeline.log('a contact is erased while the key is away');
  }

  async function restoreKey(): Promise<void> {
    await goToPlace(page, 'conversations');
    await page.getByRole('alert').getByText(KEY_REFUSED).waitFor();
    const waiting = (await findUndelivered()).length;
    assert.ok(waiting > 0);
    await giveBack();
    timeline.log(`the key is back in Vault; ${waiting} deliveries wait for it`);
    const isOver = () => Object.keys(traffic.takeOutcomes()).sort().join() === '200,done';
    await waitUntil(isOver, 'all calls to be taken');
    timeline.log('every call is taken again');
    await page.getByRole('main').getByRole('table').waitFor();
    await visit.button('Try again').click();
    await waitUntilSaid(visit, ['user: What does a day pass cost?', ANSWER, 'user: And a week?', ANSWER]);
    await recording.addFrame();
  }

  const deliveries = () => parley.database.repository(WebhookDelivery).findBy({ orgId: org.orgId });
  const findUndelivered = async () => (await deliveries()).filter(({ status }) => status !== 'delivered');

  async function assertNothingLost(): Promise<void> {
    await traffic.stop();
    for (const { conversationId, contactId } of visitors) {
      await assertWholeConversation(conversationId);
      const { body: contact } = await org.client.get(`/api/contacts/${contactId}`);
      assert.equal(contact.name, traffic.names.get(contactId));
    }
    await waitUntilEqual(readNotifiedIds, await readStoredIds());
    await waitUntilEqual(async () => (await findUndelivered()).length, 0);
    const made = (await deliveries()).map(({ id }) => id);
    const ids = taken.map(readDeliveryId);
    assert.deepEqual(
      made.filter((id) => ids.filter((each) => each === id).length !== 1),
      [],
    );
    timeline.log(`all ${made.length} deliveries are made, and every message is there`);
  }

  /**
   * Checks that all accepted messages are stored in order and answered, also those at the moment the key was lost.
   */
  async function assertWholeConversation(conversationId: string): Promise<void> {
    const said = traffic.said.get(conversationId)!;
    const messages = async () =>
      (await org.client.get(`/api/conversations/${conversationId}/messages?limit=500`)).body;
    const questions = (await messages()).filter(({ role }) => role === 'user').map(({ content }) => content);
    assert.deepEqual(
      questions.filter((content) => said.includes(content)),
      said,
    );
    const countAnswered = async () => (await messages()).filter(({ role }) => role === 'assistant').length;
    await waitUntilEqual(countAnswered, questions.length);
  }

  async function readStoredIds(): Promise<string[]> {
    const rows = await parley.database.sql<{ id: string }>(
      "SELECT id FROM messages WHERE org_id = $1 AND role IN ('user', 'assistant') ORDER BY id",
      [org.orgId],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the ids of the messages whose webhook events the receiver has accepted. */
  function readNotifiedIds(): string[] {
    const events = taken.map(
      ({ body }) => JSON.parse(body) as { event: string; data: Record<string, string> },
    );
    return events
      .filter(
        ({ event, data }) => event === 'message.created' && data['conversation_id'] !== leaver.conversationId,
      )
      .map(({ data }) => data['message_id']!)
      .sort();
  }

  async function exportWholeArchive(): Promise<void> {
    await goToPlace(page, 'archive');
    await button('Export archive').click();
    await page.getByText(`${VISITORS + 1} conversations, `).waitFor();
    await recording.addFrame();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const { counts } = readArchiveManifest(await readFile(await (await download).path()));
    assert.equal(counts.conversations, VISITORS + 1);
    timeline.log('an archive of all conversations is exported');
  }
});
