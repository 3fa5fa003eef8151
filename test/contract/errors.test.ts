import assert from 'node:assert/strict';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { errorCodes } from '../../core/errors/error-codes.ts';
import { operations } from '../../api/registry.ts';
import { listErrorCodes } from '../../api/http/openapi/openapi.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

describe('error codes:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  for (const [code, { status, title, help }] of Object.entries(errorCodes)) {
    it(`getErrorPage describes ${code} as HTML and as JSON`, async () => {
      const client = parley.client();
      const page = await client.fetch(`/errors/${code}`, { headers: { accept: 'text/html' } });
      const html = await page.text();
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      for (const text of [code, title, help]) assert.ok(html.includes(escapeHtml(text)), text);
      const json = await client.get(`/errors/${code}`, { accept: 'application/json' });
      assert.equal(json.status, 200);
      assert.deepEqual(json.body, { code, status, title, help });
    });
  }

  it('getErrorPage returns 404 for an unknown code', async () => {
    for (const code of ['unknown', 'toString', '__proto__', '%00']) {
      const { problem } = await parley.client().get(`/errors/${code}`);
      assert.match(problem.error.code, /^(not_found|validation_error)$/);
    }
  });

  it('getErrorPage accepts a trailing slash', async () => {
    for (const path of ['/errors', '/errors/not_found', '/docs', '/demo']) {
      const { status, headers } = await parley.client().fetch(`${path}/`, { redirect: 'manual' });
      assert.deepEqual([status, headers.get('location')], [302, path]);
    }
    assert.equal((await parley.client().fetch('//example.com/', { redirect: 'manual' })).status, 404);
  });

  it('each code that an operation documents has the status of the table', () => {
    for (const operation of operations) {
      for (const code of listErrorCodes(operation)) assert.ok(code in errorCodes, `${operation.id}: ${code}`);
    }
  });
});
