import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { WebhookVerificationError, verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { eventCatalog } from '../../services/webhooks/event-catalog.ts';
import { generateEndpointSecret } from '../../services/webhooks/endpoint-secret.ts';
import { signDelivery } from '../../services/webhooks/signature.ts';

const SECRET = 'whsec_test';
const now = () => Math.floor(Date.now() / 1000);

describe('verifyWebhook of the TypeScript SDK', () => {
  const signBody = (body: string, time = now(), secret = SECRET) => ({
    'x-webhook-signature': signDelivery(secret, time, body),
  });
  const assertRefused = (...args: Parameters<typeof verifyWebhook>) =>
    assert.throws(() => verifyWebhook(...args), WebhookVerificationError);

  for (const { name, example } of eventCatalog)
    it(`returns the event ${name}`, () => {
      const body = JSON.stringify(example);
      assert.deepEqual(verifyWebhook(body, signBody(body), SECRET), example);
    });

  it('accepts an unknown event', () => {
    const body = '{"event":"bot.bored","data":{}}';
    assert.deepEqual(verifyWebhook(body, signBody(body), SECRET), { event: 'bot.bored', data: {} });
  });

  it('accepts bodies and headers in the form of any kind of server', () => {
    const body = '{"event":"lead.captured","data":{"id":"ü"}}';
    const bytes = new TextEncoder().encode(body);
    const headers = signBody(body);
    const value = headers['x-webhook-signature'];
    for (const raw of [body, bytes, Buffer.from(body), bytes.slice().buffer])
      for (const given of [headers, new Headers(headers), { 'X-Webhook-Signature': [value] }])
        assert.equal(verifyWebhook(raw, given, SECRET).event, 'lead.captured');
  });

  it('accepts a signature made with any of the secrets, and any of several signatures', () => {
    const body = '{"event":"lead.captured","data":{}}';
    verifyWebhook(body, signBody(body), ['whsec_new', SECRET]);
    const [time = '', fresh = ''] = signBody(body)['x-webhook-signature'].split(',');
    verifyWebhook(body, { 'x-webhook-signature': `${time},v1=${'00'.repeat(32)},${fresh},v0=1` }, SECRET);
  });

  it('accepts a secret with a line break or blanks around it, as read from a file', () => {
    const body = '{"event":"lead.captured","data":{}}';
    for (const secret of [`${SECRET}\n`, ` ${SECRET}\r\n`, ['whsec_new\n', `${SECRET}\n`]])
      assert.equal(verifyWebhook(body, signBody(body), secret).event, 'lead.captured');
    assert.throws(
      () => verifyWebhook(body, signBody(body), '\n'),
      /^TypeError: secrets is an empty string\. /,
    );
  });

  const issued = generateEndpointSecret();
  const secretFaults: [wrong: string, secrets: string | string[], advice: string][] = [
    ['a wrong secret', issued, 'Check the secret'],
    ['quotes around the secret', '"whsec_test"', 'Check the secret, which does not begin with whsec_'],
    [
      'a truncated secret',
      issued.slice(0, -1),
      'Check the secret, which has 49 characters instead of 50 (is it cut off?)',
    ],
    [
      'two secrets in one text',
      `${issued},${issued}`,
      'Check the secret, which has 101 characters instead of 50',
    ],
    [
      'a second secret that is truncated',
      [issued, 'whsec_x'],
      'Check secrets[1], which has 7 characters instead of 50 (is it cut off?)',
    ],
    ['an identity secret', 'idsec_x', 'Check the secret, which is the identity secret of a bot'],
    ['an API key', 'parley_live_x', 'Check the secret, which is an API key'],
    ['a public key', 'pk_x', 'Check the secret, which is the public key of a bot'],
  ];
  for (const [wrong, secrets, advice] of secretFaults)
    it(`names ${wrong} if the signature does not match`, () =>
      assert.throws(
        () => verifyWebhook('{"event":"lead.captured"}', signBody('{}'), secrets),
        new WebhookVerificationError(
          `The signature does not match this body with any of the secrets. ${advice}, and pass the body as received.`,
        ),
      ));

  const changedBodies: [how: string, change: (body: string) => string, advice: string][] = [
    ['was encoded in base64', (body) => Buffer.from(body).toString('base64'), 'decode the body from base64'],
    [
      'was formatted',
      (body) => JSON.stringify(JSON.parse(body), null, 2),
      'pass the body as received: this one was serialized again',
    ],
    [
      'was encoded twice',
      (body) => JSON.stringify(body),
      'pass the body as received: this one was serialized again',
    ],
    ['has another text', (body) => body.replace('lead', 'load'), 'pass the body as received'],
  ];
  for (const [how, change, advice] of changedBodies)
    it(`says how to mend a body that ${how}`, () => {
      const body = '{"event":"lead.captured","data":{}}';
      assert.throws(
        () => verifyWebhook(change(body), signBody(body, now(), issued), issued),
        new WebhookVerificationError(
          `The signature does not match this body with any of the secrets. Check the secret, and ${advice}.`,
        ),
      );
    });

  it('throws for a forged request even in code that does not await it', () => {
    const receive = () => {
      try {
        verifyWebhook('{}', signBody('{}', now(), 'whsec_forged'), issued);
        return 204;
      } catch {
        return 400;
      }
    };
    assert.equal(receive(), 400);
  });

  it('refuses changed bodies, wrong secrets, and times in the past and future', () => {
    const body = '{"event":"lead.captured","data":{}}';
    assertRefused(`${body} `, signBody(body), SECRET);
    assertRefused(body, signBody(body), 'whsec_other');
    assertRefused(body, signBody(body, now() - 310), SECRET);
    assertRefused(body, signBody(body, now() + 310), SECRET);
    verifyWebhook(body, signBody(body, now() - 290), SECRET);
    verifyWebhook(body, signBody(body, now() - 900), SECRET, { toleranceSeconds: 1000 });
    assertRefused(body, signBody(body, now() - 20), SECRET, { toleranceSeconds: 10 });
    const moved = signBody(body)['x-webhook-signature'].replace(/^t=\d+/, `t=${now() + 1}`);
    assertRefused(body, { 'x-webhook-signature': moved }, SECRET);
  });

  const moment = 1_767_225_600;
  const times: [difference: number, message: string][] = [
    [-301, 'The timestamp of the signature is 301 s old; at most 300 s are allowed. Check the clock.'],
    [
      301,
      'The timestamp of the signature is 301 s in the future; at most 300 s are allowed. Check the clock.',
    ],
    [
      moment * 999,
      'The timestamp of the signature is in milliseconds. In the header x-webhook-signature, t is in seconds.',
    ],
  ];
  for (const [difference, message] of times)
    it(`refuses a time that differs by ${difference} s, and says what is wrong with it`, () => {
      mock.timers.enable({ apis: ['Date'], now: moment * 1000 });
      try {
        assert.throws(
          () => verifyWebhook('{}', signBody('{}', moment + difference), SECRET),
          new WebhookVerificationError(message),
        );
      } finally {
        mock.timers.reset();
      }
    });

  for (const header of [
    '',
    't=',
    'v1=00',
    't=1',
    `t=x,v1=${'00'.repeat(32)}`,
    `t=1,t=2,v1=00`,
    't=NaN,v1=00',
    'v1',
  ])
    it(`refuses the header “${header}”`, () =>
      assertRefused('{}', { 'x-webhook-signature': header }, SECRET));

  it('shows the required format of the header if the header has a different format', () =>
    assert.throws(
      () => verifyWebhook('{}', { 'x-webhook-signature': 'sha256=abcd' }, SECRET),
      new WebhookVerificationError(
        'The header x-webhook-signature is not valid. Its format must be t=<seconds>,v1=<hex>.',
      ),
    ));

  const wrongCalls: [wrong: string, args: unknown[], message: string][] = [
    [
      'a parsed body',
      [{ event: 'lead.captured' }, {}, SECRET],
      'rawBody is an object. Pass the body as received, before any JSON parser: a string or bytes.',
    ],
    [
      'no body',
      [undefined, {}, SECRET],
      'rawBody is undefined. Pass the body as received, before any JSON parser: a string or bytes.',
    ],
    ['the promise of a body', [Promise.resolve('{}'), {}, SECRET], 'rawBody is a promise. Await it.'],
    ['the promise of headers', ['{}', Promise.resolve({}), SECRET], 'headers is a promise. Await it.'],
    ['the promise of a secret', ['{}', {}, Promise.resolve(SECRET)], 'secrets is a promise. Await it.'],
    [
      'the promise of a second secret',
      ['{}', {}, [SECRET, Promise.resolve(SECRET)]],
      'secrets[1] is a promise. Await it.',
    ],
    [
      'a secret as bytes',
      ['{}', {}, Buffer.from(SECRET)],
      'secrets is bytes. Pass a string: the whole text that begins with whsec_.',
    ],
    ['no headers', ['{}', undefined, SECRET], 'headers is undefined. Pass the headers of the request.'],
    [
      'a header in place of all',
      ['{}', 't=1,v1=00', SECRET],
      'headers is a string. Pass the headers of the request.',
    ],
    [
      'raw headers in a list',
      ['{}', ['x-webhook-signature', 't=1,v1=00'], SECRET],
      'headers is an array. Pass the headers of the request.',
    ],
    [
      'no secret',
      ['{}', {}, undefined],
      'secrets is undefined. Pass the secret of the endpoint. Is its variable set?',
    ],
    [
      'an empty secret',
      ['{}', {}, ''],
      'secrets is an empty string. Pass the secret of the endpoint. Is its variable set?',
    ],
    [
      'an empty list of secrets',
      ['{}', {}, []],
      'secrets is an empty list. Pass the secret of the endpoint.',
    ],
    [
      'a list without the second secret',
      ['{}', {}, [SECRET, undefined]],
      'secrets[1] is undefined. Pass the secret of the endpoint. Is its variable set?',
    ],
  ];
  for (const [wrong, args, message] of wrongCalls)
    it(`throws a TypeError for ${wrong}`, () =>
      assert.throws(() => verifyWebhook(...(args as Parameters<typeof verifyWebhook>)), {
        name: 'TypeError',
        message,
      }));

  it('reads bytes in any view, and headers of other libraries', () => {
    const body = '{"event":"lead.captured","data":{}}    ';
    const bytes = Buffer.from(`..${body}`).subarray(2);
    const value = signBody(body)['x-webhook-signature'];
    const headers = { get: (name: string) => (name === 'x-webhook-signature' ? value : null) };
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const call = [view, headers, SECRET] as unknown as Parameters<typeof verifyWebhook>;
    assert.equal(verifyWebhook(...call).event, 'lead.captured');
  });

  it('says that a body is empty because a framework has already read it', () => {
    for (const body of ['', new Uint8Array()])
      assert.throws(
        () => verifyWebhook(body, signBody('{"event":"lead.captured","data":{}}'), SECRET),
        new WebhookVerificationError(
          'The body is empty. A framework has probably read it already: pass its raw bytes.',
        ),
      );
  });

  for (const [options, message] of [
    [{ tolerance: 600 }, 'verifyWebhook has no option tolerance. Did you mean toleranceSeconds?'],
    [
      { toleranceSeconds: '5m' },
      'toleranceSeconds of verifyWebhook must be a number of at least 0, but is "5m".',
    ],
    [600, 'The options of verifyWebhook must be an object with names, such as { toleranceSeconds }.'],
  ] as const)
    it(`refuses the options ${JSON.stringify(options)}`, () =>
      assert.throws(() => verifyWebhook('{}', signBody('{}'), SECRET, options as object), {
        name: 'InvalidArgumentError',
        message,
      }));

  it('refuses a request without the header, and a signed body that is not JSON', () => {
    assertRefused('{}', {}, SECRET);
    assertRefused('no', signBody('no'), SECRET);
  });
});
