import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { signMeetingToken } from '../../services/bookings/meeting-links.ts';
import { composeMail } from '../../services/mail/rendering/compose-mail.ts';
import { mailSamples } from '../../services/mail/rendering/mail-samples.ts';
import type { MailTemplate } from '../../services/mail/rendering/mail-templates.ts';
import { toMailValues } from '../../services/mail/rendering/mail-values.ts';
import {
  answerRequests,
  buildPerson,
  NEW_PASSWORD,
  PASSWORD,
  readMailsTo,
  type TestPerson,
} from '../accounts/support.ts';
import { book } from '../bookings/booking-scene.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { readSnapshot } from '../support/snapshot.ts';

/** Origin of the links in the sample emails. */
const SAMPLE_ORIGIN = 'https://parley.example.com';

/** Links in the sample emails to other servers: a website, a team's webhook endpoint, and the operator's news. */
const FOREIGN = [
  'https://hooks.example.com/parley',
  'https://shop.example.com/help',
  'https://parley.example.com/news',
];

// Tests what opening a link does: email filters and previews open each link of an email, before its reader
// does.
describe('links of emails', () => {
  let parley: TestParley;
  let person: TestPerson;
  let invited: string;
  let bookingId: string;
  /** Links with a secret, by the email templates that contain them. */
  const secretLinks: Partial<Record<MailTemplate, string>> = {};
  /** Every link to this Parley, by the emails that contain it. */
  const links = new Map<string, string[]>();

  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    const { runtime } = parley;
    person = await buildPerson(parley);
    const unconfirmed = await buildPerson(parley);
    await parley.database.repository(User).update(unconfirmed.userId, { emailVerifiedAt: null });
    await parley.client().post('/api/auth/email/resend', { email: unconfirmed.email });
    await parley.client().post('/api/auth/password/forgot', { email: person.email });
    await answerRequests(parley);
    for (const { email } of [unconfirmed, person])
      for (const { template, values } of await readMailsTo(parley, email))
        if (values['link'] !== undefined) secretLinks[template as MailTemplate] = values['link'];
    invited = `${newId()}@example.com`;
    const invitation = await person.client.post(`/api/orgs/${person.orgId}/invitations`, { email: invited });
    secretLinks.invitation = `${parley.baseUrl}/invitations/${runtime.keyring.deriveInvitationToken(invitation.body.id, 1)}`;
    secretLinks.invitation_reminder = secretLinks.invitation;
    bookingId = await book(parley, person);
    const meeting = `${parley.baseUrl}/meetings/${signMeetingToken(runtime.keyring, bookingId)}`;
    for (const template of [
      'booking_confirmed',
      'booking_moved',
      'booking_reminder',
      'booking_cancelled',
    ] as const)
      secretLinks[template] = meeting;
    for (const template of Object.keys(mailSamples) as MailTemplate[])
      for (const link of listLinks(template)) links.set(link, [...(links.get(link) ?? []), template]);
  });
  after(() => parley.stop());

  /** Returns the link with the port of this test's process, which the settings do not contain. */
  const toReached = (link: string) => link.replace(parley.runtime.settings.baseUrl, parley.baseUrl);

  /** Returns the links in the sample email of a template, with secrets that are valid in this Parley. */
  function listLinks(template: MailTemplate): string[] {
    const { services, settings } = parley.runtime;
    const sample = mailSamples[template];
    const link = secretLinks[template];
    const values = toMailValues({
      ...sample,
      ...('signInLink' in sample && { signInLink: `${SAMPLE_ORIGIN}/sign-in` }),
      ...('resetLink' in sample && { resetLink: `${SAMPLE_ORIGIN}/forgot-password` }),
      ...(link !== undefined && { link }),
    });
    const here = Object.entries(values).map(([name, text]) => [
      name,
      name === 'markdown' ? text : text.replaceAll(SAMPLE_ORIGIN, settings.baseUrl),
    ]);
    const row = { id: newId(), userId: person.userId, template, createdAt: new Date() };
    const deps = { preferences: services.mail.emailPreferences, settings };
    const mail = composeMail(row, { to: person.email, values: Object.fromEntries(here) }, deps);
    const html = mail.html.match(/(?<=href=")[^"]+/g) ?? [];
    const texts = [mail.text, ...Object.values(mail.headers ?? {})];
    const found = texts.flatMap((text) => text.match(/https?:\/\/[^\s<>)]+/g) ?? []);
    const all = [...html.map((each) => each.replaceAll('&amp;', '&')), ...found];
    return [...new Set(all.map(toReached))];
  }

  it('lead to this Parley, except links to a site, an endpoint and the operator’s news', () => {
    const foreign = [...links.keys()].filter((link) => !link.startsWith(parley.baseUrl));
    assert.deepEqual(foreign, FOREIGN);
    const secrets = Object.values(secretLinks).map(toReached);
    for (const link of secrets) assert.ok(links.has(link), link);
  });

  it('change nothing when they are opened by HEAD and GET, and still work afterwards', async () => {
    const before = await readSnapshot(parley.database);
    for (const [link, templates] of links) {
      if (!link.startsWith(parley.baseUrl)) continue;
      for (const method of ['HEAD', 'GET', 'GET']) {
        const response = await fetch(link, { method });
        await response.text();
        assert.equal(response.status, 200, `${method} ${link} of ${templates.join()}`);
        assert.deepEqual(
          await readSnapshot(parley.database),
          before,
          `${method} ${link} of ${templates.join()}`,
        );
      }
    }
    const post = parley.client().post;
    const readToken = (template: 'verify_email' | 'reset_password') =>
      new URL(secretLinks[template]!).hash.replace('#token=', '');
    const { email } = person;
    const verified = await post('/api/auth/email/verify', { token: readToken('verify_email') });
    assert.equal(verified.status, 200, JSON.stringify(verified.body));
    const reset = { token: readToken('reset_password'), new_password: NEW_PASSWORD };
    assert.equal((await post('/api/auth/password/reset', reset)).status, 200);
    assert.equal((await post('/api/auth/login', { email, password: PASSWORD })).status, 401);
    assert.equal((await post('/api/auth/login', { email, password: NEW_PASSWORD })).status, 200);
    const token = secretLinks.invitation!.split('/').at(-1);
    const accepted = await post('/api/invitations/accept', {
      token,
      full_name: 'Grace Obi',
      password: PASSWORD,
    });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    await fetch(toReached(secretLinks.booking_confirmed!), { method: 'POST', redirect: 'manual' });
    const booking = await parley.database.repository(Booking).findOneByOrFail({ id: bookingId });
    assert.equal(booking.status, 'cancelled');
    for (const [link] of links)
      if (link.includes('/unsubscribe/'))
        assert.equal((await fetch(link, { method: 'POST' })).status, 200, link);
    const { emailPreferences } = parley.runtime.services.mail;
    const preferences = await emailPreferences.get(parley.database, person.userId);
    assert.deepEqual(new Set(Object.values(preferences)), new Set([false]));
  });
});
