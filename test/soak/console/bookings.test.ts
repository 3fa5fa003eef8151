import assert from 'node:assert/strict';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { buildBookable, buildBookableBot } from '../../bookings/support.ts';
import type { TestOrg } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import {
  button,
  returnToWindow,
  findDay,
  LISBON,
  MARKUP,
  useBookings,
} from '../../console/booking-support.ts';
import { chooseZone, goToPlace, MISNAMED, NAMELESS } from '../../console/support.ts';

describe('the page of bookings', function () {
  const { parley, open, insert } = useBookings(this);

  /** Inserts the bookings of a typical week. */
  async function fillWeek(org: TestOrg): Promise<void> {
    const ada = { attendeeName: 'Ada Nunes', attendeeEmail: 'ada@example.com' };
    await insert(org, '2026-09-07T11:00:00Z', { summary: 'Valuation', ...ada });
    await insert(org, '2026-09-07T14:30:00Z', {
      summary: 'Signing of the lease',
      attendeeName: 'Tom Ito',
      attendeeEmail: 'tom@example.com',
      calendarStatus: 'pending',
    });
    const grace = { attendeeName: 'Grace Hopper', attendeeEmail: 'grace@example.com' };
    await insert(org, '2026-09-08T13:00:00Z', { summary: 'Second viewing', ...grace, hasConflict: true });
    await insert(org, '2026-09-09T09:00:00Z', {
      summary: 'Viewing of 12 Mill Lane',
      ...ada,
      status: 'cancelled',
      cancelledBy: 'attendee',
    });
  }

  async function move(id: string, start: string): Promise<void> {
    const startsAt = new Date(start);
    const endsAt = new Date(startsAt.getTime() + 30 * 60_000);
    await parley().database.repository(Booking).update(id, { startsAt, endsAt, blockedUntil: endsAt });
  }

  it('shows bookings by day with today marked, and their states and actions, and filters them (listBookings)', async () => {
    const org = await buildBookable(parley(), LISBON);
    const { body: bot } = await org.client.post('/api/bots', { name: `Desk ${MARKUP}` });
    const page = await open(org);
    await page.getByText('No bookings on these days').waitFor();
    await insert(org, '2026-09-09T13:00:00Z', {
      summary: 'Offer',
      status: 'cancelled',
      cancelledBy: 'team',
    });
    await insert(org, '2026-09-08T23:15:00Z', {
      summary: MARKUP,
      attendeeName: 'Rui <b>Costa</b> 🚲',
      attendeeEmail: 'rui@example.com',
      source: 'widget',
      botId: bot.id,
      hasConflict: true,
    });
    await insert(org, '2026-09-10T08:00:00Z', {
      summary: 'First visit',
      attendeeName: 'Ines Dias',
      calendarStatus: 'failed',
      calendarError: 'The calendar is full.',
    });
    await insert(org, '2026-09-10T10:30:00Z', { attendeeName: 'Tom Ito', calendarStatus: 'pending' });
    await returnToWindow(page);
    const wednesday = findDay(page, /Wednesday.* 9 September 2026/);
    await wednesday.getByText(MARKUP, { exact: true }).waitFor();
    await wednesday.getByText('00:15–00:45').waitFor();
    await wednesday.getByText('Rui <b>Costa</b> 🚲, rui@example.com').waitFor();
    await wednesday.getByText(`Desk ${MARKUP}`).waitFor();
    await wednesday.getByText('Conflict', { exact: true }).waitFor();
    await wednesday.getByText('Move one of the two in the calendar, or cancel this booking').waitFor();
    await wednesday.getByText('Canceled', { exact: true }).waitFor();
    await findDay(page, /Monday.* 7 September 2026.*Today/)
      .getByText('No bookings today')
      .waitFor();
    await page.getByText('Not in calendar: The calendar is full.').waitFor();
    await page.getByText('Adding to calendar').waitFor();
    await waitUntilEqual(() => page.locator('[aria-current="date"]').count(), 1);
    await waitUntilEqual(() => page.evaluate("'wasRun' in window"), false);

    await page.getByLabel('Status').selectOption('Canceled');
    await findDay(page, /10 September/).waitFor({ state: 'detached' });
    await page.getByText('Offer', { exact: true }).waitFor();
    await waitUntilEqual(() => page.locator('[data-id] a').allInnerTexts(), ['Offer']);
    await page.getByLabel('Status').selectOption('All statuses');
    await page.getByLabel('Bot').selectOption(bot.id as string);
    await page.getByText('Offer').waitFor({ state: 'detached' });
    await page.getByText(MARKUP, { exact: true }).waitFor();
    await waitUntilEqual(() => page.locator('[data-id] a').allInnerTexts(), [MARKUP]);
    await page.getByLabel('To', { exact: true }).fill('2026-12-08');
    await page.getByText('Choose at most 92 days.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-12-07');
    await page.getByText(MARKUP, { exact: true }).waitFor();
    await button(page, 'Later').click();
    await page.getByText('No bookings match your filters').waitFor();
    await waitUntilEqual(() => page.getByLabel('From', { exact: true }).inputValue(), '2026-12-08');
    await page.getByLabel('To', { exact: true }).fill('2026-12-07');
    await page.getByText("The end date can't be before the start date.").waitFor();
    await button(page, 'Today').click();
    await page.getByLabel('Bot').selectOption('All bots');
    await page.getByText('First visit').waitFor();
  });

  it('shows a booking with its conversation and contact, and cancels it after a confirmation, but not after its start (cancelBooking)', async () => {
    const built = await buildBookableBot(parley(), LISBON);
    const { book, sessionId } = await built.visit();
    const { body: made } = await book({
      start: '2026-09-08T09:00:00Z',
      summary: 'Viewing of 4 Quay Street',
      description: `See https://example.com/4. ${MARKUP}`,
      attendee_name: 'Rui Costa',
      attendee_email: 'rui@example.com',
    });
    await fillWeek(built);
    const page = await open(built);
    await page.getByRole('link', { name: 'Viewing of 4 Quay Street' }).waitFor();
    await takePicture(page, 'console-bookings');
    await page.getByRole('link', { name: 'Viewing of 4 Quay Street' }).click();
    const dialog = page.getByRole('dialog', { name: 'Booking' });
    await dialog.getByText('8 September 2026, 10:00–10:30 (Europe/Lisbon)').waitFor();
    await dialog.getByText('Booked in the widget').waitFor();
    await dialog.getByText(MARKUP).waitFor();
    const conversation = dialog.getByRole('link', { name: 'View conversation' });
    await waitUntilEqual(() => conversation.getAttribute('href'), `/console/conversations/${sessionId}`);
    await waitUntilEqual(() => page.evaluate(NAMELESS), []);
    await button(page, 'Cancel booking').click();
    await page.keyboard.press('Escape');
    const confirm = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await confirm.waitFor({ state: 'detached' });
    await button(page, 'Cancel booking').click();
    await move(made.id as string, '2026-09-07T09:30:00Z');
    await confirm.getByText("We'll email rui@example.com.").waitFor();
    await confirm.getByRole('button', { name: 'Cancel booking' }).click();
    await dialog.getByText("This booking has started and can't be canceled.").waitFor();
    await move(made.id as string, '2026-09-08T09:00:00Z');
    await returnToWindow(page);
    await button(page, 'Cancel booking').click();
    await confirm.getByRole('button', { name: 'Cancel booking' }).click();
    await page.getByText('Booking canceled').waitFor();
    await dialog.getByText('by your team').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator(`[data-id="${made.id}"]`).getByText('Canceled', { exact: true }).waitFor();

    await goToPlace(page, `conversations/${sessionId}`);
    await page.getByRole('log').waitFor();
    await goToPlace(page, `bookings/${sessionId}`);
    await page.getByText('There is no').or(page.getByRole('alert')).first().waitFor();
  });

  it('books a free slot for an attendee in another time zone, and keeps the form if the slot was taken meanwhile (createBooking)', async () => {
    const org = await buildBookable(parley(), { ...LISBON, weekdays_only: false, slot_minutes: 60 });
    const page = await open(org);
    await page.getByRole('link', { name: 'New booking' }).click();
    await page
      .getByRole('group', { name: /Monday.* 7 September/ })
      .getByLabel('11:00–12:00')
      .waitFor();
    await page.getByLabel('Subject').fill(MARKUP);
    await page.getByLabel("Attendee's name").fill('Asha Rao');
    await page.getByLabel("Attendee's email").fill('asha@example.com');
    await button(page, 'Create booking').click();
    await page.getByRole('alert').getByText('Choose a time.').waitFor();
    await chooseZone(page, 'Asia/Kolkata', "Attendee's time zone");
    const tuesday = page.getByRole('group', { name: /Tuesday.* 8 September/ });
    await tuesday.getByLabel('10:00–11:00').check();
    await tuesday.getByText('14:30–15:30 their time').waitFor();
    await page.getByText(/Chosen:.*8 September 2026, 10:00/).waitFor();
    await goToPlace(page, 'bookings/calendar');
    await button(page, 'Connect Google Calendar').click();
    await page.getByText('Google calendars are not set up in this installation').waitFor();
    await page.goBack();
    await tuesday.getByLabel('10:00–11:00').and(page.locator(':checked')).waitFor();
    await insert(org, '2026-09-08T09:00:00Z');
    await button(page, 'Create booking').click();
    await page.getByRole('alert').getByText('This time was just booked').waitFor();
    await tuesday.getByLabel('10:00–11:00').waitFor({ state: 'detached' });
    await waitUntilEqual(() => page.getByLabel('Subject').inputValue(), MARKUP);
    await tuesday.getByLabel('11:00–12:00').check();
    await insert(org, '2026-09-08T10:00:00Z');
    await returnToWindow(page);
    await page.getByText('This time is no longer free.').waitFor();
    await button(page, 'Later').click();
    await page
      .getByRole('group', { name: /Friday.* 18 September/ })
      .getByLabel('09:00–10:00')
      .check();
    await button(page, 'Create booking').click();
    await page.getByText("Booking created. We'll email asha@example.com.").waitFor();
    const dialog = page.getByRole('dialog', { name: 'Booking' });
    await dialog.getByText('18 September 2026, 13:30–14:30 (Asia/Kolkata)').waitFor();
    await dialog.getByText(MARKUP).waitFor();
    await button(page, 'Close').click();
    await page.getByRole('link', { name: MARKUP }).waitFor();
  });

  it('shows viewers no actions, and fits a phone', async () => {
    const org = await buildBookable(parley(), LISBON);
    const id = await insert(org, '2026-09-09T13:00:00Z', {
      summary: 'x'.repeat(200),
      attendeeName: 'y'.repeat(200),
      hasConflict: true,
    });
    const viewer = await parley().buildOrg({ orgId: org.orgId, role: 'viewer' });
    const page = await open(viewer, '/bookings', { viewport: { width: 360, height: 700 } });
    const row = page.locator(`[data-id="${id}"]`);
    await row.waitFor();
    await waitUntilEqual(() => page.getByRole('link', { name: 'New booking' }).count(), 0);
    for (const [place, shown] of [
      ['bookings', row],
      ['bookings/calendar', page.getByText('Only admins can change the availability settings.')],
      ['bookings/new', page.getByText("You can't create bookings")],
      [`bookings/${id}`, page.getByText('Overlaps with another event').last()],
    ] as const) {
      await goToPlace(page, place);
      await shown.waitFor();
      await waitUntilEqual(() => page.evaluate(NAMELESS), [], place);
      await waitUntilEqual(() => page.evaluate(MISNAMED), [], place);
      assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 360, place);
    }
    await waitUntilEqual(() => button(page, 'Cancel booking').count(), 0);
    const without = await parley().buildOrg({ orgId: org.orgId, scopes: ['bots:read'] });
    const other = await open(without);
    await other.getByText("You don't have permission").waitFor();
    const areas = other.getByRole('navigation', { name: 'Console' });
    await waitUntilEqual(() => areas.getByRole('link', { name: 'Bookings' }).count(), 0);
  });
});
