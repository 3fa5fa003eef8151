import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describeEncoding } from '../../api/http/body/describe-encoding.ts';

const JSON_TEXT = '{"name":"Guide"}';
const UTF_16 = 'The body is UTF-16. Send it in UTF-8.';
const UTF_32 = 'The body is UTF-32. Send it in UTF-8.';

const toUtf32 = (text: string) =>
  Buffer.concat([...text].map((letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0])));

describe('describeEncoding', () => {
  const cases: [name: string, body: Buffer, message: string | undefined][] = [
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le'), UTF_16],
    ['UTF-16 without a byte order mark', Buffer.from(JSON_TEXT, 'utf16le'), UTF_16],
    ['big-endian UTF-16', Buffer.from(JSON_TEXT, 'utf16le').swap16(), UTF_16],
    ['UTF-32', toUtf32(JSON_TEXT), UTF_32],
    ['big-endian UTF-32', toUtf32(JSON_TEXT).swap32(), UTF_32],
    ['UTF-32 with a byte order mark', toUtf32(`\ufeff${JSON_TEXT}`).fill('fffe', 0, 2, 'hex'), UTF_32],
    ['gzip', gzipSync(JSON_TEXT), 'The body is compressed with gzip. Send it uncompressed.'],
    ['zstd', Buffer.from('28b52ffd0458', 'hex'), 'The body is compressed with zstd. Send it uncompressed.'],
    ['a ZIP archive', Buffer.from('504b030414', 'hex'), 'The body is a ZIP archive. Send JSON.'],
    ['UTF-8', Buffer.from(JSON_TEXT), undefined],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${JSON_TEXT}`), undefined],
    ['a short body', Buffer.from('{}'), undefined],
  ];
  for (const [name, body, message] of cases)
    it(`returns ${message ? 'the cause' : 'undefined'} for ${name}`, () =>
      assert.equal(describeEncoding(body), message));
});
