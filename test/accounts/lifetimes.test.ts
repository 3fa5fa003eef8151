import assert from 'node:assert/strict';
import { User } from '../../entities/accounts/user.entity.ts';
import { buildMultipartUpload } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';
import {
  answerRequests,
  buildPerson,
  readMailedCode,
  signInWith,
  PASSWORD,
  type TestPerson,
} from './support.ts';

/** Settings for the lifetimes of tokens and codes, all different from the defaults. */
const lifetimes = {
  accessTokenSeconds: 77,
  PARLEY_SESSION_IDLE_DAYS: '40',
  PARLEY_SESSION_LONGEST_DAYS: '12',
  mfaChallengeSeconds: 44,
  signInCodeSeconds: 66,
  signInCodeTries: 2,
  resetLinkSeconds: 88,
  verifyLinkSeconds: 99,
  invitationDays: 9,
  invitationReminderDays: 5,
  visitorTokenSeconds: 150,
  conversationIdleSeconds: 600,
  fileLinkSeconds: 33,
};

describe('settings of lifetimes', () => {
  let parley: TestParley;
  let person: TestPerson;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };

  before(async () => {
    parley = await startParley(lifetimes, { clock });
  });
  beforeEach(async () => {
    aheadMs = 0;
    person = await buildPerson(parley);
  });
  after(() => parley.stop());

  const post = <const P extends string>(path: P, body: object) => parley.client().post(path, body);

  /** Returns the seconds between two time columns of the first database row that matches. */
  async function measureLifetime(table: string, from: string, to: string, where: string): Promise<number> {
    const [row] = await parley.database.sql<{ seconds: number }>(
      `SELECT round(extract(epoch FROM ${to} - ${from}))::float8 AS seconds FROM ${table} WHERE ${where}`,
    );
    return row!.seconds;
  }

  it('end an access token after the set time', async () => {
    const { body } = await post('/api/auth/login', { email: person.email, password: PASSWORD });
    assert.equal(body.expires_in, 77);
    const client = parley.client(body.access_token);
    aheadMs = 75_000;
    assert.equal((await client.get('/api/auth/me')).status, 200);
    aheadMs = 78_000;
    assert.equal((await client.get('/api/auth/me')).status, 401);
  });

  it('end a session, up to sessionMaxDays after the sign-in', async () => {
    const mine = `user_id = '${person.userId}'`;
    const { refresh_token } = await signInWith(parley.client(), person.email);
    assert.equal(await measureLifetime('sessions', 'created_at', 'ends_at', mine), 12 * 86400);
    assert.equal(await measureLifetime('sessions', 'created_at', 'expires_at', mine), 12 * 86400);
    const another = await parley.startAnother({ sessionIdleDays: 3, sessionMaxDays: 90 });
    assert.equal((await another.client().post('/api/auth/refresh', { refresh_token })).status, 200);
    assert.equal(await measureLifetime('sessions', 'last_used_at', 'expires_at', mine), 3 * 86400);
  });

  it('end the challenge of a second factor after the set time', async () => {
    await parley.database.repository(User).update(person.userId, { mfaActivatedAt: new Date() });
    const { body } = await post('/api/auth/login', { email: person.email, password: PASSWORD });
    assert.equal(body.expires_in, 44);
    aheadMs = 45_000;
    const late = await post('/api/auth/mfa/verify', {
      challenge_token: body.challenge_token,
      code: '123456',
    });
    assert.equal(late.problem.error.message, 'The time to enter the code has expired; sign in again.');
  });

  it('limit an emailed code by time and by tries', async () => {
    await post('/api/auth/otp/request', { email: person.email });
    await answerRequests(parley);
    const seconds = await measureLifetime(
      'sign_in_codes',
      'now()',
      'expires_at',
      `email = '${person.email}'`,
    );
    assert.ok(seconds > 50 && seconds <= 66, String(seconds));
    const code = await readMailedCode(parley, person.email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const tried of [wrong, wrong, code])
      assert.equal((await post('/api/auth/otp/verify', { email: person.email, code: tried })).status, 401);
  });

  it('end emailed links after the set time', async () => {
    await parley.database.repository(User).update(person.userId, { emailVerifiedAt: null });
    await post('/api/auth/password/forgot', { email: person.email });
    await post('/api/auth/email/resend', { email: person.email });
    await answerRequests(parley);
    for (const [purpose, longest] of [
      ['reset_password', 88],
      ['verify_email', 99],
    ] as const) {
      const where = `user_id = '${person.userId}' AND purpose = '${purpose}'`;
      const seconds = await measureLifetime('account_links', 'now()', 'expires_at', where);
      assert.ok(seconds > longest - 10 && seconds <= longest, `${purpose}: ${seconds}`);
    }
  });

  it('end an invitation after the set time, after a reminder', async () => {
    const { client } = await parley.signIn(person);
    const { body } = await client.post(`/api/orgs/${person.orgId}/invitations`, {
      email: `guest-${person.userId}@example.com`,
      role: 'viewer',
    });
    const where = `id = '${body.id}'`;
    assert.equal(await measureLifetime('invitations', 'created_at', 'expires_at', where), 9 * 86400);
    assert.equal(await measureLifetime('invitations', 'created_at', 'remind_at', where), 5 * 86400);
  });

  it('end a visitor’s token the set time after its last use', async () => {
    const { session, visitor, path } = await buildSession(parley);
    assert.equal(session.expires_in, 150);
    const ageConversation = (seconds: number) =>
      parley.database.sql(
        'UPDATE conversations SET visitor_seen_at = now() - make_interval(secs => $2) WHERE id = $1',
        [session.session_id, seconds],
      );
    await ageConversation(140);
    assert.equal((await visitor.get(path)).status, 200);
    await ageConversation(150);
    assert.equal((await visitor.get(path)).status, 401);
  });

  it('end an idle conversation after the set time', async () => {
    const { session } = await buildSession(parley);
    const sweep = parley.runtime.services.conversations.idleConversations;
    const ageConversation = (seconds: number) =>
      parley.database.sql(
        `UPDATE conversations SET created_at = now() - make_interval(secs => $2),
           last_message_at = now() - make_interval(secs => $2) WHERE id = $1`,
        [session.session_id, seconds],
      );
    await ageConversation(580);
    assert.deepEqual(await sweep.endBatch(parley.database), { ended: 0, isMore: false });
    await ageConversation(601);
    assert.deepEqual(await sweep.endBatch(parley.database), { ended: 1, isMore: false });
  });

  it('end the link of a file after the set time', async () => {
    const { client, bot } = await buildActiveBot(parley);
    const { headers, body: bytes } = buildMultipartUpload('notes.txt', 'Closed on Mondays.');
    const path = `/api/bots/${bot.id}/knowledge` as const;
    const upload = await client.fetch(`${path}/upload`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    });
    const { id } = (await upload.json()) as { id: string };
    const { body } = await client.get(`${path}/${id}/download`);
    assert.equal(body.expires_in, 33);
    const download = () => fetch(parley.baseUrl + new URL(body.url).pathname);
    aheadMs = 32_000;
    assert.equal((await download()).status, 200);
    aheadMs = 34_000;
    assert.equal((await download()).status, 404);
  });
});
