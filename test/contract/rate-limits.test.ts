import assert from 'node:assert/strict';
import { listErrorCodes } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';
import { callOperation, buildResources, createCaller, type Resources } from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { readStoredState } from '../support/snapshot.ts';

describe('the rate limit of operations', () => {
  let parley: TestParley;
  let strict: TestProcess;
  let resources: Resources;
  let untouched: object;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    strict = await parley.startAnother({ rateLimitPerMinute: 1, publicRateLimitPerMinute: 1 });
    resources = await buildResources(parley);
    untouched = await readStoredState(parley);
  });
  after(() => parley.stop());

  for (const operation of operations) {
    const isLimited = listErrorCodes(operation).includes('rate_limited');
    it(`is ${isLimited ? 'enforced with 429 and Retry-After' : 'not enforced'} for ${operation.id}`, async () => {
      const caller = createCaller(operation, resources, strict);
      const { status, body, headers } = await callOperation(operation, caller, resources.ids);
      if (!isLimited) return assert.equal(status, operation.success.status);
      assert.equal(formatOutcome({ status, body }), '429 rate_limited');
      assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
      assert.equal(headers.get('ratelimit-limit'), '1');
      assert.equal(headers.get('ratelimit-remaining'), '0');
    });
  }

  it('is enforced before a request has an effect', async () => {
    assert.deepEqual(await readStoredState(parley), untouched);
  });
});
