import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { parseLinkCode } from '../alerts/support.ts';
import { findCard, inDialog } from '../console/alert-support.ts';
import { returnToWindow } from '../console/booking-support.ts';
import { chooseZone, goToPlace, useConsoles } from '../console/support.ts';
import { startSmtpPeer, type SmtpPeer } from '../mail/smtp-peer.ts';
import { openSharedBrowser } from '../support/browser.ts';
import { createClient } from '../support/api-client.ts';
import { startHostSite, type HostSite } from '../support/host-site.ts';
import { ParleyProcesses } from '../support/parley-processes.ts';
import { startParley, type ApiClient, type TestOrg, type TestParley } from '../support/parley.ts';
import { Recording } from '../support/pictures.ts';
import { DAV_PASSWORD, DAV_USER, Radicale } from '../support/radicale.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { FakeWhatsapp, signWhatsappBody, WHATSAPP } from '../support/whatsapp.ts';
import { WidgetVisits, type WidgetPage } from '../support/widget-page.ts';
import { createTemporalClient, buildTemporalEnv } from '../support/worker.ts';
import { AfternoonDays, CalendarApp, buildHalfAnHour, Mailbox } from './booked-meeting-scene.ts';

const FRAME_MS = 2500;
/** Window size in which both the widget and emails are readable. */
const VISITOR = { viewport: { width: 520, height: 900 } };
const OWNER = { viewport: { width: 1280, height: 900 } };
const ATTENDEE = 'rui@example.com';
const TEST = 'Alerts will arrive here. This is only a test that a member of your team sent.';
const PHONE_STYLE =
  'body { font: 15px sans-serif } p { white-space: pre-wrap; overflow-wrap: anywhere; background: #e3f2e8; padding: 8px 12px; border-radius: 8px }';
const CHAT = '710001';
const PHONE = '+351912345678';

