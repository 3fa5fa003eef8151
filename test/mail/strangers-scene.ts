import type { PlanTier } from '../../core/billing/plans.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { ALL_DAY as MORNINGS, at } from '../bookings/calendars/calendar-scene.ts';
import { openCalendar } from '../bookings/support.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';

const ALL_DAY = { ...MORNINGS, business_close_hour: 17 };

/**
 * Starts a Parley for a file of tests, with a stopped clock. Of all limits of bookings, only those of emails
 * to strangers apply.
 */
export function useMailsToStrangers() {
  let parley: TestParley;
  before(async () => {
    const env = {
      bookingsPerHour: 0,
      bookingsPerDay: 0,
      bookingsPerAttendee: 0,
      bookingsPerAttendeeDay: 0,
      PARLEY_MAIL_FROM: 'Harbour Cloud <hello@mail.harbour-cloud.example>',
    };
    parley = await startParley(env, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  async function buildOrg(planTier: PlanTier, changes: { name?: string; orgId?: string } = {}) {
    const { name = 'Acme Bakery', ...given } = changes;
    const org = await parley.buildOrg(given);
    await parley.database.repository(Org).update({ id: org.orgId }, { planTier, name });
    await openCalendar(org.client, ALL_DAY);
    return org;
  }

  let slots = 0;
  /** Returns the start of a different bookable slot at each call. */
  const nextStart = () => at(10 + Math.floor((slots += 1) / 8), 9 + (slots % 8)).toISOString();
  let people = 0;
  const nextStranger = () => `stranger${(people += 1)}@example.com`;

  const book = ({ client }: TestOrg, email: string | null, request: object = {}) =>
    client.post('/api/bookings', {
      start: nextStart(),
      summary: 'Viewing',
      attendee_email: email,
      ...request,
    });

  async function countOutcomes(count: number, call: () => Promise<{ status: number; body: unknown }>) {
    const outcomes: Record<string, number> = {};
    for (let index = 0; index < count; index += 1) {
      const outcome = formatOutcome(await call());
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  }

  /** Returns a queued email in the form in which it would be sent. */
  async function renderQueuedMail(id: string) {
    await parley.runtime.services.mail.mailDelivery.attempt(parley.database, id);
    return parley.runtime.services.mail.capturedMails.find(parley.database, id);
  }

  return {
    get parley() {
      return parley;
    },
    buildOrg,
    nextStart,
    nextStranger,
    book,
    countOutcomes,
    renderQueuedMail,
  };
}
