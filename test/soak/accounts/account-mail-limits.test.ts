import assert from 'node:assert/strict';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';

const SPELLINGS = [
  'victim.one@gmail.com',
  'victimone+1@gmail.com',
  'v.i.c.t.i.m.o.n.e@googlemail.com',
  'VictimOne+2@GMAIL.com',
];

describe('the limit of emails to one mailbox:', () => {
  let parley: TestParley;
  beforeEach(async () => {
    parley = await startParley({ PARLEY_ACCOUNT_MAIL_LIMIT: '3' }, { hasStoppedClock: true });
  });
  afterEach(() => parley.stop());

  const paths = ['/api/auth/password/forgot', '/api/auth/otp/request', '/api/auth/email/resend'] as const;
  it('forgotPassword, requestOtp and resendVerification count all spellings of an address together', async () => {
    const ask = async (path: (typeof paths)[number], email: string) =>
      formatOutcome(await parley.client().post(path, { email }));
    const outcomes: string[] = [];
    // The fourth spelling reuses the first path, still within the limit.
    for (const [at, email] of SPELLINGS.entries()) outcomes.push(await ask(paths[at % paths.length]!, email));
    assert.ok(
      outcomes.every((outcome) => outcome.startsWith('20')),
      String(outcomes),
    );
    for (const path of paths) assert.equal(await ask(path, 'victimone+3@gmail.com'), '429 rate_limited');
    assert.ok((await ask(paths[0], 'other@gmail.com')).startsWith('20'));
  });

  it('createInvitation counts all spellings of an address together', async () => {
    const invite = async (email: string) => {
      const { orgId, client } = await parley.buildOrg();
      return formatOutcome(await client.post(`/api/orgs/${orgId}/invitations`, { email }));
    };
    for (const email of SPELLINGS) assert.equal(await invite(email), '201');
    assert.equal(await invite('victimone+3@gmail.com'), '429 rate_limited');
  });
});
