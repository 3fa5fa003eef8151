import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AnalyticsDelta } from '../../entities/analytics/analytics-delta.entity.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { findMailMonday, getWeekBefore } from '../../services/mail/notices/mail-week.ts';
import { digestMailWorkflowId } from '../../core/workflows/commands.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { findOpened } from '../support/find-opened.ts';

const MONDAY = '2026-11-16';

describe('the week of a time zone', () => {
  it('is emailed from nine on Mondays, for a day', () => {
    const monday = (time: string, zone = 'Europe/Berlin') => findMailMonday(zone, new Date(time));
    assert.equal(monday('2026-11-16T07:59:59Z'), null);
    assert.equal(monday('2026-11-16T08:00:00Z'), MONDAY);
    assert.equal(monday('2026-11-17T07:59:59Z'), MONDAY);
    assert.equal(monday('2026-11-17T08:00:00Z'), null);
    assert.equal(monday('2026-11-15T19:00:00Z', 'Pacific/Kiritimati'), MONDAY);
    assert.equal(monday('2026-11-17T18:00:00Z', 'Pacific/Pago_Pago'), MONDAY);
    assert.equal(monday('2026-11-16T09:00:00Z', 'Nowhere/Else'), null);
  });

  it('begins and ends at midnight, and has 167 or 169 hours if clocks change', () => {
    const hours = (monday: string, zone = 'Europe/Berlin') => {
      const { from, to } = getWeekBefore(monday, zone);
      return (to.getTime() - from.getTime()) / 3_600_000;
    };
    assert.deepEqual(
      ['2026-03-30', '2026-10-26', MONDAY].map((monday) => hours(monday)),
      [167, 169, 168],
    );
    assert.equal(getWeekBefore(MONDAY, 'Asia/Kolkata').from.toISOString(), '2026-11-08T18:00:00.000Z');
  });
});

