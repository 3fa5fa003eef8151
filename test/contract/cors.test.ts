import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { responseTo, buildResources, callerOf, pathOf, type Resources } from '../support/operation-calls.ts';
import { sharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { oneOfEachKind } from '../support/one-of-each-kind.ts';

const origin = 'https://shop.example.com';

/** What pages read of a response, beyond its body. */
const READABLE = [
  'Idempotent-Replay',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-API-Version',
  'X-Request-ID',
];

const listed = (headers: Headers, name: string) => (headers.get(name) ?? '').split(', ');
const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-'));

describe('calls from pages of other origins', () => {
  let parley: SharedParley;
  let resources: Resources;
  before(async () => {
    parley = await sharedParley();
    resources = await buildResources(parley);
  });

  for (const operation of oneOfEachKind(operations)) {
    const { id, method, cors, success } = operation;
    const preflight = async () => {
      const { status, headers } = await parley.client().fetch(pathOf(operation, resources.ids), {
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
      it(`may not be to ${id}`, async () => {
        assert.deepEqual(corsHeaders(await preflight()), []);
        const refused = await responseTo(operation, parley.client(), {}, { headers: { origin } });
        assert.deepEqual(corsHeaders(refused.headers), []);
      });
      continue;
    }

    it(`may be to ${id}, whose responses they can read`, async () => {
      const allowed = await preflight();
      assert.equal(allowed.get('access-control-allow-origin'), '*');
      assert.ok(listed(allowed, 'access-control-allow-methods').includes(method));
      for (const name of [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'Last-Event-ID',
        'X-API-Version',
      ])
        assert.ok(listed(allowed, 'access-control-allow-headers').includes(name), name);

      const own = await buildResources(parley, operation);
      const caller = callerOf(operation, own, parley);
      const responses = [
        await responseTo(operation, caller, own.ids, { headers: { origin } }),
        await responseTo(operation, parley.client(), {}, { headers: { origin } }),
        await responseTo(operation, caller, own.ids, { headers: { origin, 'x-api-version': 'none' } }),
      ];
      assert.equal(responses[0]!.status, success.status);
      for (const { headers } of responses) {
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('access-control-allow-credentials'), null);
        for (const name of READABLE)
          assert.ok(listed(headers, 'access-control-expose-headers').includes(name), name);
      }
    });
  }

  it('may have headers that the page adds to all its calls', async () => {
    const { bot } = await buildActiveBot(parley);
    const allowedOf = async (requested: string) => {
      const { headers } = await parley.client().fetch(`/api/public/bots/${bot.public_key}/config`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': requested,
        },
      });
      assert.match(headers.get('vary') ?? '', /Access-Control-Request-Headers/);
      return listed(headers, 'access-control-allow-headers').slice(5);
    };
    assert.deepEqual(await allowedOf('authorization,traceparent, x-custom'), ['traceparent', 'x-custom']);
    assert.deepEqual(await allowedOf(`a b,x:y,,"q",${'x'.repeat(101)}`), []);
    const many = Array.from({ length: 60 }, (_, index) => `x-${index}`);
    assert.deepEqual(await allowedOf(many.join()), many.slice(0, 50));
  });

  it('are the widget’s alone', () => {
    const others = operations.filter(({ cors, tag }) => cors && tag !== 'widget');
    assert.deepEqual(
      others.map(({ id }) => id),
      ['resolveWidgetDirectory', 'createWidgetBooking', 'listWidgetSlots'],
    );
    assert.ok(operations.filter(({ tag }) => tag === 'widget').every(({ cors }) => cors));
  });
});
