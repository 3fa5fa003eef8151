import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { manifestOf } from '../archive/support.ts';
import { goToPlace, useConsoles } from '../console/support.ts';
import { tablesWith } from '../encryption/support.ts';
import { Recording } from '../support/pictures.ts';
import { until, untilEqual } from '../support/until.ts';
import { Vault } from '../support/vault.ts';
import { buildActiveBot } from '../support/widget.ts';
import { untilSaid, type WidgetPage } from '../support/widget-page.ts';
import { widgetScene } from '../support/widget-scene.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { deliveryIdOf } from '../webhooks/fault-support.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from '../webhooks/receiver.ts';
import { arrive, Timeline, Traffic, WORD, type Visitor } from './own-key-scene.ts';

const FRAME_MS = 2500;
const DESK = { viewport: { width: 1280, height: 1050 } };
const VISITOR = { viewport: { width: 520, height: 1050 } };
const KEY_NAME = 'acme';
const VISITORS = 4;
const CACHE_SECONDS = 3;
const KEY_REFUSED = 'The workspace’s key service refuses to open its key.';
const BOT_OFF = 'The assistant is switched off at the moment. Please come back later.';
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
  const scene = widgetScene(async (env) => {
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

  it('is sealed, loses its key, shows so everywhere, gets the key back, and has lost nothing', async () => {
    await begins();
    await setsTheKeyService();
    await switches();
    await losesTheKey();
    await saysSoEverywhere();
    await removesWithoutIt();
    await getsItBack();
    await hasLostNothing();
    await exports();
    await recording.save('own-key', FRAME_MS);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  async function begins(): Promise<void> {
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
    await untilEqual(status, 'indexed');
    visitors = await Promise.all(Array.from({ length: VISITORS }, () => arrive(parley, org)));
    leaver = await arrive(parley, org);
    page = await consoles().ofPerson(parley, org, '#/encryption', DESK);
    visit = await scene.visits.visit(org.bot, VISITOR);
    await visit.open();
    await visit.say('What does a day pass cost?');
    await untilSaid(visit, ['user: What does a day pass cost?', ANSWER]);
    recording = new Recording(visit.page, page);
    traffic = new Traffic(org.client, visitors);
    timeline.note(`${VISITORS} visitors ask and their contacts are edited, all the time`);
  }

  async function setsTheKeyService(): Promise<void> {
    await button('Set the key service').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(vault.url);
    await dialog.getByLabel('Name of the key').fill(KEY_NAME);
    await dialog.getByLabel('Token').fill(vault.token);
    await recording.frame();
    await button('Try it and save').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('kept sealed, never shown').waitFor();
    timeline.note('the owner has saved the key service');
  }

  async function switches(): Promise<void> {
    assert.ok((await tablesWith(parley, WORD)).includes('messages'));
    await button('Switch to your own key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type “Acme” to confirm').fill('Acme');
    await recording.frame();
    await dialog.getByRole('button', { name: 'Switch to your own key' }).click();
    await page.getByText(/^Under way: [\d,]+ texts and files/).waitFor();
    timeline.note('switched to the workspace’s own key; existing content is being sealed');
    await page.getByText(/^Under way: [1-9][\d,]* texts and files/).waitFor();
    await recording.frame();
    await page.getByText(/^Under way/).waitFor({ state: 'detached' });
    timeline.note('all is sealed');
    await recording.frame();
    assert.deepEqual(await tablesWith(parley, WORD), ['search_terms']);
    const outcomes = traffic.takeOutcomes();
    assert.deepEqual(Object.keys(outcomes).sort(), ['200', 'done'], JSON.stringify(outcomes));
    timeline.note(`no call has failed: ${JSON.stringify(outcomes)}`);
  }

  async function losesTheKey(): Promise<void> {
    isReceiverDown = true;
    const count = receiver.requests.length;
    await until(() => receiver.requests.length > count + 3, 'deliveries to fail');
    giveBack = await vault.withdrawKey(KEY_NAME);
    timeline.note('the receiver of webhooks is down, and the key is gone from Vault');
    const isOver = () => Object.keys(traffic.takeOutcomes()).join() === '423 key_unavailable';
    await until(isOver, 'all calls to be refused');
    isReceiverDown = false;
    timeline.note('every call is 423 now; the receiver is up again');
  }

  async function saysSoEverywhere(): Promise<void> {
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
      await alert.getByText('Nothing is lost: what waits goes on by itself').waitFor();
      await untilEqual(() => page.getByText('No visitor waits.').count(), 0);
      await recording.frame();
    }
    await goToPlace(page, `bots/${org.bot.id}/documents`);
    await page.getByText('Prices').waitFor();
    await visit.say('And a week?');
    await visit.sees(BOT_OFF);
    await recording.frame();
    timeline.note('console and widget say so in plain words');
  }

  /** Erases a contact without the key: erasure must not wait for it. */
  async function removesWithoutIt(): Promise<void> {
    assert.equal((await org.client.post(`/api/contacts/${leaver.contactId}/erase`)).status, 202);
    const erasure = parley.temporal.workflow.getHandle(`erase-contact/${leaver.contactId}`);
    const isErased = () =>
      erasure.result().then(
        () => true,
        () => false,
      );
    await until(isErased, 'the contact to be erased');
    const left = await parley.database.sql('SELECT FROM conversations WHERE id = $1', [
      leaver.conversationId,
    ]);
    assert.deepEqual(left, []);
    timeline.note('a contact is erased while the key is away');
  }

  async function getsItBack(): Promise<void> {
    await goToPlace(page, 'conversations');
    await page.getByRole('alert').getByText(KEY_REFUSED).waitFor();
    const waiting = (await undelivered()).length;
    assert.ok(waiting > 0);
    await giveBack();
    timeline.note(`the key is back in Vault; ${waiting} deliveries wait for it`);
    const isOver = () => Object.keys(traffic.takeOutcomes()).sort().join() === '200,done';
    await until(isOver, 'all calls to be taken');
    timeline.note('every call is taken again');
    await page.getByRole('main').getByRole('table').waitFor();
    await visit.button('Try again').click();
    await untilSaid(visit, ['user: What does a day pass cost?', ANSWER, 'user: And a week?', ANSWER]);
    await recording.frame();
  }

  const deliveries = () => parley.database.repository(WebhookDelivery).findBy({ orgId: org.orgId });
  const undelivered = async () => (await deliveries()).filter(({ status }) => status !== 'delivered');

  async function hasLostNothing(): Promise<void> {
    await traffic.stop();
    for (const { conversationId, contactId } of visitors) {
      await isWhole(conversationId);
      const { body: contact } = await org.client.get(`/api/contacts/${contactId}`);
      assert.equal(contact.name, traffic.names.get(contactId));
    }
    await untilEqual(told, await stored());
    await untilEqual(async () => (await undelivered()).length, 0);
    const made = (await deliveries()).map(({ id }) => id);
    const ids = taken.map(deliveryIdOf);
    assert.deepEqual(
      made.filter((id) => ids.filter((each) => each === id).length !== 1),
      [],
    );
    timeline.note(`all ${made.length} deliveries are made, and every message is there`);
  }

  /**
   * Checks that all accepted messages are stored in order and answered, also those at the moment the key was lost.
   */
  async function isWhole(conversationId: string): Promise<void> {
    const said = traffic.said.get(conversationId)!;
    const messages = async () =>
      (await org.client.get(`/api/conversations/${conversationId}/messages?limit=500`)).body;
    const asked = (await messages()).filter(({ role }) => role === 'user').map(({ content }) => content);
    assert.deepEqual(
      asked.filter((content) => said.includes(content)),
      said,
    );
    const answered = async () => (await messages()).filter(({ role }) => role === 'assistant').length;
    await untilEqual(answered, asked.length);
  }

  async function stored(): Promise<string[]> {
    const rows = await parley.database.sql<{ id: string }>(
      "SELECT id FROM messages WHERE org_id = $1 AND role IN ('user', 'assistant') ORDER BY id",
      [org.orgId],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the messages whose events the receiver has accepted. */
  function told(): string[] {
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

  async function exports(): Promise<void> {
    await goToPlace(page, 'archive');
    await button('Export').click();
    await page.getByText(`${VISITORS + 1} conversations, `).waitFor();
    await recording.frame();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const { counts } = manifestOf(await readFile(await (await download).path()));
    assert.equal(counts.conversations, VISITORS + 1);
    timeline.note('an archive of all conversations is exported');
  }
});
