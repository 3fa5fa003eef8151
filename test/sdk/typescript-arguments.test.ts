import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import * as operations from '../../sdk/typescript/src/generated/operations.ts';
import { Parley } from '../../sdk/typescript/src/index.ts';

const requests: string[] = [];
const fetch = (url: string) => {
  requests.push(url);
  return Promise.resolve(Response.json({ id: 'b1', status: 'pending' }));
};
const client = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', visitorToken: 'token', fetch });
const late = () => Promise.resolve('late');
/** Resources of the TypeScript SDK without types, as JavaScript sees them. */
const { bots, conversations, knowledge, widget, billing } = client as unknown as Record<
  string,
  Record<string, (...args: unknown[]) => Promise<unknown>>
>;

type Mistake = [what: string, call: () => unknown, message: string, argument?: string];

const promises: Mistake[] = [
  [
    'id',
    () => bots!['get']!(late()),
    'bot_id of getBot is a promise, so no request was sent. Await it.',
    'bot_id',
  ],
  [
    'body',
    () => bots!['update']!('b1', late()),
    'The body of updateBot is a promise, so no request was sent. Await it.',
    'body',
  ],
  [
    'field of a body',
    () => bots!['create']!({ name: late() }),
    'name of createBot is a promise, so no request was sent. Await it.',
    'name',
  ],
  [
    'item of a list',
    () => bots!['update']!('b1', { allowed_domains: [late()] }),
    'An item in the body of updateBot is a promise, so no request was sent. Await it.',
    '0',
  ],
  [
    'header',
    () => bots!['get']!('b1', { headers: { 'x-trace': late() } }),
    'x-trace of getBot is a promise, so no request was sent. Await it.',
    'x-trace',
  ],
  [
    'raw body',
    () => billing!['receiveEvent']!(late()),
    'The body of receiveBillingEvent is a promise, so no request was sent. Await it.',
    'body',
  ],
  [
    'query',
    () => bots!['list']!(late()),
    'The query of listBots is a promise, so no request was sent. Await it.',
    'query',
  ],
  [
    'query parameter',
    () => bots!['list']!({ status: late() }),
    'status of listBots is a promise, so no request was sent. Await it.',
    'status',
  ],
  [
    'ETag',
    () => bots!['update']!('b1', {}, { ifMatch: late() }),
    'ifMatch of updateBot is a promise. Await it.',
    'ifMatch',
  ],
  [
    'option of the client',
    () => new Parley({ apiKey: late() } as object),
    'apiKey of new Parley() is a promise. Await it.',
    'apiKey',
  ],
  ['file', () => knowledge!['upload']!('b1', late()), 'The file is a promise. Await it.'],
  [
    'name of a file',
    () => knowledge!['upload']!('b1', { name: late(), content: 'a' }),
    'The name of the file is a promise. Await it.',
  ],
  [
    'content of a file',
    () => knowledge!['upload']!('b1', { name: 'b.md', content: late() }),
    'The content of b.md is a promise. Await it, as in content: await readFile(path).',
  ],
  [
    'field of a file',
    () => knowledge!['upload']!('b1', { name: 'b.md', content: 'a' }, { title: late() }),
    'title of uploadDocument is a promise, so no request was sent. Await it.',
    'title',
  ],
];

const object = 'must be an object, but is a string, so no request was sent.';
const texts: Mistake[] = [
  [
    'the body of a stream',
    () => widget!['streamMessage']!('s1', 'x'),
    'The body of streamWidgetMessage is a string, so no request was sent. Pass an object with its fields.',
    'body',
  ],
  [
    'a body',
    () => bots!['create']!('X'),
    'The body of createBot is a string, so no request was sent. Pass an object with its fields.',
    'body',
  ],
  ['a query', () => bots!['list']!('active'), `The query of listBots ${object}`, 'query'],
  [
    'the fields of a file',
    () => knowledge!['upload']!('b1', { name: 'b.md', content: 'a' }, 'Prices'),
    `The fields of uploadDocument ${object}`,
    'fields',
  ],
];

