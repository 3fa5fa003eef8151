import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildFlowBot } from '../flows/flow-visits.ts';
import { buildBookableBot, saveTooLongMeetings, openCalendar, SetClock } from '../bookings/support.ts';
import { startParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { waitUntilSaid, type OpenOptions, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const MONDAY = '2026-11-23T08:00:00.000Z';

const hasFocus = (place: Locator) =>
  place.evaluate((element) => element === element.getRootNode().activeElement);

/** A flow that offers meeting slots to the visitor, and ends with a message for each outcome. */
const OFFERING = buildGraph(
  [
    buildNode('booking', { text: 'When will you come?' }, 'book'),
    buildNode('end', { message: 'Until {{vars.booking_time}}.' }, 'done'),
    buildNode('end', { message: 'Another time, then.' }, 'none'),
    buildNode('end', { message: 'Bookings are closed.' }, 'gone'),
  ],
  'book booked done',
  'book none none',
  'book unavailable gone',
);

describe('bookings in the widget', () => {
  const clock = new SetClock(MONDAY);
  const scene = useWidgetScene((env) =>
    startParley({ ...env, bookingsPerHour: 0, bookingsPerDay: 0 }, { clock }),
  );

  const findTimes = (visit: WidgetPage) => visit.panel.locator('.booking-times').getByRole('button');
  const findDays = (visit: WidgetPage) => visit.panel.getByRole('radio');
  const findMeetings = (visit: WidgetPage) => visit.panel.locator('.messages .meeting');
  const findField = (visit: WidgetPage, name: string | RegExp) => visit.panel.getByLabel(name);

  /** Opens a visitor’s page whose browser has the time of the API’s clock. */
  async function visitAtApiTime(bot: { public_key: string }, options: OpenOptions = {}): Promise<WidgetPage> {
    const context =
      options.context ?? (await scene.visits.createContext({ timezoneId: 'Europe/Lisbon', ...options }));
    if (!options.context) await context.clock.setFixedTime(MONDAY);
    const visit = await scene.visits.visit(bot, { ...options, context });
    await visit.open();
    return visit;
  }

  /** Opens the widget's sheet with the bookable slots. */
  async function openBookingSheet(settings: object = {}, options: OpenOptions = {}, book = 'Book a meeting') {
    const built = await buildBookableBot(scene.parley, settings);
    const visit = await visitAtApiTime(built.bot, options);
    await visit.button(book).click();
    await findTimes(visit).first().waitFor();
    return { ...built, visit };
  }

  async function fillInForm(visit: WidgetPage): Promise<void> {
    await findField(visit, /^Name/).fill('Rui Costa');
    await findField(visit, 'Email').fill('rui@example.com');
    await findField(visit, /^What is it about/).fill('Viewing');
  }

  it('lead from a day and a time to a meeting in the conversation, even under a strict Content-Security-Policy', async () => {
    const { baseUrl } = scene.parley;
    const policy = `default-src 'none'; script-src ${baseUrl}/widget.js ${baseUrl}/widget/; connect-src ${baseUrl}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
    const page = { headers: { 'content-security-policy': policy } };
    const { client, visit, bot } = await openBookingSheet({ business_close_hour: 12 }, { page });
    assert.deepEqual(visit.errors, []);
    await waitUntilEqual(() => hasFocus(visit.panel.getByRole('heading', { name: 'Book a meeting' })), true);
    await waitUntilEqual(() => findField(visit, 'Time zone').inputValue(), 'Europe/Lisbon');
    await waitUntilEqual(
      () => findTimes(visit).allTextContents(),
      ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'],
    );
    await visit.panel.getByText('Tue 24 Nov').click();
    await visit.waitForText('Free times on Tuesday, 24 November 2026: 6');
    await takePicture(visit.page, 'widget-booking');
    await findTimes(visit).nth(2).click();
    await visit.waitForText('Tuesday, 24 November 2026, 10:00 – 10:30');
    await fillInForm(visit);
    await visit.panel.locator('form.booking').getByRole('button', { name: 'Book', exact: true }).click();
    const meeting = findMeetings(visit);
    await meeting.waitFor();
    await waitUntilEqual(() => hasFocus(meeting.getByRole('heading')), true);
    await waitUntilMatches(
      () => meeting.innerText(),
      /^Your meeting is booked\s+Tuesday, 24 November 2026, 10:00 – 10:30\s+Europe\/Lisbon\s+Viewing\s+Add to calendar\s+Cancel the meeting$/,
    );
    const { body } = await client.get('/api/bookings?from=2026-11-23T00:00:00Z');
    const [booking] = body;
    const { start, attendee_name, attendee_email, attendee_timezone, summary, source } = booking!;
    assert.deepEqual(
      { start, attendee_name, attendee_email, attendee_timezone, summary, source },
      {
        start: '2026-11-24T10:00:00.000Z',
        attendee_name: 'Rui Costa',
        attendee_email: 'rui@example.com',
        attendee_timezone: 'Europe/Lisbon',
        summary: 'Viewing',
        source: 'widget',
      },
    );
    // The booked meeting stays at its position in the conversation, here and in other tabs.
    await visit.say('Hello');
    await visit.waitForText('A day pass costs');
    const other = await visitAtApiTime(bot, { context: visit.page.context(), page });
    for (const tab of [visit, other]) {
      await tab.page.reload();
      await findMeetings(tab).waitFor();
      await tab.waitForText('A day pass costs');
      const order = await tab.panel
        .locator('.items > *')
        .evaluateAll((all) => all.map((each) => each.className));
      assert.deepEqual(
        order.map((name) => name.split(' ')[0]),
        ['meeting', 'message', 'message'],
      );
    }
    await other.button('Cancel the meeting').click();
    await other.button('Keep it').click();
    await waitUntilEqual(() => hasFocus(other.button('Cancel the meeting')), true);
    await other.button('Cancel the meeting').click();
    await other.button('Cancel the meeting').click();
    for (const tab of [visit, other]) await tab.waitForText('This meeting is canceled');
    await waitUntilEqual(() => hasFocus(findMeetings(other).getByRole('heading')), true);
    await waitUntilEqual(() => findMeetings(visit).getByRole('button').count(), 0);
    const { body: after } = await client.get('/api/bookings?from=2026-11-23T00:00:00Z');
    assert.deepEqual(
      after.map(({ status, cancelled_by }) => [status, cancelled_by]),
      [['cancelled', 'attendee']],
    );
    assert.deepEqual(visit.errors, []);
  });

  itInSoak('work with the keyboard alone, and keep the form if the slot was taken meanwhile', async () => {
    const {
      client,
      visit,
      visit: { page },
    } = await openBookingSheet({ business_close_hour: 12 });
    const pressKeys = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await pressKeys(
      'Tab',
      'Tab',
      'ArrowRight',
      'Tab',
      'Tab',
      'ArrowRight',
      'ArrowDown',
      'End',
      'ArrowLeft',
      'Enter',
    );
    await visit.waitForText('Tuesday, 24 November 2026, 11:00 – 11:30');
    await pressKeys('Tab');
    await page.keyboard.type('Rui Costa');
    await pressKeys('Tab');
    await page.keyboard.type('rui');
    await pressKeys('Enter');
    await visit.waitForText('Enter a valid email, e.g. ada@example.com.');
    await waitUntilEqual(() => hasFocus(findField(visit, 'Email')), true);
    await page.keyboard.type('@example.com');
    const taken = { start: '2026-11-24T11:00:00Z', summary: 'Faster', attendee_email: 'grace@example.com' };
    assert.equal((await client.post('/api/bookings', taken)).status, 201);
    await pressKeys('Enter');
    await visit.waitForText('That time was just taken. Pick another.');
    await waitUntil(
      async () => (await findTimes(visit).count()) === 5,
      'the times without the one that was taken',
    );
    await waitUntilEqual(() => hasFocus(visit.panel.getByRole('heading', { name: 'Book a meeting' })), true);
    await waitUntilEqual(() => findDays(visit).nth(1).isChecked(), true);
    await findTimes(visit).last().press('Enter');
    await visit.waitForText('Tuesday, 24 November 2026, 11:30 – 12:00');
    await waitUntilEqual(
      async () => [
        await findField(visit, /^Name/).inputValue(),
        await findField(visit, 'Email').inputValue(),
      ],
      ['Rui Costa', 'rui@example.com'],
    );
    await findField(visit, 'Email').press('Enter');
    await findMeetings(visit).waitFor();
    // The key Escape closes the sheet and keeps the booking.
    await visit.button('Book a meeting').click();
    await findTimes(visit).first().waitFor();
    await pressKeys('Escape');
    await waitUntilEqual(() => visit.panel.getByRole('heading', { name: 'Book a meeting' }).count(), 0);
    await waitUntilEqual(() => findMeetings(visit).count(), 1);
  });

  itInSoak('explain why a booking is impossible, and continue when it is possible again', async () => {
    const { bot, client } = await buildBookableBot(scene.parley);
    const visit = await visitAtApiTime(bot);
    const { page } = visit;
    await page.route('**/widget/booking-*', (route) => route.abort());
    await visit.button('Book a meeting').click();
    await visit.waitForText('Something went wrong. Please try again.');
    await visit.button('Book a meeting').waitFor();
    await page.unroute('**/widget/booking-*');
    await waitUntil(async () => {
      await visit.button('Book a meeting').click();
      return Promise.race([
        findTimes(visit)
          .first()
          .waitFor()
          .then(() => true),
        visit.waitForText('Something went wrong').then(() => false),
      ]);
    }, 'the part, at another try');
    await visit.button('Cancel').click();

    const free = '**/slots?*';
    const busy = { error: { code: 'not_ready' } };
    const answers: Record<string, object> = {
      'The calendar cannot be reached at present. Trying again in 2 seconds.': {
        status: 503,
        headers: {
          'retry-after': '2',
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'Retry-After',
        },
        json: busy,
      },
    };
    for (const [text, answer] of Object.entries(answers)) {
      await page.route(free, (route) => route.fulfill(answer), { times: 1 });
      await visit.button('Book a meeting').click();
      await visit.waitForText(text);
      await findTimes(visit).first().waitFor();
      assert.equal(await visit.panel.getByText(text).count(), 0);
      await visit.button('Cancel').click();
    }
    const key = {
      status: 423,
      headers: { 'access-control-allow-origin': '*' },
      json: { error: { code: 'key_unavailable' } },
    };
    await page.route(free, (route) => route.fulfill(key), { times: 1 });
    await visit.button('Book a meeting').click();
    await visit.waitForText('Booking is currently unavailable.');
    await visit.button('Cancel').click();
    await openCalendar(client, { is_active: false });
    await visit.button('Book a meeting').click();
    await visit.waitForText('Booking is currently unavailable.');
    await openCalendar(client, { is_active: true });
    await saveTooLongMeetings(scene.parley, bot.org_id);
    await visit.button('Try again').click();
    await visit.waitForText('No times available');
    await openCalendar(client, { slot_minutes: null, business_close_hour: null });
    await page.context().setOffline(true);
    await visit.button('Try again').click();
    await visit.waitForText("You're offline. Try again when you're back online.");
    await page.context().setOffline(false);
    await visit.button('Try again').click();
    await findTimes(visit).first().waitFor();
    // The keyboard focus stays in the widget's panel when the element with the focus disappears.
    assert.equal(await hasFocus(visit.panel.getByRole('heading', { name: 'Book a meeting' })), true);
    await page.route(free, (route) => route.abort());
    await waitUntil(async () => {
      await visit.button('More days').click();
      return (await visit.button('Try again').count()) === 1;
    }, 'days that are not known yet');
    await visit.waitForText('Something went wrong. Please try again.');
    assert.equal(await hasFocus(visit.button('More days')), true);
  });

  itInSoak('use the visitor’s language and chosen time zone, and show more days on request', async () => {
    const { visit } = await openBookingSheet(
      { business_close_hour: 11 },
      {
        attributes: 'data-language="de"',
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
        locale: 'de-DE',
      },
      'Termin buchen',
    );
    await visit.waitForText('Termin buchen');
    await waitUntilEqual(() => findDays(visit).count(), 8);
    await waitUntilEqual(() => findTimes(visit).allTextContents(), ['09:00', '09:30', '10:00', '10:30']);
    await findField(visit, 'Zeitzone').selectOption('Asia/Tokyo');
    await waitUntilEqual(() => findTimes(visit).allTextContents(), ['18:00', '18:30', '19:00', '19:30']);
    await visit.button('Weitere Tage').click();
    await waitUntilEqual(() => findDays(visit).count(), 16);
    await waitUntilEqual(() => hasFocus(findDays(visit).nth(8)), true);
    await findTimes(visit).nth(1).click();
    await visit.waitForText('Asia/Tokyo');
    await findField(visit, 'E-Mail').fill('rui@example.com');
    await findField(visit, 'E-Mail').press('Enter');
    await visit.waitForText('Ihr Termin ist gebucht');
    await waitUntilMatches(() => findMeetings(visit).innerText(), /18:30 – 19:00\s+Asia\/Tokyo\s+Termin\s/);
    await takePicture(visit.page, 'widget-booked');
  });

  itInSoak(
    'open at the booking step of a flow, which continues after a booking or a refusal; a call by the page comes first',
    async () => {
      const { bot, client, activate } = await buildFlowBot(scene.parley, []);
      await openCalendar(client, { business_close_hour: 12 });
      await activate({ graph: OFFERING, trigger: 'first_message' });
      const asked = ['user: Hello', 'assistant: When will you come?'];
      const visit = await visitAtApiTime(bot);
      await visit.say('Hello');
      await waitUntilSaid(visit, asked);
      await findTimes(visit).nth(1).click();
      await fillInForm(visit);
      await findField(visit, 'Email').press('Enter');
      await waitUntilSaid(visit, [...asked, 'assistant: Until 2026-11-23 09:30.']);
      await waitUntilEqual(() => findMeetings(visit).count(), 1);

      const other = await visitAtApiTime(bot);
      await other.say('Hello');
      await findTimes(other).first().waitFor();
      await other.button('No time suits me').click();
      await waitUntilSaid(other, [...asked, 'user: No time suits me', 'assistant: Another time, then.']);

      const html =
        '<script>window.booked = []; window.ParleySettings = { onBook: (choice) => { booked.push(choice); } };</script>';
      const hooked = await visitAtApiTime(bot, { page: { html } });
      await hooked.say('Hello');
      await waitUntilSaid(hooked, asked);
      await waitUntil(
        () => hooked.page.evaluate<boolean>('booked.length === 1 && booked[0] === null'),
        'the call',
      );
      await waitUntilEqual(() => hooked.panel.getByRole('heading', { name: 'Book a meeting' }).count(), 0);
    },
  );

  itInSoak(
    'fill in known contact details, ask for denied consent, and show the team’s changes, under a Content-Security-Policy with a nonce',
    async () => {
      const { bot, client } = await buildBookableBot(scene.parley);
      await client.patch(`/api/bots/${bot.id}`, {
        lead_capture_config: {
          enabled: true,
          trigger: 'manual',
          fields: [
            { key: 'name', label: 'Who', type: 'text' },
            { key: 'email', label: 'Where', type: 'email', required: true },
          ],
        },
      });
      const { baseUrl } = scene.parley;
      const page = {
        headers: { 'content-security-policy': `script-src 'nonce-abc'; connect-src ${baseUrl}` },
      };
      const visit = await visitAtApiTime(bot, { attributes: 'nonce="abc"', page });
      await visit.choose('Share contact details');
      await findField(visit, 'Where').fill('rui@example.com');
      await visit.button('Continue').click();
      await findField(visit, /^Who/).fill('Rui Costa');
      await findField(visit, /^I agree/).check();
      await visit.button('Send').first().click();
      await visit.waitForText("Thanks! We'll be in touch.");
      await visit.button('Book a meeting').click();
      await findTimes(visit).first().click();
      await waitUntil(
        async () => (await findField(visit, 'Email').inputValue()) === 'rui@example.com',
        'the address',
      );
      await waitUntilEqual(() => findField(visit, /^Name/).inputValue(), 'Rui Costa');
      await findField(visit, 'Email').press('Enter');
      await findMeetings(visit).waitFor();
      const { body } = await client.get('/api/bookings?from=2026-11-23T00:00:00Z');
      await client.post(`/api/bookings/${body[0]!.id}/cancel`);
      await visit.page.reload();
      await visit.waitForText('This meeting is canceled');

      const refused = await visitAtApiTime(bot);
      await refused.choose('Privacy');
      await refused.button("Don't allow").click();
      await refused.waitForText("Saved. We won't store your contact details.");
      await refused.button('Book a meeting').click();
      await findTimes(refused).first().click();
      await fillInForm(refused);
      await findField(refused, 'Email').press('Enter');
      await refused.waitForText('Please tick the box to book.');
      await findField(refused, /^I agree/).check();
      await findField(refused, 'Email').press('Enter');
      await findMeetings(refused).waitFor();
    },
  );
});
