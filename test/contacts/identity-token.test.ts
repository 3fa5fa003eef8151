import assert from 'node:assert/strict';
import { AppError } from '../../core/errors/errors.ts';
import { readIdentityToken } from '../../services/contacts/identity-token.ts';
import { signIdentityToken } from '../support/identity-token.ts';

const SECRET = 'idsec_test';
const NOW = new Date('2026-12-01T22:00:00Z');
const seconds = NOW.getTime() / 1000;
const inMilliseconds = (claim: string) => `has the claim ${claim} in milliseconds; use seconds`;
const notNumber = (claim: string) => `has a claim ${claim} that is not a number; use seconds since 1970`;

describe('readIdentityToken', () => {
  const refusals: [claims: object, message: string][] = [
    [{ exp: NOW.getTime() + 600_000 }, inMilliseconds('exp')],
    [{ exp: seconds + 600, iat: NOW.getTime() }, inMilliseconds('iat')],
    [{ exp: seconds + 600, nbf: NOW.getTime() }, inMilliseconds('nbf')],
    [{ exp: '2026-12-01T23:00:00Z' }, notNumber('exp')],
    [{ exp: seconds + 600, iat: '2026-12-01T22:00:00Z' }, notNumber('iat')],
    [{ exp: seconds + 600, nbf: null }, notNumber('nbf')],
    [{ exp: undefined }, 'lacks the claim exp'],
    [{ exp: seconds + 3700 }, 'must expire (exp) within an hour'],
    [
      { exp: seconds + 600, nbf: seconds + 120 },
      'is not valid before 2026-12-01T22:02:00.000Z (nbf); check the clock',
    ],
    [
      { exp: seconds + 600, iat: seconds + 120 },
      'is issued (iat) in the future, at 2026-12-01T22:02:00.000Z; check the clock',
    ],
  ];
  for (const [claims, message] of refusals)
    it(`refuses the times ${JSON.stringify(claims)}: it ${message}`, async () => {
      const error: unknown = await readIdentityToken(
        signIdentityToken(SECRET, { sub: '17', ...claims }),
        SECRET,
        NOW,
      ).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof AppError);
      assert.deepEqual(error.details, [{ field: 'identity_token', in: 'body', code: 'invalid', message }]);
    });

  for (const [exp, time] of [
    [seconds - 60, '2026-12-01T21:59:00.000Z'],
    [-1e20, '-100000000000000000000'],
  ] as const)
    it(`refuses a token that expired at ${time}, and names the time`, async () => {
      const token = signIdentityToken(SECRET, { sub: '17', exp });
      await assert.rejects(readIdentityToken(token, SECRET, NOW), {
        details: [
          {
            field: 'identity_token',
            in: 'body',
            code: 'expired',
            message: `expired at ${time}; sign a new one, or check the clock that set exp`,
          },
        ],
      });
    });

  it('refuses another secret or algorithm, and says how the secret was changed or names the alg', async () => {
    const unsigned = 'is not signed with HS256 and the identity secret of this bot';
    const header = Buffer.from(JSON.stringify({ alg: 'HS512' })).toString('base64url');
    for (const [token, message] of [
      [signIdentityToken('test', { sub: '17' }), `${unsigned}; use the whole secret, including idsec_`],
      [
        signIdentityToken(`${SECRET}\n`, { sub: '17' }),
        `${unsigned}; remove the line break at the end of the secret`,
      ],
      [
        signIdentityToken(Buffer.from('test', 'base64'), { sub: '17' }),
        `${unsigned}; use the secret as text, without decoding it from base64`,
      ],
      [` ${signIdentityToken(SECRET, { sub: '17' })}`, 'contains white space; send only the token'],
      [`${header}.e30.AAAA`, `${unsigned}; its header has the alg HS512`],
    ] as const)
      await assert.rejects(readIdentityToken(token, SECRET, NOW), {
        details: [{ field: 'identity_token', in: 'body', code: 'invalid', message }],
      });
  });

  it('accepts times in seconds', async () => {
    const token = signIdentityToken(SECRET, { sub: '17', exp: seconds + 600, iat: seconds, nbf: seconds });
    assert.deepEqual(await readIdentityToken(token, SECRET, NOW), { subject: '17', email: null });
  });
});