const options: Mistake[] = [
  [
    'idempotency_key',
    () => bots!['create']!({ name: 'Idem' }, { idempotency_key: 'k-77' }),
    'createBot has no option idempotency_key. Did you mean idempotencyKey?',
    'idempotency_key',
  ],
  [
    'if_match',
    () => bots!['update']!('b1', {}, { if_match: '"old"' }),
    'updateBot has no option if_match. Did you mean ifMatch?',
    'if_match',
  ],
  [
    'timeout',
    () => bots!['get']!('b1', { timeout: 5 }),
    'getBot has no option timeout. Did you mean timeoutMs?',
    'timeout',
  ],
  [
    'ifMatch of an operation without it',
    () => conversations!['get']!('c1', { ifMatch: '"1"' }),
    'getConversation has no option ifMatch.',
    'ifMatch',
  ],
  [
    'timeout of a stream',
    () => widget!['streamMessage']!('s1', { content: 'x' }, { timeout: 5 }),
    'streamWidgetMessage has no option timeout. Did you mean timeoutMs?',
    'timeout',
  ],
  [
    'timeout of waitForDocument',
    () => client.waitForDocument('b1', 'd1', { timeout: 5 } as object),
    'waitForDocument has no option timeout. Did you mean timeoutMs?',
    'timeout',
  ],
  [
    'number in place of options',
    () => bots!['get']!('b1', 5000),
    'The options of getBot must be an object with names, such as { signal }.',
    'options',
  ],
  [
    'signal in place of options',
    () => bots!['get']!('b1', new AbortController().signal),
    'The options of getBot must be an object with names, such as { signal }.',
    'options',
  ],
];

const duration = 'of getBot must be a number above 0, but is';
const values: Mistake[] = [
  [
    "timeoutMs '5s'",
    () => bots!['get']!('b1', { timeoutMs: '5s' }),
    `timeoutMs ${duration} "5s".`,
    'timeoutMs',
  ],
  ['timeoutMs -1', () => bots!['get']!('b1', { timeoutMs: -1 }), `timeoutMs ${duration} -1.`, 'timeoutMs'],
  ['timeoutMs NaN', () => bots!['get']!('b1', { timeoutMs: NaN }), `timeoutMs ${duration} NaN.`, 'timeoutMs'],
  [
    "maxRetries 'none'",
    () => new Parley({ maxRetries: 'none' } as object),
    'maxRetries of new Parley() must be a whole number of at least 0, but is "none".',
    'maxRetries',
  ],
  [
    'maxRetries 1.5',
    () => bots!['get']!('b1', { maxRetries: 1.5 }),
    'maxRetries of getBot must be a whole number of at least 0, but is 1.5.',
    'maxRetries',
  ],
  [
    'signal 5',
    () => bots!['get']!('b1', { signal: 5 }),
    'signal of getBot must be an AbortSignal, but is 5.',
    'signal',
  ],
  [
    'apiKey of another type',
    () => new Parley({ apiKey: ['secret'] } as object),
    'apiKey of new Parley() must be a string, but is an array.',
    'apiKey',
  ],
  [
    'fetch 5',
    () => new Parley({ fetch: 5 } as object),
    'fetch of new Parley() must be a function, but is 5.',
    'fetch',
  ],
  [
    'documentId undefined of waitForDocument',
    () => client.waitForDocument('b1', undefined as unknown as string),
    'documentId of waitForDocument is undefined. Pass botId, then documentId.',
    'documentId',
  ],
  [
    'botId as an object of waitForDocument',
    () => client.waitForDocument({ id: 'b1' } as unknown as string, 'd1'),
    'botId of waitForDocument is an object. Pass botId, then documentId.',
    'botId',
  ],
  [
    "timeoutMs '5s' of waitForDocument",
    () => client.waitForDocument('b1', 'd1', { timeoutMs: '5s' } as object),
    'timeoutMs of waitForDocument must be a number of at least 0, but is "5s".',
    'timeoutMs',
  ],
];

const circular: Record<string, unknown> = { name: 'A' };
circular['self'] = circular;
const unsendable: Mistake[] = (
  [
    [{ name: 'A', max_tokens: 500n }, 'max_tokens', 'a bigint, not a number'],
    [{ name: 'A', temperature: NaN }, 'temperature', 'NaN, not a finite number'],
    [{ name: () => 'A' }, 'name', 'a function'],
    [{ name: Buffer.from('A') }, 'name', 'bytes, not a string'],
    [{ name: new Date(NaN) }, 'name', 'an invalid date'],
    [{ widget_theme: new Map() }, 'widget_theme', 'a Map, not a plain object, list or string'],
    [circular, 'self', 'an object that contains itself'],
    [new FormData(), 'body', 'a FormData, not a plain object, list or string'],
  ] as const
).map(([body, argument, fault]) => [
  fault,
  () => bots!['create']!(body),
  `${argument === 'body' ? 'The body' : argument} of createBot is ${fault}, so no request was sent.`,
  argument,
]);

unsendable.push([
  'an invalid date in a query',
  () => conversations!['list']!({ from: new Date(NaN) }),
  'from of listConversations is an invalid date, so no request was sent.',
  'from',
]);

