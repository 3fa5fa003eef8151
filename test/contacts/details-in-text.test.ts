import assert from 'node:assert/strict';
import { findDetails, maskDetails } from '../../services/contacts/details-in-text.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('findDetails', () => {
  for (const [text, found] of [
    ['My address is ada@example.com.', { email: 'ada@example.com' }],
    [
      'E-mail:Ada.Lovelace+shop@mail.example.co.uk, thanks',
      { email: 'Ada.Lovelace+shop@mail.example.co.uk' },
    ],
    ['schreib an jürgen@müller.de', { email: 'jürgen@müller.de' }],
    ['a@example.com or b@example.com', { email: 'a@example.com' }],
    ['call +49 30 901820 please', { phone: '+49 30 901820' }],
    ['call me at (555) 123-4567', { phone: '(555) 123-4567' }],
    ['meine Handynummer ist 0171/1234567', { phone: '0171/1234567' }],
    ['tel: 5551234567', { phone: '5551234567' }],
    ['+49 30 901820, or bob@example.org', { email: 'bob@example.org', phone: '+49 30 901820' }],
  ] as const) {
    it(`finds contact details in ${JSON.stringify(text)}`, () => assert.deepEqual(findDetails(text), found));
  }

  for (const text of [
    'order 1234567890',
    'from 2026-11-21 to 21.11.2026 12:30',
    'the server 192.168.100.200 runs version 0.1.2.3.4.5',
    'card 4111 1111 1111 1111',
    'it costs 01234567 €',
    'see https://example.com/?to=a@example.com&tel=0301234567',
    'ada@example, @ada, ada@@example.com, a b@c',
    '',
  ]) {
    it(`finds no contact details in ${JSON.stringify(text)}`, () => assert.deepEqual(findDetails(text), {}));
  }

  itInSoak('finds the details that maskDetails removes', () =>
    assert.equal(
      maskDetails('I am ada@example.com, call +49 30 901820 about order 1234567890.'),
      'I am …, call … about order 1234567890.',
    ),
  );

  it('takes linear time', () => {
    for (const piece of ['a', 'a@', 'a.', '0 ', '1', '+1 ', 'a@a.', 'call 0123456 ', '(((', '----']) {
      const text = piece.repeat(20_000 / piece.length);
      assertCpuBelow(200, () => [findDetails(text), maskDetails(text)], piece);
    }
  });
});
