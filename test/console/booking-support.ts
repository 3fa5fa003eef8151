import type { Page } from 'playwright-core';
import { newId } from '../../core/ids.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { SetClock } from '../bookings/support.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import type { TestSettings } from '../support/test-settings.ts';
import { useConsoles } from './support.ts';

/** Current time in the tests: a Monday, 10:40 in Lisbon. */
export const NOW = '2026-09-07T09:40:00.000Z';
export const LISBON = { timezone: 'Europe/Lisbon' };
export const MARKUP = '<img src=x onerror="window.wasRun = true"> & “quotes” 👩🏽‍💻 नमस्ते';

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const findDay = (page: Page, name: RegExp) => page.getByRole('region', { name });

/** Starts a Parley, with further settings, and browsers with the same fixed time, around the tests of a `describe`. */
export function useBookings(suite: Mocha.Suite, more: () => TestSettings = () => ({})) {
  const consoles = useConsoles(suite);
  let parley: TestParley;
  before(async () => {
    // The base URL must be the console's own address, because connecting a calendar redirects to it.
    const [port] = await findFreePorts(1);
    const env = { ...more(), PORT: String(port), PARLEY_BASE_URL: `http://127.0.0.1:${port}` };
    parley = await startParley(env, { clock: new SetClock(NOW) });
  });
  after(() => parley?.stop());

  const open = ({ key }: Pick<TestOrg, 'key'>, place = '/bookings', options = {}): Promise<Page> =>
    consoles().openWithKey(parley, key, place, { now: NOW, ...options });

  /** Inserts a booking of half an hour into the database. */
  async function insert(
    { orgId }: Pick<TestOrg, 'orgId'>,
    start: string,
    row: Partial<Opened<Booking>> = {},
  ) {
    const [id, startsAt] = [newId(), new Date(start)];
    const endsAt = new Date(startsAt.getTime() + 30 * 60_000);
    await parley.database.repository(Booking).insert({
      id,
      orgId,
      source: 'team',
      startsAt,
      endsAt,
      blockedUntil: endsAt,
      summary: 'Viewing',
      ...LISBON,
      ...row,
    });
    return id;
  }

  return { parley: () => parley, consoles, open, insert };
}

/** Dispatches the event that browsers send when the user returns to the window. */
export async function returnToWindow(page: Page): Promise<void> {
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
}