const latin = 'so no request was sent. Headers can only contain Latin-1 characters.';
const characters: Mistake[] = [
  [
    'idempotencyKey',
    () => bots!['create']!({ name: 'A' }, { idempotencyKey: 'order-€' }),
    `The header idempotency-key of createBot contains the character “€”, ${latin}`,
    'idempotency-key',
  ],
  [
    'header',
    () => bots!['get']!('b1', { headers: { 'x-trace': 'a\nb' } }),
    `The header x-trace of getBot contains the character U+000A, ${latin}`,
    'x-trace',
  ],
  [
    'key',
    () => new Parley({ apiKey: 'parley_live_\u200B0', fetch }).bots.get('b1'),
    'The key or token contains the character U+200B, which is not allowed in keys and tokens. Copy the whole key.',
    'apiKey',
  ],
];

const reserved = ['upload', '.', '..'].flatMap((id): Mistake[] =>
  (['put', 'getExternal', 'deleteExternal'] as const).map((method) => [
    `external_id ${JSON.stringify(id)} of ${method}`,
    () => knowledge![method]!('b1', id, method === 'put' ? {} : undefined),
    `external_id of ${{ put: 'putDocument', getExternal: 'getExternalDocument', deleteExternal: 'deleteExternalDocument' }[method]} is "${id}", so no request was sent. external_id must not be ".", ".." or "upload".`,
    'external_id',
  ]),
);

describe('arguments of the TypeScript SDK', () => {
  for (const [title, mistakes] of [
    ['a promise as', promises],
    ['text in place of', texts],
    ['the unknown option or options:', options],
    ['the value', values],
    ['a body with', unsendable],
    ['the reserved', reserved],
    ['a character in the', characters],
  ] as const)
    for (const [what, call, message, argument] of mistakes)
      it(`are refused before any request: ${title} ${what}`, async () => {
        requests.length = 0;
        // Await the call in an async function: some methods throw, and others return a promise that is
        // rejected.
        const error: unknown = await (async () => call())().catch((thrown: unknown) => thrown);
        assert.ok(error instanceof Error);
        const name = argument === undefined ? 'ParleyError' : 'InvalidArgumentError';
        assert.deepEqual([error.name, error.message], [name, message]);
        assert.equal((error as { argument?: string }).argument, argument);
        assert.deepEqual(requests, []);
      });

  for (const content of [['a'], new Date(0), new Map(), () => 'a', new SharedArrayBuffer(1)])
    it(`are refused before any request: content of the type ${Object.prototype.toString.call(content)}`, async () => {
      requests.length = 0;
      await assert.rejects(knowledge!['upload']!('b1', { name: 'a.md', content }), {
        name: 'ParleyError',
        message: 'The content of a.md must be a string, bytes, a Blob or a stream.',
      });
      assert.deepEqual(requests, []);
    });

  it('may be any external id but upload, whose path is that of another operation', () => {
    const paths = Object.values(operations).map(({ path }) => path);
    const prefixes = paths
      .filter((path) => path.endsWith('/{external_id}'))
      .map((path) => path.slice(0, -13));
    const beside = paths.filter((path) => prefixes.includes(path.replace(/[^/]+$/, '')));
    const names = beside.map((path) => path.replace(/^.*\//, '')).filter((name) => !name.startsWith('{'));
    assert.deepEqual([...new Set(names)], ['upload']);
  });

  it('may contain the same object twice in a body', async () => {
    const field = { key: 'name', label: 'Name' };
    requests.length = 0;
    await bots!['create']!({ name: 'A', lead_capture_config: { fields: [field, field] } });
    assert.equal(requests.length, 1);
  });

  it('may be null, undefined or Infinity where TypeScript or JavaScript allows it', async () => {
    // A timeout of null must not become one of 0 ms, which would abort this request.
    const fetchSlowly = async (_: string, init?: RequestInit) => {
      await setTimeout(50, undefined, { signal: init!.signal! });
      return Response.json({ id: 'b1' });
    };
    const slow = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch: fetchSlowly });
    const none = { signal: undefined, timeoutMs: null, maxRetries: null, ifMatch: null };
    assert.deepEqual(await slow.bots.update('b1', { name: 'North' }, none as object), { id: 'b1' });
    assert.deepEqual(await slow.bots.get('b1', { timeoutMs: Infinity, maxRetries: Infinity }), { id: 'b1' });
  });

  it('send a Date as ISO 8601, omit a cursor of null, and encode a list of tags as JSON', async () => {
    const sent: Request[] = [];
    const recordAndFetch = async (url: string, init?: RequestInit) => {
      sent.push(new Request(url, init));
      return Response.json({ items: [], next_cursor: null });
    };
    const recording = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch: recordAndFetch });
    await recording.conversations.list({ from: new Date(0), cursor: null });
    const file = { name: 'a.md', content: 'A' };
    await recording.knowledge.putFile('b1', file, { tags: ['a', 'b'] });
    assert.equal(new URL(sent[0]!.url).search, '?from=1970-01-01T00%3A00%3A00.000Z');
    assert.equal((await sent[1]!.formData()).get('tags'), '["a","b"]');
  });
});
