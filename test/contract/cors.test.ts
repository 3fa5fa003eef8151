import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import {
  callOperation,
  buildResources,
  createCaller,
  buildOperationPath,
  type Resources,
} from '../support/operation-calls.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { selectSample } from '../support/select-sample.ts';

const origin = 'https://shop.example.com';

/** Response headers that web pages of other origins may read. */
const READABLE = [
  'Idempotent-Replay',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-API-Version',
  'X-Request-ID',
];

const listHeaderValues = (headers: Headers, name: string) => (headers.get(name) ?? '').split(', ');
const pickCorsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-'));

describe('calls from pages of other origins', () => {
  let parley: SharedParley;
  let resources: Resources;
  before(async () => {
    parley = await startSharedParley();
    resources = await buildResources(parley);
  });

  for (const operation of selectSample(operations)) {
    const { id, method, cors, success } = operation;
    const preflight = async () => {
      const { status, headers } = await parley.client().fetch(buildOperationPath(operation, resources.ids), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type',
        },
      });
      assert.equal(status, 204);
      return headers;
    };

    if (!cors) {
      it(`are refused by ${id}`, async () => {
        assert.deepEqual(pickCorsHeaders(await preflight()), []);
        const refused = await callOperation(operation, parley.client(), {}, { headers: { origin } });
        assert.deepEqual(pickCorsHeaders(refused.headers), []);
      });
      continue;
    }

    it(`are allowed by ${id}, with readable responses`, async () => {
      const allowed = await preflight();
      assert.equal(allowed.get('access-control-allow-origin'), '*');
      assert.ok(listHeaderValues(allowed, 'access-control-allow-methods').includes(method));
      for (const name of [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'Last-Event-ID',
        'X-API-Version',
      ])
        assert.ok(listHeaderValues(allowed, 'access-control-allow-headers').includes(name), name);

      const own = await buildResources(parley, operation);
      const caller = createCaller(operation, own, parley);
      const responses = [
        await callOperation(operation, caller, own.ids, { headers: { origin } }),
        await callOperation(operation, parley.client(), {}, { headers: { origin } }),
        await callOperation(operation, caller, own.ids, { headers: { origin, 'x-api-version': 'none' } }),
      ];
      assert.equal(responses[0]!.status, success.status);
      for (const { headers } of responses) {
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('access-control-allow-credentials'), null);
        for (const name of READABLE)
          assert.ok(listHeaderValues(headers, 'access-control-expose-headers').includes(name), name);
      }
    });
  }

  it('may have up to 50 valid headers that the page adds to all its calls', async () => {
    const { bot } = await buildActiveBot(parley);
    const preflightHeaders = async (requested: string) => {
      const { headers } = await parley.client().fetch(`/api/public/bots/${bot.public_key}/config`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': requested,
        },
      });
      assert.match(headers.get('vary') ?? '', /Access-Control-Request-Headers/);
      return listHeaderValues(headers, 'access-control-allow-headers').slice(5);
    };
    assert.deepEqual(await preflightHeaders('authorization,traceparent, x-custom'), [
      'traceparent',
      'x-custom',
    ]);
    assert.deepEqual(await preflightHeaders(`a b,x:y,,"q",${'x'.repeat(101)}`), []);
    const many = Array.from({ length: 60 }, (_, index) => `x-${index}`);
    assert.deepEqual(await preflightHeaders(many.join()), many.slice(0, 50));
  });

  it('are allowed only for operations of the widget', () => {
    const others = operations.filter(({ cors, tag }) => cors && tag !== 'widget');
    assert.deepEqual(
      others.map(({ id }) => id),
      ['resolveWidgetDirectory', 'createWidgetBooking', 'listWidgetSlots'],
    );
    assert.ok(operations.filter(({ tag }) => tag === 'widget').every(({ cors }) => cors));
  });
});