describe('weekly emails', () => {
  let parley: TestParley;
  let org: TestOrg;
  const clock = { time: new Date(`${MONDAY}T09:00:00Z`), now: () => clock.time };

  before(async () => (parley = await startParley({}, { clock })));
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    clock.time = new Date(`${MONDAY}T09:00:00Z`);
  });

  const weekly = () => parley.runtime.services.mail.weeklyMails;
  const mailWeek = () => weekly().mailWeek(parley.database, { userId: org.userId, week: MONDAY });
  const listMailRows = (userId = org.userId) => parley.database.repository(MailRow).findBy({ userId });
  const changeSettings = (settings: Org['settings'], orgId = org.orgId) =>
    parley.database.repository(Org).update(orgId, { settings });

  async function insertEventCount(
    name: string,
    hour: string,
    count: number,
    orgId = org.orgId,
  ): Promise<void> {
    const row = { id: newId(), orgId, hour: new Date(`${hour}:00:00Z`), botId: newId(), name, count };
    await parley.database.repository(EventCount).insert(row);
  }

  /** Adds figures of an hour to a workspace's analytics. */
  async function count(figures: Partial<AnalyticsDelta>, hour: string, orgId = org.orgId): Promise<void> {
    const row = { id: newId(), orgId, botId: newId(), startsAt: new Date(`${hour}:00:00Z`), ...figures };
    await parley.database.repository(AnalyticsDelta).insert(row);
  }

  async function startDueWeeks(): Promise<string[]> {
    await weekly().startDue(parley.database);
    const rows = await findOpened(parley.database, OutboxRow, { where: { name: 'digestMail' } });
    return rows.map(({ payload }) => String(payload['workflowId'])).filter((id) => id.includes(org.userId));
  }

  async function readOnlyMail() {
    const [row, ...others] = await listMailRows();
    assert.equal(others.length, 0);
    await parley.database.repository(MailRow).update(row!.id, { state: 'kept' });
    return (await parley.runtime.services.mail.capturedMails.find(parley.database, row!.id))!;
  }

  it('are started once for every person on Monday at nine, in the time zone of the person’s first workspace', async () => {
    await changeSettings({ time_zone: 'America/New_York' });
    assert.deepEqual(await startDueWeeks(), []);
    clock.time = new Date(`${MONDAY}T14:00:00Z`);
    const ids = [digestMailWorkflowId(org.userId, MONDAY)];
    assert.deepEqual(await startDueWeeks(), ids);
    await Promise.all([weekly().startDue(parley.database), weekly().startDue(parley.database)]);
    assert.deepEqual(await startDueWeeks(), ids);
  });

  itInSoak('are not started for an unconfirmed address', async () => {
    await parley.database.repository(User).update(org.userId, { emailVerifiedAt: null });
    assert.deepEqual(await startDueWeeks(), []);
  });

  it('show the figures of the week and of the week before, once', async () => {
    await count({ conversations: 1000 }, '2026-11-09T00');
    await count({ conversations: 200 }, '2026-11-15T23');
    await count({ conversations: 7 }, '2026-11-16T00');
    await count({ conversations: 30 }, '2026-11-08T23');
    await count({ leads: 4 }, '2026-11-03T10');
    await insertEventCount('booking.created', '2026-11-12T10', 2);
    assert.equal((await mailWeek()).state, 'queued');
    await mailWeek();
    const { subject, text, html, headers } = await readOnlyMail();
    assert.match(subject, /^Your week: /);
    assert.match(text, /from 9 November to 15 November|from November 9 to November 15/);
    assert.match(text, /\nConversations: 1,200 \(the week before: 30\)\nLeads: 0 \(the week before: 4\)\n/);
    assert.match(text, /\nMeetings booked: 2 \(the week before: 0\)\n/);
    assert.match(html, /Conversations: 1,200/);
    assert.ok(headers['List-Unsubscribe']);
    assert.doesNotMatch(text, /Documents that could not be read/);
  });

  itInSoak(
    'cover all workspaces of a person that have activity, in the language of the first workspace',
    async () => {
      const [second, quiet] = [await parley.buildOrg(), await parley.buildOrg()];
      for (const { orgId } of [second, quiet])
        await parley.database.sql(
          "INSERT INTO memberships (id, org_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'viewer')",
          [orgId, org.userId],
        );
      await changeSettings({ default_language: 'de' });
      const renameOrg = (orgId: string, name: string) =>
        parley.database.repository(Org).update(orgId, { name });
      await Promise.all([
        renameOrg(org.orgId, 'Hafen'),
        renameOrg(second.orgId, 'Werft'),
        renameOrg(quiet.orgId, 'Still'),
      ]);
      await count({ handoffsRequested: 1 }, '2026-11-10T10');
      await insertEventCount('document.failed', '2026-11-10T10', 3, second.orgId);
      await mailWeek();
      const { subject, text, html } = await readOnlyMail();
      assert.equal(subject, 'Ihre Woche');
      assert.match(text, /Hafen\nBesucher, die einen Menschen wollten: 1 \(Woche davor: 0\)/);
      assert.match(text, /Werft\nDokumente, die nicht gelesen werden konnten: 3/);
      assert.doesNotMatch(text, /Still/);
      assert.match(html, /<html lang="de"/);
      assert.match(text, /Solche Mails abschalten: http/);
    },
  );

  itInSoak('count questions without an answer', async () => {
    for (const hour of ['2026-11-04T00', '2026-11-08T23', '2026-11-09T00', '2026-11-16T00'])
      await count({ unanswered: 1 }, hour);
    await mailWeek();
    assert.match((await readOnlyMail()).text, /Questions without an answer: 1 \(the week before: 2\)/);
  });

  it('are not sent without activity, nor to people who have turned them off or have left', async () => {
    await count({ conversations: 30 }, '2026-11-08T10');
    assert.equal((await mailWeek()).state, 'empty');
    await count({ conversations: 30 }, '2026-11-09T10');
    await parley.runtime.services.mail.emailPreferences.update(parley.database, org.userId, {
      digest: false,
    });
    assert.equal((await mailWeek()).state, 'unwanted');
    const gone = await weekly().mailWeek(parley.database, { userId: newId(), week: MONDAY });
    assert.equal(gone.state, 'gone');
    assert.deepEqual(await listMailRows(), []);
  });
});