describe('a meeting that is booked', function () {
  const consoles = useConsoles(this);
  const telegram = new FakeTelegram();
  const whatsapp = new FakeWhatsapp();
  const days = new AfternoonDays();
  const shortDay = days.format(2, { day: 'numeric', month: 'long' });
  const longDay = days.format(2, { dateStyle: 'full' });
  let radicale: Radicale;
  let calendar: CalendarApp;
  let mailServer: SmtpPeer;
  let site: HostSite;
  let parley: TestParley;
  let processes: ParleyProcesses;
  let temporal: ReturnType<typeof createTemporalClient>;
  let mailbox: Mailbox;
  let visits: WidgetVisits;
  let owner: TestOrg;
  let client: ApiClient;
  let ownerPage: Page;
  let visit: WidgetPage;
  /** URL of the page with the widget. */
  let hostPage: string;
  let recording: Recording;

  before(async function () {
    const found = await Radicale.start();
    // Skip the test: its CalDAV server needs Python.
    if (!found) return this.skip();
    radicale = found;
    calendar = new CalendarApp(radicale, await radicale.addCalendar('work'));
    mailServer = await startSmtpPeer({ hideSTARTTLS: true });
    mailbox = new Mailbox(mailServer, ATTENDEE);
    const [port = 0] = await findFreePorts(1);
    const baseUrl = `http://127.0.0.1:${port}`;
    parley = await startParley({
      ...buildTemporalEnv(),
      ...WHATSAPP,
      PARLEY_BASE_URL: baseUrl,
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      PARLEY_SMTP_TLS: 'none',
      PARLEY_MAIL_FROM: 'Parley <no-reply@parley.example>',
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
      whatsappApiUrl: await whatsapp.start(),
      alertSettleMs: 16000,
      PARLEY_SHUTDOWN_GRACE_MS: '4000',
    });
    const { settings } = parley.runtime;
    processes = await ParleyProcesses.start({ ...settings, port });
    parley = { ...parley, baseUrl };
    temporal = createTemporalClient(settings);
    site = await startHostSite();
    visits = new WidgetVisits(parley, (await openSharedBrowser())!, site);
    owner = await parley.buildOrg();
    client = createClient(baseUrl, owner.key);
  });
  after(async () => {
    await visits?.closeAll();
    await processes?.stop();
    await temporal?.close();
    await parley?.stop();
    await Promise.all([site?.close(), mailServer?.close(), radicale?.stop()]);
    await Promise.all([telegram.stop(), whatsapp.stop()]);
  });

  /** Triggers a schedule of Parley that would otherwise run within minutes. */
  const trigger = (schedule: string) =>
    temporal.client.schedule
      .getHandle(`${parley.runtime.settings.temporalTaskQueue}/${schedule}`)
      .trigger('ALLOW_ALL');
  const click = (name: string) => ownerPage.getByRole('button', { name, exact: true }).click();

  it('is written to the owner’s calendar, follows changes there and is canceled by its visitor; handoffs are reported in two apps and in the digest', async () => {
    const { body: bot } = await client.post('/api/bots', { name: 'Harbour Bikes', handoff_enabled: true });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    ownerPage = await consoles().openAsPerson(parley, owner, '/bookings/calendar', OWNER);
    visit = await visits.visit(bot, { ...VISITOR, timezoneId: days.zone });
    recording = new Recording(visit.page, ownerPage);
    await calendar.add('dentist', days.at(2, '09:30'), days.at(2, '10:30'));

    await connectCalendar();
    await bookInWidget();
    await moveInCalendar();
    await cancelByMail();
    await connectChats();
    await askForPerson();
    await readDigests();
    await recording.save('booked-meeting', FRAME_MS);
  });

  async function connectCalendar(): Promise<void> {
    await ownerPage.getByRole('button', { name: 'Connect CalDAV' }).click();
    await ownerPage.getByLabel('URL of the CalDAV server').fill(radicale.url);
    await ownerPage.getByLabel('User name').fill(DAV_USER);
    await ownerPage.getByLabel('App password').fill(DAV_PASSWORD);
    await recording.addFrame();
    await click('Connect');
    await ownerPage.getByText('Calendar connected.').waitFor();
    await ownerPage.getByText('Connected', { exact: true }).waitFor();
    await chooseZone(ownerPage, days.zone);
    await ownerPage.getByLabel('Weekdays only').uncheck();
    await ownerPage.getByLabel('To', { exact: true }).selectOption('12:00');
    const preview = ownerPage.getByRole('region', { name: 'Preview' });
    await preview.getByText(/^\d+ free times$/).waitFor();
    await click('Save');
    await ownerPage.getByText('Changes saved').waitFor();
    const day = preview.locator('.preview-day').filter({ hasText: shortDay });
    await waitUntil(async () => (await day.locator('time').count()) === 4, 'the slots of a day');
    await waitUntilEqual(() => day.locator('time').allTextContents(), ['09:00', '10:30', '11:00', '11:30']);
    await recording.addFrame();
  }

  async function bookInWidget(): Promise<void> {
    await visit.page.reload();
    await visit.open();
    await visit.button('Book a meeting').click();
    await visit.panel.locator(`label[for="booking-day-${days.date(2)}"]`).click();
    const times = visit.panel.locator('.booking-times').getByRole('button');
    await waitUntilEqual(() => times.allTextContents(), ['09:00', '10:30', '11:00', '11:30']);
    await recording.addFrame();
    await visit.panel.getByRole('button', { name: '10:30' }).click();
    await visit.panel.getByLabel(/^Name/).fill('Rui Costa');
    await visit.panel.getByLabel('Email').fill(ATTENDEE);
    await visit.panel.getByLabel(/^What is it about/).fill('Two bicycles for a week');
    await recording.addFrame();
    await visit.panel.locator('form.booking').getByRole('button', { name: 'Book', exact: true }).click();
    await visit.waitForText('Your meeting is booked');
    await visit.waitForText(`${longDay}, 10:30 – 11:00`);

    await goToPlace(ownerPage, 'bookings');
    await ownerPage.getByText('10:30–11:00').waitFor();
    await recording.addFrame();
    const booking = await readOnlyBooking();
    assert.deepEqual(
      [booking.source, booking.attendee_email, booking.start, booking.end],
      ['widget', ATTENDEE, ...Object.values(buildHalfAnHour(days.at(2, '10:30')))],
    );
    await waitUntil(async () => (await readOnlyBooking()).calendar_status === 'written', 'the event');
    const event = { uid: booking.id, summary: 'Two bicycles for a week', attendees: 0 };
    assert.deepEqual(await readOtherEvents(), [{ ...event, ...buildHalfAnHour(days.at(2, '10:30')) }]);
    const { mail, file } = await mailbox.waitForLast(1);
    assert.deepEqual(file, {
      method: 'REQUEST',
      uid: booking.id,
      sequence: 0,
      ...buildHalfAnHour(days.at(2, '10:30')),
    });
    assert.equal(mail.subject, `Confirmed: your meeting on ${shortDay} at 10:30`);
    assert.match(mail.text!, new RegExp(`When: ${longDay}, 10:30–11:00 \\(${days.zone}, GMT`));
  }

  async function moveInCalendar(): Promise<void> {
    const { id } = await readOnlyBooking();
    await calendar.move(id, days.at(2, '11:30'));
    // Make the next read of the calendar due, as after a quarter of an hour.
    await parley.database
      .repository(CalendarConnection)
      .update({ orgId: owner.orgId }, { syncDueAt: new Date() });
    await trigger('sweep-calendars');
    const moved = buildHalfAnHour(days.at(2, '11:30'));
    const { mail, file } = await mailbox.waitForLast(2);
    assert.deepEqual(file, { method: 'REQUEST', uid: id, sequence: 1, ...moved });
    assert.equal(mail.subject, `Moved: your meeting is now on ${shortDay} at 11:30`);
    assert.match(mail.text!, new RegExp(`When: ${longDay}, 11:30–12:00 \\(${days.zone}, GMT`));
    await returnToWindow(ownerPage);
    await ownerPage.getByText('11:30–12:00').waitFor();
    const booking = await readOnlyBooking();
    const { start, end, status, conflict, cancelled_by } = booking;
    assert.deepEqual(
      { start, end, status, conflict, cancelled_by },
      { ...moved, status: 'confirmed', conflict: false, cancelled_by: null },
    );
    assert.deepEqual(await readFreeTimes(), ['09:00', '10:30', '11:00']);
    hostPage = visit.page.url();
    await visit.page.setContent(String(mail.html));
    await recording.addFrame();
  }

  async function cancelByMail(): Promise<void> {
    const { id } = await readOnlyBooking();
    const { page } = visit;
    const link = page.getByRole('link', { name: 'View or cancel the meeting' });
    await page.goto((await link.getAttribute('href'))!);
    await page.getByText('11:30').waitFor();
    await recording.addFrame();
    await page.getByRole('button', { name: 'Cancel the meeting' }).click();
    await page.getByText('This meeting was canceled.').waitFor();
    const { mail, file } = await mailbox.waitForLast(3);
    assert.deepEqual(file, {
      method: 'CANCEL',
      uid: id,
      sequence: 2,
      ...buildHalfAnHour(days.at(2, '11:30')),
    });
    assert.equal(mail.subject, `Canceled: your meeting on ${shortDay} at 11:30`);
    assert.match(mail.text!, new RegExp(`When: ${longDay}, 11:30–12:00 \\(${days.zone}, GMT`));
    await waitUntil(async () => (await readOtherEvents()).length === 0, 'the event to go');
    await waitUntil(
      async () => (await readOnlyBooking()).calendar_status === 'removed',
      'the booking to say so',
    );
    const booking = await readOnlyBooking();
    assert.deepEqual([booking.status, booking.cancelled_by], ['cancelled', 'attendee']);
    assert.deepEqual(await readFreeTimes(), ['09:00', '10:30', '11:00', '11:30']);
    await returnToWindow(ownerPage);
    await ownerPage.locator(`[data-id="${id}"]`).getByText('Canceled', { exact: true }).waitFor();
    await recording.addFrame();
  }

  async function connectChats(): Promise<void> {
    await goToPlace(ownerPage, 'alerts');
    await click('Create alert');
    await inDialog(ownerPage, 'Next').click();
    await ownerPage.getByRole('img', { name: 'QR code for Telegram' }).waitFor();
    await recording.addFrame();
    telegram.say({ id: Number(CHAT), first_name: 'Ada' }, `/start ${parseLinkCode(await linkShown())}`);
    await ownerPage.getByText(`Connected: Ada (${CHAT})`).waitFor();
    await chooseAlerts('Urgent only', 'Reception');

    await click('Create alert');
    await ownerPage.getByRole('radio', { name: 'WhatsApp' }).check();
    await inDialog(ownerPage, 'Next').click();
    const text = new URL(await linkShown()).searchParams.get('text')!;
    const told = whatsapp.buildInboundHook(PHONE, text);
    const headers = { 'x-hub-signature-256': signWhatsappBody(told), 'content-type': 'application/json' };
    const { status } = await fetch(`${parley.baseUrl}/hooks/whatsapp`, {
      method: 'POST',
      headers,
      body: told,
    });
    assert.equal(status, 200);
    await ownerPage.getByText(`Connected: Ada Lovelace (${PHONE})`).waitFor();
    await chooseAlerts('Urgent events, leads and bookings', 'Duty phone');
    for (const name of ['Reception', 'Duty phone'])
      await findCard(ownerPage, name).getByText('Active', { exact: true }).waitFor();
  }

  const linkShown = () => ownerPage.getByRole('textbox', { name: 'Link' }).inputValue();

  async function chooseAlerts(intensity: string, label: string): Promise<void> {
    await inDialog(ownerPage, 'Next').click();
    await ownerPage.getByRole('radio', { name: intensity }).check();
    await ownerPage.getByLabel('Summary', { exact: true }).selectOption('Daily');
    await ownerPage.getByLabel('Label').fill(label);
    await ownerPage.getByRole('region', { name: 'Estimate' }).getByText('a month').first().waitFor();
    await recording.addFrame();
    await inDialog(ownerPage, 'Save alert').click();
    await inDialog(ownerPage, 'Send test').click();
    await ownerPage.getByText(/ accepted the test message after \d+ ms\./).waitFor();
    await inDialog(ownerPage, 'Done').click();
  }

  async function askForPerson(): Promise<void> {
    await visit.page.goto(hostPage);
    await visit.waitForText('This meeting is canceled');
    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team… You can keep typing.');
    await waitUntil(() => readTelegramTexts().length >= 3 && readWhatsappTexts().length >= 2, 'both alerts');
    const [conversation] = (await client.get('/api/conversations')).body.items;
    const link = `${parley.baseUrl}/console#/inbox/${conversation!.id}?workspace=${owner.orgId}`;
    const told = 'A visitor asks for a person: Harbour Bikes Open';
    assert.deepEqual(readTelegramTexts(), [
      'This chat is connected and can now receive alerts from Acme.',
      `Test: Reception\n${TEST}`,
      `Reception\n${told}`,
    ]);
    assert.equal(telegram.sent.at(-1)!.entities.at(-1)!.url, link);
    assert.deepEqual(readWhatsappTexts(), [`Test: Duty phone\n${TEST}`, `Duty phone\n${told} ${link}`]);
    assert.deepEqual(visit.errors, []);
    await recording.addFrame();
    await showPhones();
  }

  async function readDigests(): Promise<void> {
    await processes.restartAt(new Date(days.at(1, '09:00').getTime() + 30_000));
    await trigger('sweep-alerts');
    await waitUntil(() => readTelegramTexts().length >= 4 && readWhatsappTexts().length >= 3, 'both digests');
    const { temporalTaskQueue: taskQueue } = parley.runtime.settings;
    const another = { taskQueue, workflowId: `${taskQueue}/sweep-alerts-again` };
    await temporal.client.workflow.execute('sweepAlerts', another);
    const digests = { orgId: owner.orgId, kind: 'digest' } as const;
    assert.equal(await parley.database.repository(AlertMessage).countBy(digests), 2);
    assert.equal(readTelegramTexts().length, 4);
    assert.equal(readWhatsappTexts().length, 3);
    const happened = [
      `Since ${days.format(0, { weekday: 'short', day: 'numeric', month: 'short' })}, 09:00 (${days.zone})`,
      'Visitors who asked for a person: 1 (before: 0)',
      'Leads: 1 (before: 0)',
      'Meetings booked: 1 (before: 0)',
      'Meetings canceled: 1 (before: 0)',
      'Sessions started: 1 (before: 0)',
      'Waiting for a person now: 1',
      '– Harbour Bikes, since …',
    ];
    const link = `${parley.baseUrl}/console#/inbox?workspace=${owner.orgId}`;
    assert.deepEqual(splitAlertLines(readTelegramTexts().at(-1)!), [
      'Digest: Acme, Reception',
      ...happened,
      'Open the console',
    ]);
    assert.deepEqual(splitAlertLines(readWhatsappTexts().at(-1)!), [
      'Digest: Acme, Duty phone',
      ...happened,
      `Open the console ${link}`,
    ]);
    await ownerPage.reload();
    for (const name of ['Reception', 'Duty phone'])
      await findCard(ownerPage, name).getByText('1 of 2,000 messages').waitFor();
    await showPhones();
  }

  const readTelegramTexts = () => telegram.getTextsTo(CHAT);
  const readWhatsappTexts = () => whatsapp.getSentTo(PHONE).map(({ text }) => text);
  /** Splits the text of an alert into lines, without the time of a handoff, which it states to the minute. */
  const splitAlertLines = (text: string) => text.replace(/ since \w{3} .+/, ' since …').split('\n');

  /** Renders the chat apps on the owner's phone as a web page, for the recording of the test. */
  async function showPhones(): Promise<void> {
    const apps = { Telegram: readTelegramTexts(), WhatsApp: readWhatsappTexts() };
    const shown = Object.entries(apps).map(
      ([app, texts]) => `<h2>${app}</h2>${texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}`,
    );
    await visit.page.setContent(`<style>${PHONE_STYLE}</style>${shown.join('')}`);
    await recording.addFrame();
  }

  async function readOnlyBooking() {
    const { body } = await client.get(`/api/bookings?from=${days.at(2, '00:00').toISOString()}`);
    assert.equal(body.length, 1);
    return body[0]!;
  }

  const readOtherEvents = async () =>
    (await calendar.readCalendarEvents()).filter(({ uid }) => uid !== 'dentist');

  async function readFreeTimes(): Promise<string[]> {
    const range = { from: days.at(2, '00:00').toISOString(), to: days.at(3, '00:00').toISOString() };
    const query = new URLSearchParams({ ...range, timezone: days.zone }).toString();
    const { body } = await client.get(`/api/bookings/slots?${query}` as '/api/bookings/slots');
    return body.map(({ local_start: start }) => start.slice(11, 16));
  }
});
