import assert from 'node:assert/strict';
import { SignJWT } from 'jose';
import { EMPTY_PROFILE, listProfileErrors } from '../../core/billing/billing-profile.ts';
import { isAsciiEmailAddress, isEmailAddress } from '../../core/contacts/email-address.ts';
import { AppError } from '../../core/errors/errors.ts';
import { normalizeTypedAnswer } from '../../core/flows/nodes/typed-answer.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import { findDetails } from '../../services/contacts/details-in-text.ts';
import { readIdentityToken } from '../../services/contacts/identity-token.ts';
import { readLead } from '../../services/contacts/lead-form.ts';

const letters = (length: number) => 'a'.repeat(length);
const MAX_DOMAIN = `${[63, 63, 63, 58].map(letters).join('.')}.eu`;

const valid = [
  'a@b.co',
  'ada.lovelace+tag@mail.example.com',
  `${letters(64)}@example.com`,
  `ada@${letters(63)}.com`,
  `ada@example.${letters(63)}`,
  `ada@${MAX_DOMAIN}`,
];
const international = ['jörg@münchen.de', `${'é'.repeat(32)}@example.com`, 'данные@пример.рф'];
const oversized = [
  `${letters(65)}@example.com`,
  `ada@${letters(64)}.com`,
  `ada@${letters(300)}.com`,
  `ada@mail.${letters(64)}.com`,
  `ada@example.${letters(64)}`,
  `ada@a${MAX_DOMAIN}`,
  // Local part of 33 characters in 66 bytes, above the limit of 64.
  `${'é'.repeat(33)}@example.com`,
  // Domain of 60 characters, which are more than 63 in Punycode.
  `ada@${'ü'.repeat(60)}.de`,
];
const malformed = [
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'a@b@example.com',
  'ada@example..com',
  'a b@c.de',
];

describe('email addresses', () => {
  it('have a local part of 64 octets, labels of 63 and a domain of 253 at most', () => {
    assert.equal(MAX_DOMAIN.length, 253);
    const given = [...valid, ...international, ...oversized, ...malformed];
    assert.deepEqual(given.filter(isEmailAddress), [...valid, ...international]);
  });

  it('of accounts are ASCII', () => {
    assert.deepEqual([...valid, ...international, ...oversized].filter(isAsciiEmailAddress), valid);
  });

  for (const email of oversized) {
    it(`such as ${email.slice(0, 24)}… are refused for invoices, in lead forms, flows, identity tokens and texts`, async () => {
      const profile = { ...EMPTY_PROFILE, billing_email: email };
      assert.deepEqual(
        listProfileErrors(profile).map(({ field }) => field),
        ['billing_email'],
      );
      assert.equal(normalizeTypedAnswer({ input: 'email' }, email), null);
      assert.throws(() => readLead(leadForm, bot, { email }), AppError);
      await assert.rejects(readIdentityToken(await tokenWith(email), SECRET, new Date()), AppError);
      assert.notEqual(findDetails(`Write to ${email} please`).email, email);
    });
  }

  for (const email of [`${letters(64)}@example.com`, `ada@${letters(63)}.com`, 'jörg@münchen.de']) {
    it(`such as ${email.slice(0, 24)} are accepted for invoices, in lead forms, flows, identity tokens and texts`, async () => {
      assert.deepEqual(listProfileErrors({ ...EMPTY_PROFILE, billing_email: email }), []);
      assert.equal(normalizeTypedAnswer({ input: 'email' }, email), email);
      assert.equal(readLead(leadForm, bot, { email }).details.email, email);
      const { email: told } = await readIdentityToken(await tokenWith(email), SECRET, new Date());
      assert.equal(told, email);
      assert.equal(findDetails(`Write to ${email} please`).email, email);
    });
  }
});

const SECRET = 'idsec_secret-of-the-bot';
const bot = { contactFieldsConfig: [] } as unknown as Bot;
const leadForm = {
  fields: [{ key: 'email', type: 'email' as const, required: true }],
  trigger: 'manual' as const,
  trigger_value: null,
};

function tokenWith(email: string): Promise<string> {
  return new SignJWT({ sub: 'visitor', email })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(SECRET));
}
