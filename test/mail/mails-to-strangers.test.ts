import assert from 'node:assert/strict';
import { In } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import { newId } from '../../core/ids.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { ALL_DAY as MORNINGS } from '../bookings/calendars/calendar-scene.ts';
import { buildBookableBot, readFieldErrors } from '../bookings/support.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { useMailsToStrangers } from './strangers-scene.ts';

const DAY = 86_400;
const ALL_DAY = { ...MORNINGS, business_close_hour: 17 };

describe('emails to strangers:', () => {
  const scene = useMailsToStrangers();
  const { buildOrg, nextStart, nextStranger, book, countOutcomes } = scene;

  describe('createBooking', () => {
    const limits: [PlanTier, number][] = [
      ['free', 4],
      ['starter', 20],
      ['enterprise', 20],
    ];
    for (const [tier, count] of selectCases(limits, 1))
      it(`books for one address ${count} times a day from all workspaces with the plan ${tier}, and stores no further bookings`, async () => {
        const to = nextStranger();
        const orgs = [await buildOrg(tier), await buildOrg(tier)];
        let turn = 0;
        const outcomes = await countOutcomes(count, () => book(orgs[(turn += 1) % 2]!, to));
        assert.deepEqual(outcomes, { 201: count });
        const countStored = () =>
          Promise.all([
            scene.parley.database.repository(Booking).count(),
            scene.parley.database.repository(OutboxRow).count(),
          ]);
        const before = await countStored();
        const refused = await book(await buildOrg(tier), to);
        assert.deepEqual(
          [formatOutcome(refused), refused.headers.get('retry-after')],
          ['429 rate_limited', String(DAY)],
        );
        assert.deepEqual(readFieldErrors(refused), {
          attendee_email: 'This address has reached its limit of emails from workspaces per day',
        });
        assert.deepEqual(await countStored(), before);
        assert.equal((await book(orgs[0]!, nextStranger())).status, 201);
      });

    it('counts all spellings of a mailbox together, and does not store them', async () => {
      const org = await buildOrg('free');
      const spellings = [
        'ada.love@gmail.com',
        'ADALOVE@gmail.com',
        'a.d.a.love+x@googlemail.com',
        'adalove+y@GMAIL.com',
      ];
      for (const email of spellings) assert.equal((await book(org, email)).status, 201);
      assert.equal((await book(org, 'adalove@googlemail.com')).status, 429);
      const windows = await scene.parley.database.repository(RateWindow).find();
      assert.ok(!windows.some(({ key }) => /adalove|ada\.love/i.test(key)));
    });

    itInSoak(
      'reserves emails to an address for workspaces with a plan, after the other emails are used up',
      async () => {
        const to = nextStranger();
        const free = await buildOrg('free');
        assert.deepEqual(await countOutcomes(5, () => book(free, to)), { 201: 4, '429 rate_limited': 1 });
        assert.equal((await book(await buildOrg('pro'), to)).status, 201);
      },
    );

    itInSoak('counts canceled bookings', async () => {
      const org = await buildOrg('free');
      const to = nextStranger();
      const outcomes = await countOutcomes(5, async () => {
        const response = await book(org, to);
        if (response.status === 201) await org.client.post(`/api/bookings/${response.body.id}/cancel`, {});
        return response;
      });
      assert.deepEqual(outcomes, { 201: 4, '429 rate_limited': 1 });
    });

    it('sends 20 emails a day for an account without a plan, across all its workspaces', async () => {
      const first = await buildOrg('free');
      const second = await buildOrg('free');
      await scene.parley.database.sql('UPDATE api_keys SET created_by_id = $1 WHERE org_id = $2', [
        first.userId,
        second.orgId,
      ]);
      await scene.parley.database.sql('UPDATE memberships SET user_id = $1 WHERE org_id = $2', [
        first.userId,
        second.orgId,
      ]);
      let turn = 0;
      const outcomes = await countOutcomes(22, () => book([first, second][(turn += 1) % 2]!, nextStranger()));
      assert.deepEqual(outcomes, { 201: 20, '429 rate_limited': 2 });
      const { body } = await book(first, nextStranger());
      assert.match(
        JSON.stringify(body),
        /You have reached your limit of emails .* in all workspaces together; a plan/,
      );
      assert.equal((await book(first, null)).status, 201);
    });

    itInSoak(
      'sends 50 emails a day for all workspaces below a workspace without a plan, across all accounts',
      async () => {
        const top = await buildOrg('free');
        const id = newId();
        await scene.parley.database.repository(Org).insert({
          id,
          payerId: top.orgId,
          parentOrgId: top.orgId,
          name: 'Branch',
          slug: `branch-${id}`,
          planTier: 'free',
        });
        const orgs = [top, ...(await Promise.all([0, 1, 2].map(() => buildOrg('free', { orgId: id }))))];
        let turn = 0;
        const outcomes = await countOutcomes(52, () => book(orgs[(turn += 1) % 4]!, nextStranger()));
        assert.deepEqual(outcomes, { 201: 50, '429 rate_limited': 2 });
      },
    );

    it('enforces the limit exactly for concurrent calls', async () => {
      const to = nextStranger();
      const orgs = await Promise.all(Array.from({ length: 8 }, () => buildOrg('free')));
      const responses = await Promise.all(orgs.map((org) => book(org, to)));
      assert.equal(responses.filter(({ status }) => status === 201).length, 4);
    });

    it('accepts bookings for the address again after a day', async () => {
      const org = await buildOrg('free');
      const to = nextStranger();
      assert.deepEqual(await countOutcomes(5, () => book(org, to)), { 201: 4, '429 rate_limited': 1 });
      await scene.parley.passTime(DAY);
      assert.equal((await book(org, to)).status, 201);
    });
  });

  it('createWidgetBooking counts toward the limits of the address and of the workspace, and does not mention plans in its errors to visitors', async () => {
    const { orgId, visit } = await buildBookableBot(scene.parley, ALL_DAY);
    await scene.parley.database.repository(Org).update({ id: orgId }, { planTier: 'free' });
    const { book: ask } = await visit();
    const to = nextStranger();
    const visitorBooks = (email: string) =>
      ask({ start: nextStart(), summary: 'Viewing', attendee_email: email });
    assert.deepEqual(await countOutcomes(5, () => visitorBooks(to)), { 201: 4, '429 rate_limited': 1 });
    const full = 'No more emails can be sent to this address today; use a different address';
    assert.deepEqual(readFieldErrors(await visitorBooks(to)), { attendee_email: full });
    assert.equal((await book(await buildOrg('free'), to)).status, 429);
    await scene.parley.database
      .repository(RateWindow)
      .update({ key: `mails-of-payer:${orgId}` }, { used: 99 });
    const refused = await visitorBooks(nextStranger());
    assert.equal(formatOutcome(refused), '429 rate_limited');
    assert.match(JSON.stringify(refused.body), /The limit of meetings booked per day is reached; wait/);
  });

  it('createInvitation and resendInvitation count toward the limit of the address', async () => {
    const to = nextStranger();
    const invite = async () => {
      const { orgId, client } = await buildOrg('free');
      return client.post(`/api/orgs/${orgId}/invitations`, { email: to });
    };
    assert.deepEqual(await countOutcomes(7, invite), { 201: 7 });
    const { orgId, client } = await buildOrg('free');
    const invited = await client.post(`/api/orgs/${orgId}/invitations`, { email: to.toUpperCase() });
    assert.equal(invited.status, 201);
    const resent = await client.post(`/api/orgs/${orgId}/invitations/${invited.body.id}/resend`, {});
    assert.equal(formatOutcome(resent), '429 rate_limited');
    assert.deepEqual(formatOutcome(await invite()), '429 rate_limited');
  });

  itInSoak('concurrent reminders of createInvitation stop at the limit of the address', async () => {
    const to = nextStranger();
    const { services } = scene.parley.runtime;
    const due: { orgId: string; id: string }[] = [];
    for (let n = 0; n < 7; n += 1) {
      const { orgId, client } = await buildOrg('free');
      const { body } = await client.post(`/api/orgs/${orgId}/invitations`, { email: to });
      await scene.parley.database.repository(Invitation).update(body.id, { remindAt: new Date(0) });
      due.push({ orgId, id: body.id });
    }
    await Promise.all(
      due.map(({ orgId, id }) => services.team.invitations.remind({ orgId, db: scene.parley.database }, id)),
    );
    const mails = await scene.parley.database
      .repository(MailRow)
      .countBy({ orgId: In(due.map(({ orgId }) => orgId)), template: 'invitation_reminder' });
    assert.equal(mails, 1);
    // The limit counts only emails that were sent: the seven invitations and one reminder.
    const windows = await scene.parley.database.repository(RateWindow).find();
    assert.ok(windows.every(({ key, used }) => !key.startsWith('mails-to:free') || used <= 8));
  });

  itInSoak(
    'reminders of invitations count toward the limit of the address, and are not sent above it',
    async () => {
      const to = nextStranger();
      const remind = async () => {
        const { orgId, client } = await buildOrg('free');
        const { body } = await client.post(`/api/orgs/${orgId}/invitations`, { email: to });
        const scope = { orgId, db: scene.parley.database };
        await scene.parley.database.repository(Invitation).update(body.id, { remindAt: new Date(0) });
        await scene.parley.runtime.services.team.invitations.remind(scope, body.id);
        return scene.parley.database.repository(MailRow).countBy({ orgId, template: 'invitation_reminder' });
      };
      // Each reminder counts together with its invitation: eight emails to the address.
      for (let n = 0; n < 4; n += 1) assert.equal(await remind(), 1);
      const { orgId, client } = await buildOrg('free');
      const refused = await client.post(`/api/orgs/${orgId}/invitations`, { email: to });
      assert.equal(formatOutcome(refused), '429 rate_limited');
      const other = nextStranger();
      for (let n = 0; n < 7; n += 1) {
        const inviting = await buildOrg('free');
        await inviting.client.post(`/api/orgs/${inviting.orgId}/invitations`, { email: other });
      }
      const last = await buildOrg('free');
      const { body } = await last.client.post(`/api/orgs/${last.orgId}/invitations`, { email: other });
      await scene.parley.database.repository(Invitation).update(body.id, { remindAt: new Date(0) });
      const scope = { orgId: last.orgId, db: scene.parley.database };
      await scene.parley.runtime.services.team.invitations.remind(scope, body.id);
      const mails = scene.parley.database.repository(MailRow);
      assert.equal(await mails.countBy({ orgId: last.orgId, template: 'invitation_reminder' }), 0);
    },
  );

  describe('emails about changed bookings and reminders', () => {
    const follow = (orgId: string, bookingId: string) =>
      scene.parley.runtime.services.bookings.bookingLifecycle.queueDueMails(scene.parley.database, {
        orgId,
        bookingId,
      });
    const listBookingTemplates = async (orgId: string) => {
      const rows = await scene.parley.database
        .repository(MailRow)
        .find({ where: { orgId }, order: { id: 'ASC' } });
      return rows.map(({ template }) => template).filter((template) => template.startsWith('booking_'));
    };
    /** Sends a workspace's pending emails as the email workflow does. */
    const deliver = async (orgId: string) => {
      for (const { id } of await scene.parley.database
        .repository(MailRow)
        .findBy({ orgId, state: 'pending' }))
        await scene.parley.runtime.services.mail.mailDelivery.attempt(scene.parley.database, id);
    };

    itInSoak(
      'wait while the address is at its limit, and then report the last state; cancellations are sent at once',
      async () => {
        const org = await buildOrg('free');
        const to = nextStranger();
        const { body } = await book(org, to);
        await follow(org.orgId, body.id);
        await deliver(org.orgId);
        const move = async (hours: number) => {
          const from = new Date(Date.parse(body.start) + hours * 3_600_000);
          const moved = { start: from, end: new Date(from.getTime() + 3_600_000) };
          await scene.parley.runtime.services.bookings.bookings.applyMove(
            { orgId: org.orgId, db: scene.parley.database },
            body.id,
            moved,
          );
          const progress = await follow(org.orgId, body.id);
          await deliver(org.orgId);
          return progress!.waitMs;
        };
        // The booking itself has already sent two emails to the attendee.
        for (let hours = 1; hours <= 6; hours += 1) await move(hours);
        assert.equal(
          (await listBookingTemplates(org.orgId)).filter((each) => each === 'booking_moved').length,
          6,
        );
        for (let hours = 7; hours <= 9; hours += 1) assert.equal(await move(hours), DAY * 1000);
        assert.equal((await listBookingTemplates(org.orgId)).length, 7);
        await scene.parley.passTime(DAY);
        await follow(org.orgId, body.id);
        assert.equal((await listBookingTemplates(org.orgId)).length, 8);
        await deliver(org.orgId);
        await scene.parley.database
          .repository(RateWindow)
          .createQueryBuilder()
          .update()
          .set({ used: 1000 })
          .where("key LIKE 'mails-to:%'")
          .execute();
        assert.equal((await org.client.post(`/api/bookings/${body.id}/cancel`, {})).status, 200);
        await follow(org.orgId, body.id);
        assert.equal((await listBookingTemplates(org.orgId)).at(-1), 'booking_cancelled');
      },
    );
  });
});
