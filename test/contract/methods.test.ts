import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { formatOutcome } from '../support/outcome.ts';
import { selectSample } from '../support/select-sample.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const paths = [...new Set(selectSample(operations).map(({ path }) => path))];

describe('methods of the paths:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const send = (path: string, method: string, headers = {}) =>
    parley.client().fetch(
      path.replaceAll(/\{\w+\}/g, () => newId()),
      { method, headers },
    );

  for (const path of paths) {
    const declared = new Set<string>(
      operations.filter((each) => each.path === path).map(({ method }) => method),
    );
    const known = [...declared, 'OPTIONS', ...(declared.has('GET') ? ['HEAD'] : [])].sort();

    it(`${path} returns 405 to methods it does not declare`, async () => {
      for (const method of methods.filter((each) => !declared.has(each))) {
        const response = await send(path, method);
        const outcome = formatOutcome({ status: response.status, body: await response.json() });
        assert.equal(`${method} ${outcome}`, `${method} 405 method_not_allowed`);
        assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), known);
        assert.ok(response.headers.get('ratelimit-limit'));
      }
    });

    it(`${path} lists its methods in response to OPTIONS`, async () => {
      const response = await send(path, 'OPTIONS', { origin: 'https://shop.example.com' });
      assert.equal(response.status, 204);
      assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), known);
      const isCors = operations.some((each) => each.path === path && each.cors);
      assert.equal(response.headers.get('access-control-allow-origin'), isCors ? '*' : null);
    });

    if (declared.has('GET')) {
      it(`${path} responds to HEAD as to GET, but without a body`, async () => {
        const [head, get] = await Promise.all([send(path, 'HEAD'), send(path, 'GET')]);
        assert.equal(await head.text(), '');
        await get.text();
        assert.equal(head.status, get.status);
        assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
      });
    }
  }

  it('GET / redirects to the console', async () => {
    const response = await fetch(`${parley.baseUrl}/`, { redirect: 'manual' });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/console');
  });

  it('every method returns 404 for an unknown path', async () => {
    for (const method of [...methods, 'OPTIONS', 'HEAD']) {
      for (const path of ['/api', '/api/bots/', '/API/bots', '/api/nothing', '/api/%zz', '//', '/%00']) {
        const response = await send(path, method);
        const text = await response.text();
        assert.equal(`${method} ${path} ${response.status}`, `${method} ${path} 404`);
        if (method !== 'HEAD') assert.equal(JSON.parse(text).error.code, 'not_found');
      }
    }
  });
});
