import assert from 'node:assert/strict';
import { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import { buildPerson } from '../../accounts/support.ts';
import { buildBookable, buildBookableBot } from '../../bookings/support.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual, waitUntilMatches } from '../../support/wait-until.ts';
import { button, returnToWindow, LISBON, MARKUP, NOW, useBookings } from '../../console/booking-support.ts';
import { chooseZone, goToPlace, MISNAMED, NAMELESS } from '../../console/support.ts';

const RESULTS = {
  connected: 'Calendar connected.',
  refused: 'access was declined',
  expired: 'longer than ten minutes',
  scope: 'a permission is missing',
  browser: 'you started in another browser',
  unavailable: "the provider didn't respond",
  other: 'Something went wrong',
  toString: 'Something went wrong',
};

describe('the page of the calendar', function () {
  let google: GoogleCalendarFake;
  before(async () => (google = await GoogleCalendarFake.start()));
  after(() => google?.stop());
  const { parley, consoles, open, insert } = useBookings(this, () => google.env);
  const connections = () => parley().database.repository(CalendarConnection);

  it('connects a calendar and shows the result, then disconnects it and explains the effect on bookings (connectCalendar, disconnectCalendar)', async () => {
    const person = await buildPerson(parley());
    const page = await consoles().openAsPerson(parley(), person, '/bookings', { now: NOW });
    await page.getByText('Connect a calendar to start taking bookings.').waitFor();
    await waitUntilEqual(() => page.getByRole('link', { name: 'New booking' }).count(), 0);
    await page.getByRole('link', { name: 'Set up calendar' }).click();
    await page.getByRole('heading', { name: 'No calendar connected' }).waitFor();
    await page.getByRole('button', { name: 'Connect CalDAV' }).click();
    await page.waitForURL(/\/calendar\/caldav\?state=/);
    await page.setViewportSize({ width: 320, height: 568 });
    assert.equal(await page.locator('html').evaluate((html) => html.scrollWidth), 320);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goBack();
    await page.getByRole('button', { name: 'Use built-in calendar' }).click();
    await page.getByText('Calendar connected.').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await waitUntilMatches(() => page.url(), /\/console\/bookings\/calendar\?result=connected$/);
    for (const [result, text] of Object.entries(RESULTS)) {
      await goToPlace(page, `bookings/calendar?result=${result}`);
      await page.getByText(text).waitFor();
    }
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Something went wrong').waitFor({ state: 'detached' });

    const id = await insert(person, '2026-09-09T13:00:00Z');
    await page.reload();
    await button(page, 'Disconnect').click();
    const confirm = page.getByRole('dialog', { name: 'Disconnect calendar?' });
    await confirm.getByText('1 upcoming booking stays').waitFor();
    await confirm.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'No calendar connected' }).waitFor();
    await goToPlace(page, 'bookings');
    await page.locator(`[data-id="${id}"]`).waitFor();
    await page.getByText('Connect a calendar to start taking bookings.').waitFor();
  });

  it('offers Google’s calendars for bookings and for busy times, and shows the resulting slots (listCalendars)', async () => {
    google.addCalendar('team', { summary: MARKUP, accessRole: 'writer' });
    google.addCalendar('holidays', { summary: 'Holidays', accessRole: 'reader' });
    google.putEvent('team', {
      id: 'fair',
      start: { dateTime: '2026-09-08T09:00:00Z' },
      end: { dateTime: '2026-09-08T10:00:00Z' },
    });
    const person = await buildPerson(parley());
    const page = await consoles().openAsPerson(parley(), person, '/bookings/calendar', { now: NOW });
    await button(page, 'Connect Google Calendar').click();
    await page.getByText('Calendar connected.').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    const own = page.getByLabel('Add bookings to');
    await own.getByText(MARKUP).waitFor({ state: 'attached' });
    await waitUntilEqual(() => own.locator('option').allInnerTexts(), ['ada@example.com', MARKUP]);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('74 free times').waitFor();
    await page.getByRole('checkbox', { name: MARKUP }).check();
    await preview.getByText('72 free times').waitFor();
    google.fail(/freeBusy/, { status: 503 });
    await page.getByRole('checkbox', { name: /^Holidays/ }).check();
    await preview.getByText('The calendar cannot be read at the moment').waitFor();
    google.clearFaults();
    await page.getByRole('checkbox', { name: /^Holidays/ }).uncheck();
    await preview.getByText('72 free times').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Changes saved').waitFor();
    const { body } = await person.client.get('/api/calendar/connection');
    assert.deepEqual(body.calendar_ids.toSorted(), ['ada@example.com', 'team']);
  });

  it('previews the slots of unsaved settings, keeps the settings until they are saved, and shows errors (updateCalendarSettings)', async () => {
    const org = await buildBookable(parley(), { ...LISBON, weekdays_only: false });
    await insert(org, '2026-09-08T09:00:00Z');
    await connections().update({ orgId: org.orgId }, { connectedAt: NOW });
    const page = await open(org, '/bookings/calendar', { viewport: { width: 1280, height: 900 } });
    const preview = page.getByRole('region', { name: 'Preview' });
    const times = async (): Promise<string[]> =>
      preview.locator('.preview-day').nth(1).locator('time').allInnerTexts();
    await preview.getByText('107 free times').waitFor();
    await page.getByLabel('Duration', { exact: true }).fill('90');
    await page.getByLabel('Buffer between meetings').fill('30');
    await page.getByLabel('To', { exact: true }).selectOption('13:00');
    await page.getByLabel('Weekdays only').check();
    await preview.getByText('8 free times').waitFor();
    assert.deepEqual(await times(), ['11:00']);
    await page.getByRole('heading', { name: 'Calendar', exact: true }).scrollIntoViewIfNeeded();
    await takePicture(page, 'console-calendar');
    await page.getByLabel('Duration', { exact: true }).fill('4');
    await preview.getByText('Enter a duration of 5 to 480 minutes.').waitFor();
    await page.getByLabel('Duration', { exact: true }).fill('120');
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('Europe/Nowhere');
    await page.getByText('No time zones found').waitFor();
    // The preview of bookable slots shows “Loading…” until its slots are known.
    await page.route('**/bookings/slots?*', async (route) => {
      await preview.getByText('Loading…').waitFor();
      await route.continue();
    });
    await chooseZone(page, 'Asia/Kolkata');
    await preview.getByText(/^\d+ free times$/).waitFor();
    await goToPlace(page, 'bookings');
    await page.getByText('Times are in Europe/Lisbon').waitFor();
    await page.goBack();
    await waitUntilEqual(() => zone.inputValue(), 'Asia/Kolkata');
    await org.client.patch('/api/calendar/settings', { business_open_hour: 10 });
    await returnToWindow(page);
    await page
      .getByLabel('From', { exact: true })
      .and(page.locator('[value="10"], :has([value="10"])'))
      .waitFor();
    await waitUntilEqual(() => page.getByLabel('Duration', { exact: true }).inputValue(), '120');
    await page.getByRole('checkbox', { name: 'Accept bookings' }).uncheck();
    await preview.getByText('Bookings are off.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Changes saved').waitFor();
    await page.getByText('Paused', { exact: true }).waitFor();
    const { body } = await org.client.get('/api/calendar/connection');
    assert.deepEqual(
      [
        body.slot_minutes,
        body.buffer_minutes,
        body.business_open_hour,
        body.business_close_hour,
        body.timezone,
        body.is_active,
      ],
      [120, 30, 10, 13, 'Asia/Kolkata', false],
    );
  });

  it('enables bookings without an external calendar by saving settings', async () => {
    const org = await parley().buildOrg();
    const page = await open(org, '/bookings/calendar');
    await chooseZone(page, 'Europe/Lisbon');
    await page.getByText('76 free times').waitFor();
    await button(page, 'Save and use the built-in calendar').click();
    await page.getByText('Connected', { exact: true }).waitFor();
    const { body } = await org.client.get('/api/calendar/connection');
    assert.deepEqual([body.provider, body.timezone, body.slot_minutes], ['local', 'Europe/Lisbon', 30]);
  });

  it('shows the calendar’s health and what to do, even on a phone (getCalendarConnection)', async () => {
    const org = await buildBookable(parley(), LISBON);
    const row = { provider: 'google' as const, accountEmail: 'desk@example.com' };
    await connections().update({ orgId: org.orgId }, { ...row, health: 'degraded', lastError: MARKUP });
    const page = await open(org, '/bookings/calendar', { viewport: { width: 360, height: 700 } });
    await page.getByText('Visitors see the times from the last update').waitFor();
    await page.getByText(MARKUP).waitFor();
    await page.getByText('desk@example.com').waitFor();
    await connections().update({ orgId: org.orgId }, { health: 'reconnect_needed' });
    await returnToWindow(page);
    await page.getByText('We lost access to the calendar').waitFor();
    await button(page, 'Reconnect Google Calendar').waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await waitUntilEqual(() => page.evaluate(NAMELESS), []);
    await waitUntilEqual(() => page.evaluate(MISNAMED), []);
    assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 360);
    await goToPlace(page, 'bookings');
    await page.getByText('We lost access to the calendar').waitFor();
  });

  it('shows visitors’ bookings in their conversations', async () => {
    const built = await buildBookableBot(parley(), LISBON);
    const { book, sessionId } = await built.visit();
    await book({ start: '2026-09-08T09:00:00Z', summary: MARKUP, attendee_email: 'rui@example.com' });
    const page = await open(built, `/conversations/${sessionId}`);
    const booked = page.getByRole('link', { name: MARKUP });
    await booked.waitFor();
    await booked.click();
    const dialog = page.getByRole('dialog', { name: 'Booking' });
    await dialog
      .getByRole('link', { name: 'rui@example.com' })
      .and(page.locator('[href*="/contacts/"]'))
      .click();
    await page.getByRole('heading', { name: 'rui@example.com' }).waitFor();
  });
});
