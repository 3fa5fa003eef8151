import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { mailPagesToken } from '../../../api/mail/mail-pages-access.ts';
import { AlertAttempt, AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';
import { EventCount } from '../../../entities/alerts/event-count.entity.ts';
import { newId } from '../../../core/ids.ts';
import {
  parseLinkCode,
  connectChat,
  IMPATIENT,
  readCapturedTexts,
  savePolicy,
} from '../../alerts/support.ts';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { button, findCard, inDialog } from '../../console/alert-support.ts';
import { goToPlace, MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const step = (page: Page, name: string) =>
  page.getByRole('listitem').and(page.getByText(name)).and(page.locator('[aria-current=step]'));
const clickNext = (page: Page) => inDialog(page, 'Next').click();
const linkIn = (page: Page) => page.getByRole('textbox', { name: 'Link' });

/** Opens the link that connects a chat, as a team member does on the phone. */
async function openLink(
  { runtime, database }: TestParley,
  page: Page,
  channel: 'telegram' | 'whatsapp',
  destination: string,
) {
  const opened = {
    code: parseLinkCode(await linkIn(page).inputValue()),
    destination,
    name: 'Grace Hopper',
    consent: '1',
  };
  assert.notEqual(await runtime.services.alerts.alertConnections.connect(database, channel, opened), null);
}

describe('the alert wizard without a provider', function () {
  const consoles = useConsoles(this);
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  before(
    async () =>
      (parley = await startParleyWithWorker({
        ...IMPATIENT,
        PARLEY_ALERT_PRICES: '{"whatsapp":{"351":0.03}}',
      })),
  );
  after(() => parley?.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  async function readLastCode(destination: string): Promise<string> {
    const texts = await readCapturedTexts(parley, destination);
    return /\d{6}/.exec(texts.at(-1) ?? '')?.[0] ?? '';
  }

  /** Opens the link on the development page that simulates the phone's chat app. */
  async function playPhone(page: Page): Promise<Page> {
    const phone = await page.context().newPage();
    await phone.goto(`${parley.baseUrl}/dev/mail?token=${mailPagesToken(parley.runtime.settings)}`);
    await phone.close();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open the phone simulator' }).click();
    return opened;
  }

  it('verifies a manually entered number with a second code, after one wrong code and after the first code has expired by five attempts (startAlertVerification, finishAlertVerification, testAlertPolicy)', async () => {
    const page = await consoles().openWithKey(parley, org.key, '/alerts');
    await page.clock.install();
    await button(page, 'Create alert').click();
    await page.getByRole('radio', { name: 'WhatsApp' }).check();
    await page.getByText('This server has no WhatsApp account').waitFor();
    await clickNext(page);
    await page.getByRole('radio', { name: 'Enter manually' }).check();
    const number = page.getByLabel('Phone number');
    await number.fill('hello');
    await clickNext(page);
    await page.getByText('This must be a phone number with its country code').waitFor();
    await waitUntilEqual(() => page.evaluate('document.activeElement.value'), 'hello');
    await number.fill('+351 910 000 001');
    await clickNext(page);
    await page.getByText('There is no activity yet on which to base an estimate.').waitFor();
    await inDialog(page, 'Save alert').click();

    await step(page, 'Test').waitFor();
    await page.getByText('Nothing is sent until the recipient is verified.').waitFor();
    await inDialog(page, 'Send code').click();
    await page.getByText("Code sent. It's valid until").waitFor();
    await waitUntilEqual(() => inDialog(page, 'Resend code').getAttribute('aria-disabled'), 'true');
    const destination = '+351910000001';
    const code = await readLastCode(destination);
    const wrong = code === '000000' ? '000001' : '000000';
    const field = page.getByLabel('Code', { exact: true });
    await field.fill(wrong);
    await inDialog(page, 'Verify').click();
    await page.getByText('This is not the code that was sent last.').waitFor();
    const [policy] = (await org.client.get('/api/alerts')).body;
    for (let tries = 2; tries <= 5; tries += 1)
      await org.client.post(`/api/alerts/${policy!.id}/verify`, { code: wrong });
    await field.fill(code);
    await inDialog(page, 'Verify').click();
    await page.getByRole('alert').getByText('request a new code').waitFor();

    await parley.database
      .repository(AlertDestination)
      .update({ orgId: org.orgId, destination }, { nextCodeAt: new Date(0) });
    await page.clock.fastForward('01:01');
    await page.locator('[role=dialog] button[aria-disabled=false]', { hasText: 'Resend code' }).click();
    await waitUntil(async () => (await field.inputValue()) === '', 'another code to be sent');
    const another = await readLastCode(destination);
    await field.fill(`${another.slice(0, 3)} ${another.slice(3)}`);
    await inDialog(page, 'Verify').click();
    await inDialog(page, 'Send test').click();
    await page.getByText(/Test message saved after \d+ ms\./).waitFor();
    await inDialog(page, 'Done').click();
    await findCard(page, destination).getByText('Active', { exact: true }).waitFor();
    assert.match((await readCapturedTexts(parley, destination)).at(-1)!, /^Test: Parley/);
  });

  it('polls while the page is visible, resumes later, and requests a new link after a link has expired (pollWhatsapp)', async () => {
    const page = await consoles().openWithKey(parley, org.key, '/alerts');
    await page.clock.install();
    let polls = 0;
    page.on('request', (request) => (polls += Number(request.url().endsWith('/api/alerts/whatsapp/poll'))));
    await page.getByText('No alerts yet').waitFor();
    await button(page, 'Create alert').focus();
    await page.keyboard.press('Enter');
    await step(page, 'Channel').waitFor();
    for (const key of ['Tab', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await step(page, 'Recipient').waitFor();
    await page.locator('h3:focus', { hasText: 'Step 2 of 4' }).waitFor();
    const first = await linkIn(page).inputValue();
    await page.getByRole('img', { name: 'QR code for WhatsApp' }).waitFor();
    await waitUntilEqual(
      async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
      [[], []],
    );

    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    const before = polls;
    await page.clock.runFor(10_000);
    assert.equal(polls, before);
    await page.evaluate('delete document.hidden');
    await page.keyboard.press('Escape');
    await goToPlace(page, 'bots');
    await goToPlace(page, 'alerts');
    await button(page, 'Create alert').click();
    await waitUntilEqual(() => linkIn(page).inputValue(), first);

    await parley.database.repository(AlertAttempt).update({ orgId: org.orgId }, { expiresAt: new Date(0) });
    await page.clock.runFor(2_000);
    await page.getByText('The link expired').waitFor();
    await inDialog(page, 'Create new link').click();
    await page.getByText('Waiting for the recipient to open the link.').waitFor();
    await waitUntil(async () => (await linkIn(page).inputValue()) !== first, 'another link');
    await openLink(parley, page, 'whatsapp', '+351910000002');
    await page.clock.runFor(2_000);
    await page.getByText('Connected: Grace Hopper (+351910000002)').waitFor();
    await clickNext(page);
    await inDialog(page, 'Cancel').click();
    await button(page, 'Create alert').click();
    await step(page, 'Channel').waitFor();
  });

  it('shows a month’s cost for each choice, and saves the choice (estimateAlertCost)', async () => {
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
    await parley.database.sql("UPDATE orgs SET created_at = now() - interval '60 days' WHERE id = $1", [
      org.orgId,
    ]);
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 86_400_000);
    const happened = { hour, orgId: org.orgId, botId: bot.id };
    await parley.database.repository(EventCount).insert([
      { ...happened, id: newId(), name: 'lead.captured', count: 30 },
      { ...happened, id: newId(), name: 'document.indexed', count: 90 },
    ]);
    const page = await consoles().openWithKey(parley, org.key, '/alerts', {
      viewport: { width: 1280, height: 1180 },
    });
    await button(page, 'Create alert').click();
    await page.getByRole('radio', { name: 'WhatsApp' }).check();
    await clickNext(page);
    const phone = await playPhone(page);
    await phone.getByLabel('Number').fill('+351910000003');
    await phone.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText(/^Connected: .*\+351910000003/).waitFor();
    await clickNext(page);
    const estimate = page.getByRole('region', { name: 'Estimate' });
    await estimate.getByText('About 24 messages a month, for about $0.72, at $0.03 each.').waitFor();
    await estimate.getByText('Events in this period').click();
    await estimate.getByText('30 × lead captured').waitFor();
    await page.getByRole('radio', { name: 'Everything' }).check();
    await estimate.getByText('About 60 messages a month').waitFor();
    await page.getByLabel('Daily message limit').fill('10');
    await estimate.getByText('On 1 day, alerts over the daily limit').waitFor();
    await page.getByLabel('Summary', { exact: true }).selectOption('Daily');
    await estimate.getByText('About 11 messages and 1 summary a month').waitFor();
    await page.getByLabel('Bot', { exact: true }).selectOption('Help desk');
    await page.getByLabel('Label').fill('Reception');
    await takePicture(page, 'console-alert-estimate');
    await inDialog(page, 'Save alert').click();
    await inDialog(page, 'Send test').click();
    await page.getByText(/Test message saved after/).waitFor();
    await inDialog(page, 'Done').click();
    await findCard(page, 'Reception').getByText('Help desk').waitFor();
    const [saved] = (await org.client.get('/api/alerts')).body;
    assert.deepEqual(
      [saved!.bot_id, saved!.intensity, saved!.digest, saved!.daily_cap],
      [bot.id, 'all', 'daily', 10],
    );
  });
});

describe('the alert wizard with Telegram', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  let org: TestOrg;
  before(
    async () =>
      (parley = await startParley({
        PARLEY_TELEGRAM_BOT_TOKEN: '1234567:abcdefghijklmnopqrstuvwxyz',
        PARLEY_TELEGRAM_BOT_NAME: 'harbour_bikes_bot',
      })),
  );
  after(() => parley?.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  it('shows a QR code and a link for a person or a group, and the limit of links (connectTelegram)', async () => {
    const page = await consoles().openWithKey(parley, org.key, '/alerts', {
      viewport: { width: 1280, height: 960 },
    });
    await button(page, 'Create alert').click();
    await clickNext(page);
    await page.getByText("Scan the QR code with the recipient's phone").waitFor();
    const code = page.getByRole('img', { name: 'QR code for Telegram' }).locator('path');
    const drawn = await code.getAttribute('d');
    await waitUntilMatches(() => linkIn(page).inputValue(), /^https:\/\/t\.me\/harbour_bikes_bot\?start=/);
    await takePicture(page, 'console-alert-qr');
    await page.getByRole('radio', { name: 'A group' }).check();
    await waitUntilMatches(() => linkIn(page).inputValue(), /\?startgroup=/);
    await waitUntil(async () => (await code.getAttribute('d')) !== drawn, 'another code');

    for (let links = 2; links <= 10; links += 1) await org.client.post('/api/alerts/telegram/connect', {});
    await inDialog(page, 'Create new link').click();
    await page.getByRole('alert').getByText('reached its limit of connection links per hour').waitFor();
    await openLink(parley, page, 'telegram', '-1001234567890');
    await page.getByText('Connected: Grace Hopper (-1001234567890)').waitFor();
  });

  it('reconnects a blocked destination, and shows when another chat has opened the link (pollTelegram)', async () => {
    const destination = await connectChat(parley, org);
    await savePolicy(org, { channel: 'telegram', destination, label: 'Workshop' });
    await parley.database
      .repository(AlertDestination)
      .update({ orgId: org.orgId }, { blockedAt: new Date(), blockedReason: 'The bot was blocked.' });
    const page = await consoles().openWithKey(parley, org.key, '/alerts');
    await button(page, 'Reconnect Workshop').click();
    await page.getByText('Waiting for the recipient to open the link.').waitFor();
    await openLink(parley, page, 'telegram', '4242');
    await page
      .getByRole('alert')
      .getByText('Grace Hopper (4242) opened the link, but this alert has a different')
      .waitFor();
    await inDialog(page, 'Create new link').click();
    await page.getByText('Waiting for the recipient to open the link.').waitFor();
    await openLink(parley, page, 'telegram', destination);
    await page.getByText('Recipient verified').waitFor();
    await findCard(page, 'Workshop').getByText('Active', { exact: true }).waitFor();
  });
});
