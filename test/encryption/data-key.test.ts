import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { DataKey, generateKey } from '../../adapters/keys/data-key.ts';
import { FRAME_BYTES } from '../../adapters/keys/sealed-file.ts';

const PLACE = 'messages.content:0198';

describe('a data key', () => {
  const secret = generateKey();
  const key = new DataKey('0001', secret);

  it('decrypts what it has encrypted for the same context, and nothing for another context', () => {
    const sealed = key.seal('Wie geht’s? 🚲', PLACE);
    assert.match(sealed, /^[\w-]+$/);
    assert.equal(key.open(sealed, PLACE), 'Wie geht’s? 🚲');
    assert.throws(() => key.open(sealed, 'messages.content:0199'));
    assert.throws(() => key.open(sealed, 'messages.citations:0198'));
  });

  it('encrypts the same text differently each time', () => {
    assert.notEqual(key.seal('Hello', PLACE), key.seal('Hello', PLACE));
  });

  for (const at of [0, 5, 20, -1])
    it(`refuses a ciphertext whose byte at ${at} was changed`, () => {
      const bytes = Buffer.from(key.seal('Hello there', PLACE), 'base64url');
      const index = at < 0 ? bytes.length + at : at;
      bytes[index] = bytes[index]! ^ 1;
      assert.throws(() => key.open(bytes.toString('base64url'), PLACE));
    });

  it('refuses an empty ciphertext and a ciphertext that is too short', () => {
    for (const sealed of ['', 'AAAA']) assert.throws(() => key.open(sealed, PLACE));
  });

  it('is identified by its commitment, which no other key has', () => {
    key.assertCommitment(new DataKey('0001', secret).commitment);
    assert.throws(() => key.assertCommitment(new DataKey('0001', generateKey()).commitment));
    assert.throws(() => key.assertCommitment(''));
  });

  describe('for a file', () => {
    const sealFile = (content: Buffer) => buffer(Readable.from([content]).pipe(key.sealFile('file:1')));
    const openFile = (content: Buffer, place = 'file:1') => {
      const opener = key.openFile(place);
      const bytes = buffer(opener);
      Readable.from(splitBuffer(content)).pipe(opener);
      return bytes;
    };

    for (const size of [0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 3 * FRAME_BYTES + 7])
      it(`decrypts ${size} bytes to the original`, async () => {
        const content = Buffer.alloc(size, 'harbour bikes ');
        assert.ok((await openFile(await sealFile(content))).equals(content));
      });

    it('does not decrypt a truncated file, cut at a frame or within a frame', async () => {
      const file = await sealFile(Buffer.alloc(3 * FRAME_BYTES, 'x'));
      for (const end of [0, 10, file.length - 1, file.length - FRAME_BYTES - 16])
        await assert.rejects(openFile(file.subarray(0, end)));
    });

    it('does not decrypt a file with frames in another order, or the content of another file', async () => {
      const file = await sealFile(Buffer.alloc(3 * FRAME_BYTES, 'x'));
      const header = file.length - 3 * (FRAME_BYTES + 16);
      const frame = (index: number) =>
        file.subarray(header + index * (FRAME_BYTES + 16), header + (index + 1) * (FRAME_BYTES + 16));
      const swapped = Buffer.concat([file.subarray(0, header), frame(1), frame(0), frame(2)]);
      await assert.rejects(openFile(swapped));
      await assert.rejects(openFile(file, 'file:2'));
    });
  });
});

function* splitBuffer(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += 10_007) yield content.subarray(at, at + 10_007);
}
