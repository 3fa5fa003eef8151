import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateSync } from 'otplib';
import { generateRecoveryCodes, digestRecoveryCode } from '../../services/accounts/recovery-codes.ts';
import { generateTotpSecret, findTimeStep, buildTotpUri } from '../../services/accounts/totp.ts';

/** Secret of the test vectors: `12345678901234567890` in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** Test vectors of RFC 6238, appendix B: seconds, and the last six digits of the code. */
const vectors: [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

describe('authenticator codes', () => {
  for (const [seconds, code] of vectors) {
    it(`match RFC 6238 at ${seconds} s`, () => {
      assert.equal(findTimeStep(RFC_SECRET, code, seconds), Math.floor(seconds / 30));
    });
  }

  it('are accepted one step early and one step late, but not two', () => {
    const now = 1_800_000_015;
    const step = 60_000_000;
    const taken = [-2, -1, 0, 1, 2].map((steps) =>
      findTimeStep(RFC_SECRET, generateSync({ secret: RFC_SECRET, epoch: now + steps * 30 }), now),
    );
    assert.deepEqual(taken, [null, step - 1, step, step + 1, null]);
  });

  it('are six digits, with optional gaps', () => {
    for (const code of ['', '28708', '2870820', '28708x', '２８７０８２', '-87082', '1e5   '])
      assert.equal(findTimeStep(RFC_SECRET, code, 59), null, code);
    for (const code of ['287082', '287 082', ' 287082'])
      assert.equal(findTimeStep(RFC_SECRET, code, 59), 1, code);
  });

  it('match the codes of oathtool', function () {
    if (spawnSync('oathtool', ['--version']).error) return this.skip();
    const secret = generateTotpSecret();
    const args = ['--totp', '--base32', '--now', '2026-09-03 10:15:00 UTC', secret];
    const code = execFileSync('oathtool', args, { encoding: 'utf8' }).trim();
    const seconds = Date.UTC(2026, 8, 3, 10, 15) / 1000;
    assert.equal(findTimeStep(secret, code, seconds), seconds / 30);
  });

  it('derive from a secret of 160 bits in an otpauth address', () => {
    const secret = generateTotpSecret();
    assert.match(secret, /^[A-Z2-7]{32}$/);
    const uri = new URL(buildTotpUri(secret, 'ada+x@example.com'));
    assert.equal(`${uri.protocol}//${uri.host}`, 'otpauth://totp');
    assert.equal(decodeURIComponent(uri.pathname), '/Parley:ada+x@example.com');
    assert.equal(uri.searchParams.get('secret'), secret);
    assert.equal(uri.searchParams.get('issuer'), 'Parley');
  });
});

describe('recovery codes', () => {
  it('are ten of 23 base32 characters, all different', () => {
    const codes = generateRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[A-Z2-7]{23}$/);
  });

  it('are accepted in lower case and with gaps', () => {
    const [code = ''] = generateRecoveryCodes();
    const typed = ` ${code.slice(0, 5)}-${code.slice(5, 10)} ${code.slice(10)}`.toLowerCase();
    assert.equal(digestRecoveryCode(typed), digestRecoveryCode(code));
  });
});
