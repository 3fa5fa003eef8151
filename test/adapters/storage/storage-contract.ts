import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ObjectMissingError, type ObjectStorage } from '../../../adapters/storage/object-storage.ts';

/** Declares tests of the behavior that every object storage must have. */
export function describeStorage(getStorage: () => ObjectStorage): void {
  const read = async (key: string) => buffer((await getStorage().open(key)).content);

  it('returns a stored object with its size and digest', async () => {
    const bytes = randomBytes(200_000);
    const stored = await getStorage().put('org/bot/one/1/original', Readable.from([bytes]));
    assert.deepEqual(stored, {
      sizeBytes: 200_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const { content, sizeBytes } = await getStorage().open('org/bot/one/1/original');
    assert.equal(sizeBytes, 200_000);
    assert.deepEqual(await buffer(content), bytes);
  });

  it('stores 12 MB that arrive in small pieces', async () => {
    const piece = randomBytes(12_000);
    const pieces = Array.from({ length: 1000 }, () => piece);
    const { sizeBytes } = await getStorage().put('org/bot/large/1/original', Readable.from(pieces));
    assert.equal(sizeBytes, 12_000_000);
    assert.deepEqual(await read('org/bot/large/1/original'), Buffer.concat(pieces));
  });

  it('stores an empty object', async () => {
    assert.equal((await getStorage().put('org/bot/empty/1/original', Readable.from([]))).sizeBytes, 0);
    assert.equal((await read('org/bot/empty/1/original')).length, 0);
  });

  it('replaces an object', async () => {
    await getStorage().put('org/bot/twice/1/original', Readable.from(['first']));
    await getStorage().put('org/bot/twice/1/original', Readable.from(['second']));
    assert.equal(String(await read('org/bot/twice/1/original')), 'second');
  });

  for (const [size, bytes] of [
    ['a small', 1000],
    ['a large', 11_000_000],
  ] as const) {
    it(`leaves nothing of ${size} stream that fails, and throws its failure`, async () => {
      const failure = new Error('the sender went away');
      const content = Readable.from(
        (function* () {
          for (let sent = 0; sent < bytes; sent += 1000) yield Buffer.alloc(1000);
          throw failure;
        })(),
      );
      await assert.rejects(getStorage().put('org/bot/broken/1/original', content), failure);
      await assert.rejects(getStorage().open('org/bot/broken/1/original'), ObjectMissingError);
    });
  }

  it('keeps the existing object if its replacement fails', async () => {
    await getStorage().put('org/bot/kept/1/original', Readable.from(['kept']));
    const content = new PassThrough();
    const putting = getStorage().put('org/bot/kept/1/original', content);
    content.write('half');
    content.destroy(new Error('gone'));
    await assert.rejects(putting, { message: 'gone' });
    assert.equal(String(await read('org/bot/kept/1/original')), 'kept');
  });

  it('reports a missing object', async () => {
    await assert.rejects(getStorage().open('org/bot/never/1/original'), ObjectMissingError);
  });

  it('deletes one object, and ignores one that is already deleted', async () => {
    await getStorage().put('org/bot/deleted/1/original', Readable.from(['x']));
    await getStorage().delete('org/bot/deleted/1/original');
    await getStorage().delete('org/bot/deleted/1/original');
    await assert.rejects(getStorage().open('org/bot/deleted/1/original'), ObjectMissingError);
  });

  it('deletes all below a prefix and nothing else', async () => {
    for (const key of ['org/purged/a/1/original', 'org/purged/b/2/original', 'org/purged-not/a/1/original']) {
      await getStorage().put(key, Readable.from([key]));
    }
    await getStorage().deletePrefix('org/purged/');
    await getStorage().deletePrefix('org/purged/');
    await assert.rejects(getStorage().open('org/purged/a/1/original'), ObjectMissingError);
    await assert.rejects(getStorage().open('org/purged/b/2/original'), ObjectMissingError);
    assert.equal(String(await read('org/purged-not/a/1/original')), 'org/purged-not/a/1/original');
  });

  const escapes = ['', '/', '../up', 'a/../../up', '/etc/passwd', 'a//b', 'a/./b', '.incoming/x', 'a\\..\\b'];
  for (const key of [...escapes, 'a\0b', 'a b', 'é', `${'a/'.repeat(300)}a`]) {
    it(`refuses the key ${JSON.stringify(key).slice(0, 30)}`, async () => {
      await assert.rejects(getStorage().put(key, Readable.from(['x'])), /cannot be a storage key/);
      await assert.rejects(getStorage().open(key), /cannot be a storage key/);
      await assert.rejects(getStorage().delete(key), /cannot be a storage key/);
      await assert.rejects(getStorage().deletePrefix(`${key}/`), /cannot be a storage key/);
    });
  }

  it('refuses a prefix that does not end with a slash', async () => {
    await assert.rejects(getStorage().deletePrefix('org'), /must end with a slash/);
    await assert.rejects(getStorage().deletePrefix(''), /must end with a slash/);
  });

  it('passes its check', () => getStorage().check());
}
