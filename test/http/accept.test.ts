import assert from 'node:assert/strict';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('the Accept header', () => {
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => {
    parley = await startSharedParley();
    org = await parley.buildOrg();
  });

  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8;q=0.5',
    'text/html, application/json;q=0.1',
    'text/*;q=0.5, */*;q=0.1',
    '',
  ]) {
    it(`selects JSON for ${accept || 'nothing'}`, async () => {
      const { status, headers } = await org.client.get('/api/bots', { accept });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    });
  }

  for (const accept of [
    'text/html',
    'application/json;q=0',
    '*/*;q=0',
    '*/*;q=0.1, application/json;q=0',
    'application/json;charset=latin1',
    'image/*',
    'nonsense',
  ]) {
    it(`is refused with a JSON problem for ${accept}`, async () => {
      const { status, headers, body } = await org.client.get('/api/bots', { accept });
      assert.equal(formatOutcome({ status, body }), '406 not_acceptable');
      assert.equal(headers.get('content-type'), 'application/problem+json');
    });
  }

  it('without the stream’s media type is refused; the error names that type and curl --json', async () => {
    const { problem } = await org.client.get('/api/inbox/stream', { accept: 'application/json' });
    assert.equal(
      problem.error.message,
      'The header Accept allows only application/json, but this operation returns text/event-stream. Omit the header; curl --json sets it.',
    );
  });

  it('of more than 1,000 characters is cut after the last complete member before that limit', async () => {
    const rest = ',a/b;c='.repeat(2000);
    const read = (accept: string) => org.client.get('/api/bots', { accept });
    assert.equal((await read(`application/json${rest}`)).status, 200);
    assert.equal((await read(`a/b${rest}, application/json`)).status, 406);
    assert.equal((await read('a'.repeat(14_000))).status, 200);
  });

  const chosen: [accept: string, type: string][] = [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/html;q=0.1, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.9, text/html', 'text/html; charset=utf-8'],
    ['text/html;q=0, */*', 'application/json; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
  ];
  for (const [accept, type] of chosen) {
    it(`selects ${type} for ${accept}`, async () => {
      const { status, headers } = await parley.client().get('/errors/not_found', { accept });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), type);
    });
  }
});
