import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { truncateAcceptHeaders } from '../../api/http/accept-headers.ts';

const cut = (headers: IncomingHttpHeaders) => {
  truncateAcceptHeaders(headers);
  return headers;
};

describe('cutAcceptHeaders', () => {
  it('keeps headers of 1,000 characters', () => {
    const headers = {
      accept: `text/html,${'a'.repeat(990)}`,
      'accept-encoding': 'br, gzip',
      host: 'x'.repeat(2000),
    };
    assert.deepEqual(cut({ ...headers }), headers);
  });

  it('keeps the complete members of a longer header, up to the limit', () =>
    assert.deepEqual(
      cut({
        accept: `text/html, application/json;q=0.5,${'a'.repeat(1000)}`,
        'accept-encoding': `${'gzip,'.repeat(200)}br`,
        'accept-language': `de,${'x'.repeat(998)},en`,
      }),
      {
        accept: 'text/html, application/json;q=0.5',
        'accept-encoding': 'gzip,'.repeat(200).slice(0, -1),
        'accept-language': 'de',
      },
    ));

  it('removes a header without a complete member', () =>
    assert.deepEqual(cut({ accept: `text/html;x=${'a'.repeat(1000)}` }), {}));
});
