import assert from 'node:assert/strict';
import { HASHES_AT_ONCE } from '../../services/accounts/hash-threads.ts';
import { hashPassword, verifyPassword } from '../../services/accounts/passwords.ts';

describe('passwords', () => {
  it('are hashed with argon2id, never twice to the same text', async () => {
    const [one, other] = await Promise.all([
      hashPassword('three blue lamps'),
      hashPassword('three blue lamps'),
    ]);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(one, other);
  });

  it('are answered each for itself when many are checked at once', async () => {
    const [one, other] = await Promise.all([
      hashPassword('three blue lamps'),
      hashPassword('four green ones'),
    ]);
    const answers = await Promise.all([
      verifyPassword(one, 'three blue lamps'),
      verifyPassword(other, 'three blue lamps'),
      verifyPassword(null, 'three blue lamps'),
      verifyPassword(null, ''),
      verifyPassword(other, 'four green ones'),
    ]);
    assert.deepEqual(answers, [true, false, false, false, true]);
  });

  it('can be checked after a hash that is none', async () => {
    const hash = await hashPassword('three blue lamps');
    const [broken, good] = await Promise.allSettled([
      verifyPassword('no hash', 'three blue lamps'),
      verifyPassword(hash, 'three blue lamps'),
    ]);
    assert.equal(broken.status, 'rejected');
    assert.deepEqual(good, { status: 'fulfilled', value: true });
  });

  it('wait in a line that has an end', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 600 * HASHES_AT_ONCE }, () => verifyPassword('no hash', 'three blue lamps')),
    );
    const codes = asked.map((answer) => answer.status === 'rejected' && answer.reason.code);
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 100 * HASHES_AT_ONCE);
    assert.equal(await verifyPassword(null, 'three blue lamps'), false);
  });
});
