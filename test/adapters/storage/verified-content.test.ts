import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { verifyContent, type ExpectedContent } from '../../../adapters/storage/verified-content.ts';

const KEY = 'org/bot/document/1/original';
const TEXT = 'Twelve cargo bikes';
const sha256 = createHash('sha256').update(TEXT).digest('hex');

/** Reads a stored file in chunks of six bytes. Returns the text, or the error that ends the content early. */
async function read(text: string, expected: ExpectedContent, sizeBytes?: number): Promise<string> {
  const chunks = text.match(/.{1,6}/gs) ?? [];
  const content = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  let got = '';
  try {
    const opened = await verifyContent(KEY, { content, sizeBytes }, expected);
    for await (const chunk of opened.content) got += String(chunk);
    return got;
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.ok(text === '' || got.length < text.length, got);
    assert.equal(content.destroyed, true);
    return `${error.name}: ${error.message}`;
  }
}

const toChanged = (difference: string) =>
  `ObjectChangedError: The object ${KEY} was changed in storage: ${difference}.`;

describe('stored content', () => {
  const size = TEXT.length;

  it('is read completely with the size and digest of its row, with and without a length', async () => {
    for (const length of [undefined, size])
      for (const sizeBytes of [null, size])
        for (const digest of [null, sha256])
          assert.equal(await read(TEXT, { sizeBytes, sha256: digest }, length), TEXT);
    assert.equal(await read('', { sizeBytes: 0, sha256: null }), '');
  });

  it('of another length is refused before it is read', async () => {
    assert.equal(await read(TEXT, { sizeBytes: 5, sha256 }, size), toChanged('it has 18 bytes instead of 5'));
    assert.equal(await read('', { sizeBytes: 5, sha256 }, 0), toChanged('it has 0 bytes instead of 5'));
  });

  it('of unknown length ends with an error if it is shorter or longer', async () => {
    const expected = { sizeBytes: size, sha256 };
    assert.equal(await read('', expected), toChanged('it has 0 bytes instead of 18'));
    assert.equal(await read('Twelve cargo', expected), toChanged('it has 12 bytes instead of 18'));
    assert.equal(await read(`${TEXT} and one`, expected), toChanged('it has 24 bytes instead of 18'));
  });

  it('with another digest ends with an error instead of its last chunk', async () => {
    const changed = 'Twelve cargo bikeS';
    const isOther = toChanged('its SHA-256 digest differs');
    assert.equal(await read(changed, { sizeBytes: size, sha256 }, size), isOther);
    assert.equal(await read(changed, { sizeBytes: null, sha256 }), isOther);
  });
});
