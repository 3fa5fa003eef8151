import assert from 'node:assert/strict';
import { LinkedIdentity } from '../../../entities/accounts/linked-identity.entity.ts';
import { User } from '../../../entities/accounts/user.entity.ts';
import { startForger } from '../../support/openid-issuer.ts';
import type { TestParley } from '../../support/parley.ts';
import { describeOutcome, useIdentityProviders } from '../../accounts/identity-providers.ts';
import { answerRequests, buildPerson, readMailedCode, readMailsTo } from '../../accounts/support.ts';

/** Identity providers with the same issuer, which read its claims by different rules. */
const rules = {
  strict: {},
  trusting: { trust_email: true },
  upn: { claims: { email: ['upn'], email_verified: ['xms_edov'] } },
  entra: {
    claims: { email: ['email', 'preferred_username'], email_verified: ['email_verified', 'xms_edov'] },
  },
};
type Rules = keyof typeof rules;

describe('addresses of identity providers:', () => {
  let parley: TestParley;
  let forger: Awaited<ReturnType<typeof startForger>>;
  const { start, finish } = useIdentityProviders(
    (started) => ({ parley } = started),
    async ({ client }) => {
      forger = await startForger();
      return Object.fromEntries(
        Object.entries(rules).map(([name, rule]) => [name, { ...client, issuer: forger.issuer, ...rule }]),
      );
    },
  );
  after(() => forger.stop());

  let people = 0;
  const nextSubject = () => `person-${(people += 1)}`;

  /** Signs in at the identity provider with these claims; without `email` and `email_verified` by default. */
  async function finishWith(provider: Rules, claims: object, body: object = {}) {
    const { code_verifier, nonce } = await start(provider);
    forger.forge({ claims: { nonce, email: undefined, email_verified: undefined, ...claims } });
    return finish({ code: 'any-code-of-it', code_verifier, nonce, ...body }, provider);
  }

  async function readIdentityCode(email: string): Promise<string> {
    const mail = (await readMailsTo(parley, email)).findLast(({ template }) => template === 'identity_code');
    assert.equal(mail!.values['provider'], 'strict');
    return mail!.values['code']!;
  }

  async function getAddress(accessToken: string): Promise<string> {
    return (await parley.client(accessToken).get('/api/auth/me')).body.user.email;
  }

  for (const [provider, what, claims] of [
    ['strict', '"true" as text', { email_verified: 'true' }],
    ['strict', '"True" as text', { email_verified: 'True' }],
    ['strict', 'the number 1', { email_verified: 1 }],
    ['trusting', 'nothing, from an issuer with trust_email', {}],
    ['entra', 'xms_edov', { xms_edov: true }],
    ['entra', 'xms_edov as text', { xms_edov: '1' }],
  ] as [Rules, string, object][])
    it(`finishIdentity registers an address that is verified by ${what}`, async () => {
      const sub = nextSubject();
      const { status, body } = await finishWith(provider, { sub, email: `${sub}@corp.test`, ...claims });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(await getAddress(body.access_token), `${sub}@corp.test`);
    });

  it('finishIdentity reads the address, and whether it is verified, from the configured claims', async () => {
    const sub = nextSubject();
    const claims = { sub, email: 'other@corp.test', upn: `${sub}@corp.test`, xms_edov: true };
    const { body } = await finishWith('upn', claims);
    assert.equal(await getAddress(body.access_token), `${sub}@corp.test`);
  });

  it('finishIdentity reads an address from a list with one entry, and no address from a longer list', async () => {
    const [one, several] = [nextSubject(), nextSubject()];
    const claims = { email: [`${one}@corp.test`], email_verified: true };
    const { body } = await finishWith('strict', { sub: one, ...claims });
    assert.equal(await getAddress(body.access_token), `${one}@corp.test`);
    const addresses = [`${several}@corp.test`, `other-${several}@corp.test`];
    const response = await finishWith('strict', { sub: several, email: addresses, email_verified: true });
    assert.equal(describeOutcome(response), '409 conflict email');
  });

  for (const [provider, what, claims] of [
    ['strict', 'says nothing', {}],
    ['strict', 'says "false" as text', { email_verified: 'false' }],
    ['strict', 'sets a claim that is not configured', { xms_edov: true }],
    ['strict', 'verifies a list', { email_verified: [true] }],
    ['trusting', 'says that it is not verified', { email_verified: false }],
    ['entra', 'says that its domain is not verified', { xms_edov: false }],
    ['entra', 'contradicts itself', { email_verified: false, xms_edov: true }],
    ['entra', 'verifies an invalid address', { email: 'no address', xms_edov: true }],
  ] as [Rules, string, object][])
    it(`finishIdentity (${provider}) asks for an address if the issuer ${what}`, async () => {
      const sub = nextSubject();
      const addresses = { email: `${sub}@corp.test`, preferred_username: `${sub}@corp.test` };
      const response = await finishWith(provider, { sub, ...addresses, ...claims });
      assert.equal(describeOutcome(response), '409 conflict email');
      assert.equal(await parley.database.repository(User).countBy({ email: `${sub}@corp.test` }), 0);
    });

  it('finishIdentity registers an entered address once the caller sends its emailed code, and later signs in by sub', async () => {
    const sub = nextSubject();
    const email = `Given-${sub}@corp.test`;
    const asked = await finishWith('strict', { sub }, { email });
    assert.equal(describeOutcome(asked), '409 conflict email_code');
    const code = await readIdentityCode(email.toLowerCase());
    const wrong = await finishWith('strict', { sub }, { email, email_code: buildWrongCode(code) });
    assert.equal(describeOutcome(wrong), '422 validation_error email_code');
    const { status, body } = await finishWith('strict', { sub }, { email, email_code: code });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(await getAddress(body.access_token), email.toLowerCase());
    const again = await finishWith('strict', { sub });
    assert.equal(await getAddress(again.body.access_token), email.toLowerCase());
    const linked = await parley.database.repository(LinkedIdentity).findBy({ subject: sub });
    assert.deepEqual(
      linked.map((identity) => identity.email),
      [null],
    );
  });

  it('finishIdentity accepts an emailed code once, from the identity that requested it, for its address', async () => {
    const [sub, other] = [nextSubject(), nextSubject()];
    const email = `${sub}@corp.test`;
    await finishWith('strict', { sub }, { email });
    const body = { email, email_code: await readIdentityCode(email) };
    for (const [subject, given] of [
      [other, body],
      [sub, { ...body, email: `${other}@corp.test` }],
    ] as const)
      assert.equal(
        describeOutcome(await finishWith('strict', { sub: subject }, given)),
        '422 validation_error email_code',
      );
    assert.equal((await finishWith('strict', { sub }, body)).status, 200);
    assert.equal(
      describeOutcome(await finishWith('strict', { sub: other }, body)),
      '422 validation_error email_code',
    );
  });

  it('finishIdentity returns 429 for an address after wrongCodesPerDay wrong codes, whichever identities entered them', async () => {
    const email = `${nextSubject()}@corp.test`;
    const limited = (await parley.startAnother({ wrongCodesPerDay: 2 })).client();
    const outcomes = [];
    for (const sub of [nextSubject(), nextSubject(), nextSubject()]) {
      const { code_verifier, nonce } = await start('strict');
      forger.forge({ claims: { nonce, sub, email: undefined, email_verified: undefined } });
      const body = { code: 'any-code-of-it', code_verifier, nonce, email, email_code: '000000' };
      outcomes.push(describeOutcome(await limited.post('/api/auth/identities/strict/callback', body)));
    }
    const wrong = '422 validation_error email_code';
    assert.deepEqual(outcomes, [wrong, wrong, '429 rate_limited']);
  });

  it('finishIdentity does not count wrong codes against a code of requestOtp, and does not replace that code', async () => {
    const { email } = await buildPerson(parley);
    await parley.client().post('/api/auth/otp/request', { email });
    await answerRequests(parley);
    const code = await readMailedCode(parley, email);
    const sub = nextSubject();
    await finishWith('strict', { sub }, { email });
    for (let index = 0; index < 6; index += 1)
      await finishWith('strict', { sub }, { email, email_code: buildWrongCode(code) });
    const { status } = await parley.client().post('/api/auth/otp/verify', { email, code });
    assert.equal(status, 200);
  });

  it('finishIdentity does not reveal whether an entered address has an account', async () => {
    const { email } = await buildPerson(parley);
    const response = await finishWith('strict', { sub: nextSubject() }, { email });
    assert.equal(describeOutcome(response), '409 conflict email_code');
    const mails = await readMailsTo(parley, email);
    assert.deepEqual(
      mails.map(({ template }) => template),
      ['address_taken'],
    );
  });

  it('finishIdentity delays the codes of an identity beyond accountMailLimit, whatever addresses it enters', async () => {
    const sub = nextSubject();
    const limited = (await parley.startAnother({ accountMailLimit: 2 })).client();
    const outcomes: string[] = [];
    // The delay between wrong codes doubles from one second, so on a slow machine the first delays may have
    // passed before the next call.
    while (outcomes.length < 10 && outcomes.at(-1) !== '429 rate_limited') {
      const { code_verifier, nonce } = await start('strict');
      forger.forge({ claims: { nonce, sub, email: undefined, email_verified: undefined } });
      const body = {
        code: 'any-code-of-it',
        code_verifier,
        nonce,
        email: `${outcomes.length}-${sub}@corp.test`,
      };
      outcomes.push(describeOutcome(await limited.post('/api/auth/identities/strict/callback', body)));
    }
    // The API still emails the first code beyond the limit, which starts the delay.
    assert.deepEqual(outcomes.slice(0, 3), Array(3).fill('409 conflict email_code'));
    assert.equal(outcomes.at(-1), '429 rate_limited');
  });

  it('finishIdentity emails no code without open registration', async () => {
    const closed = (await parley.startAnother({ registration: 'invited' })).client();
    const { code_verifier, nonce } = await start('strict');
    forger.forge({ claims: { nonce, sub: nextSubject(), email: undefined, email_verified: undefined } });
    const body = { code: 'any-code-of-it', code_verifier, nonce, email: 'closed@corp.test' };
    const response = await closed.post('/api/auth/identities/strict/callback', body);
    assert.equal(describeOutcome(response), '403 forbidden');
    assert.deepEqual(await readMailsTo(parley, 'closed@corp.test'), []);
  });
});

/** Returns a six-digit code that differs from the given code. */
function buildWrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
