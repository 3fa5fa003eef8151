import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import {
  ApiError,
  ConnectionError,
  DocumentFailedError,
  Parley,
  ParleyError,
  StreamInterruptedError,
  TimeoutError,
} from '../../sdk/typescript/src/index.ts';
import { pauseMs } from '../../sdk/typescript/src/retries.ts';
import { FaultyProxy } from '../support/faulty-proxy.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildDocument } from '../support/knowledge.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildBot } from '../support/build-bot.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';

describe('the TypeScript SDK', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildClient() {
    const { bot, key, orgId } = await buildBot(parley);
    return { bot, orgId, client: new Parley({ baseUrl: `${parley.baseUrl}/`, apiKey: key }) };
  }

  it('returns the data, or the data with the response', async () => {
    const { bot, client } = await buildClient();
    const { data, response, requestId } = await client.bots.get(bot.id).withResponse();
    assert.equal(data.id, bot.id);
    assert.equal(response.status, 200);
    assert.equal(requestId, response.headers.get('x-request-id'));
    const [first, second] = await Promise.all([client.bots.get(bot.id), client.bots.get(bot.id)]);
    assert.deepEqual(first, second);
  });

  it('sends the option ifMatch, and rejects with PreconditionFailedError if that ETag is outdated', async () => {
    const { bot, client } = await buildClient();
    const { response } = await client.bots.get(bot.id).withResponse();
    const options = { ifMatch: response.headers.get('etag')!, timeoutMs: 20_000 };
    assert.equal((await client.bots.update(bot.id, { name: 'North' }, options)).name, 'North');
    await assert.rejects(client.bots.update(bot.id, { name: 'South' }, options), {
      name: 'PreconditionFailedError',
      status: 412,
      code: 'precondition_failed',
    });
  });

  it('rejects with NotFoundError for an unknown id, with and without withResponse()', async () => {
    const { client } = await buildClient();
    const unknown = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
    await assert.rejects(client.bots.get(unknown).withResponse(), { name: 'NotFoundError', status: 404 });
    const error = await client.bots.get(unknown).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ApiError);
    assert.match(error.requestId ?? '', /^req_/);
    assert.equal(error.requestId, error.headers.get('x-request-id'));
  });

  it('accepts an infinite timeout, and a timeout of weeks', async () => {
    const { bot, client } = await buildClient();
    for (const timeoutMs of [Infinity, 2 ** 31])
      assert.equal((await client.bots.get(bot.id, { timeoutMs, maxRetries: 0 })).id, bot.id);
  });

  it('rejects an opaque redirect of a browser, with an error that names baseUrl', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const fetch = () => Promise.resolve(hidden);
    const client = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch });
    await assert.rejects(Promise.resolve(client.contacts.export()), {
      name: 'ApiError',
      message: 'The server responded with a redirect. Check that baseUrl is the URL of Parley.',
    });
  });

  it('iterates over all pages, and ends after the last page', async () => {
    const { client } = await buildClient();
    await client.bots.create({ name: 'Second' });
    const page = await client.bots.list({ page_size: 1, page: 1 });
    assert.deepEqual([page.total, page.items.map(({ name }) => name)], [2, ['Second']]);
    const next = await page.nextPage();
    assert.deepEqual(
      next?.items.map(({ name }) => name),
      ['Help desk'],
    );
    assert.equal(await next?.nextPage(), null);
  });

  it('continues after a page of long messages that the server has cut short', async () => {
    const link = '</docs>; rel="deprecation", </api/conversations/c1/messages?after=1>; rel="next"';
    const urls: string[] = [];
    const replies = [Response.json([{ id: '1' }], { headers: { link } }), Response.json([{ id: '2' }])];
    const fetch = (url: unknown) => {
      urls.push(String(url));
      return Promise.resolve(replies.shift()!);
    };
    const client = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch });
    const ids: string[] = [];
    for await (const { id } of client.conversations.listMessages('c1')) ids.push(id);
    assert.deepEqual(ids, ['1', '2']);
    assert.deepEqual(urls, [
      'http://parley.test/api/conversations/c1/messages',
      'http://parley.test/api/conversations/c1/messages?after=1',
    ]);
  });

  const page = { items: [{ id: '1' }], total: 3, page: 1, page_size: 1, has_more: true, next_cursor: 'c2' };
  const listBots = (client: Parley) => client.bots.list();
  const listVersions = (client: Parley) => client.versions.list('b1', { limit: 1 });
  const endless: [
    what: string,
    list: (client: Parley) => AsyncIterable<unknown>,
    pages: unknown[],
    requestCount: number,
  ][] = [
    ['repeats a cursor', listBots, [page, page], 2],
    ['repeats an earlier cursor', listBots, [page, { ...page, next_cursor: 'c3' }, page], 3],
    ['announces a page after an empty one', listBots, [{ ...page, items: [] }], 1],
    ['repeats the last item', listVersions, [[{ version: 4 }], [{ version: 4 }]], 2],
  ];
  for (const [what, list, pages, requestCount] of endless)
    itInSoak(`stops a list that ${what}`, async () => {
      let count = 0;
      const fetch = () => Promise.resolve(Response.json(pages[count++]));
      const client = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch, maxRetries: 0 });
      const readAll = async () => {
        for await (const _ of list(client)) continue;
      };
      await assert.rejects(readAll, {
        name: 'ParleyError',
        message: 'The list does not end: the server repeats a page, or returns empty ones.',
      });
      assert.equal(count, requestCount);
    });

  itInSoak('reads one page of a list that is read backwards', async () => {
    const { session, visitor } = await buildSession(parley);
    const path = `/api/public/sessions/${session.session_id}/messages` as const;
    for (const content of ['One', 'Two']) assert.equal((await visitor.post(path, { content })).status, 201);
    const client = new Parley({ baseUrl: parley.baseUrl, visitorToken: session.visitor_token });
    const taken: string[] = [];
    for await (const { content } of client.widget.listMessages(session.session_id, {
      before: 'end',
      limit: 2,
    }))
      taken.push(content);
    assert.equal(taken.length, 2);
    assert.equal(taken[0], 'Two');
  });

  it('sends the body in the state that it had when the method was called', async () => {
    const { client } = await buildClient();
    const body = { name: 'Before' };
    const created = client.bots.create(body);
    body.name = 'After';
    assert.equal((await created).name, 'Before');
  });

  it('ends a call, a pause and a stream with the signal’s reason', async () => {
    const { bot, client } = await buildClient();
    const gone = AbortSignal.abort(new Error('gone'));
    await assert.rejects(Promise.resolve(client.bots.get(bot.id, { signal: gone })), { message: 'gone' });
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error('left')), 300);
    await assert.rejects(
      async () => {
        for await (const _ of client.inbox.stream({ signal: leaving.signal })) continue;
      },
      { message: 'left' },
    );
    const proxy = await FaultyProxy.start(parley.baseUrl, [
      { kind: 'answer', status: 429, headers: { 'retry-after': '30' } },
      { kind: 'hang' },
    ]);
    try {
      for (const what of ['pausing', 'waiting']) {
        const controller = new AbortController();
        const call = client
          .withOptions({ baseUrl: proxy.url })
          .bots.get(bot.id, { signal: controller.signal });
        setTimeout(() => controller.abort(new Error(what)), 300);
        await assert.rejects(Promise.resolve(call), { message: what });
      }
    } finally {
      await proxy.stop();
    }
  });

  it('sends bytes, blobs, files and streams with their names', async () => {
    const { bot, client } = await buildClient();
    const text = new TextEncoder().encode('# Prices');
    const stream = () => Readable.toWeb(Readable.from([text])) as ReadableStream<Uint8Array>;
    for (const content of [text, new Blob([text]), '# Prices', stream(), Readable.from([text])]) {
      const file = { name: 'prices "new".md', content, type: 'text/markdown' };
      const document = await client.knowledge.upload(bot.id, file, { title: 'Prices' });
      assert.deepEqual(
        [document.mime_type, document.title, document.size_bytes],
        ['text/markdown', 'Prices', 8],
      );
    }
    const named = await client.knowledge.upload(bot.id, new File([text], 'a.md', { type: 'text/markdown' }));
    assert.equal(named.title, 'a.md');
    await assert.rejects(
      Promise.resolve(client.knowledge.upload(bot.id, { name: '', content: text })),
      ParleyError,
    );
  });

  it('names the parameter of an id that is empty or missing, and sends no request', async () => {
    let requestCount = 0;
    const fetch = () => Promise.resolve(Response.json({ count: (requestCount += 1) }));
    const client = new Parley({ baseUrl: 'http://parley.test', apiKey: 'parley_live_0', fetch });
    const ids = ['', '.', '..', null, undefined];
    for (const [id, shown] of ids.map((each) => [each as string, JSON.stringify(each) ?? 'undefined'])) {
      const expected = {
        name: 'InvalidArgumentError',
        message: `document_id of getDocument is ${shown}, so no request was sent. Is its variable set?`,
        argument: 'document_id',
      };
      await assert.rejects(Promise.resolve(client.knowledge.get('b1', id!)), expected);
    }
    await assert.rejects(Promise.resolve(client.bots.get({ id: 'b1' } as unknown as string)), {
      name: 'InvalidArgumentError',
      message: 'bot_id of getBot is an object, so no request was sent. Pass its id.',
    });
    assert.equal(requestCount, 0);
  });

  for (const [apiKey, wrong, advice] of [
    ['parley_live_…', '“…”', ''],
    ['parley_live_0\u00a00', 'U+00A0', ''],
    ['“parley_live_0”', '““”', ', without quotation marks'],
  ] as const)
    it(`names the character ${wrong} of a key, and sends no request`, async () => {
      const client = new Parley({ baseUrl: 'http://127.0.0.1:1', apiKey });
      await assert.rejects(Promise.resolve(client.bots.list()), {
        name: 'InvalidArgumentError',
        message: `The key or token contains the character ${wrong}, which is not allowed in keys and tokens. Copy the whole key${advice}.`,
      });
    });

  it('refuses a key that begins with “Bearer ”, and sends no request', async () => {
    const client = new Parley({ baseUrl: 'http://127.0.0.1:1', apiKey: 'Bearer parley_live_0' });
    await assert.rejects(Promise.resolve(client.bots.list()), {
      name: 'InvalidArgumentError',
      message: 'The key or token begins with “Bearer ”. Omit this word.',
    });
  });

  it('refuses to upload a value that is not a file’s content', async () => {
    const client = new Parley({ baseUrl: 'http://127.0.0.1:1', apiKey: 'parley_live_0' });
    for (const file of [undefined, null, {}])
      await assert.rejects(
        Promise.resolve(client.knowledge.upload('b1', file as unknown as File)),
        new ParleyError('A file needs a name: pass { name, content }.'),
      );
    await assert.rejects(
      Promise.resolve(client.knowledge.upload('b1', './prices.pdf' as unknown as File)),
      new ParleyError(
        'A path is not accepted: pass { name, content: await openAsBlob(path) }, with openAsBlob of Node.js.',
      ),
    );
    for (const content of [undefined, null, 5, {}])
      await assert.rejects(
        Promise.resolve(client.knowledge.upload('b1', { name: 'a.md', content } as unknown as File)),
        new ParleyError('The content of a.md must be a string, bytes, a Blob or a stream.'),
      );
  });

  itInSoak('does not retry a stream that was consumed', async () => {
    const { bot, client } = await buildClient();
    const proxy = await FaultyProxy.start(parley.baseUrl, [{ kind: 'refuse' }]);
    try {
      const file = { name: 'a.md', content: Readable.from([Buffer.from('# A')]), type: 'text/markdown' };
      const call = client.withOptions({ baseUrl: proxy.url }).knowledge.upload(bot.id, file);
      await assert.rejects(Promise.resolve(call), ConnectionError);
      assert.equal(proxy.requests.length, 1);
    } finally {
      await proxy.stop();
    }
  });

  it('waits for a document until it is indexed, has failed, or the timeout expires', async () => {
    const { bot, orgId, client } = await buildClient();
    const document = (status: 'indexed' | 'failed' | 'pending') =>
      buildDocument(parley.database, {
        orgId,
        botId: bot.id,
        status,
        errorMessage: status === 'failed' ? 'Empty.' : null,
      });
    const seen: string[] = [];
    const onProgress = ({ status }: { status: string }) => seen.push(status);
    const indexed = await client.waitForDocument(bot.id, await document('indexed'), { onProgress });
    assert.deepEqual([indexed.status, seen], ['indexed', ['indexed']]);
    await assert.rejects(client.waitForDocument(bot.id, await document('failed')), (error) => {
      assert.ok(error instanceof DocumentFailedError);
      return error.message === 'Empty.';
    });
    const pending = await document('pending');
    await assert.rejects(
      client.waitForDocument(bot.id, pending, { timeoutMs: 1 }),
      new TimeoutError(
        `The document ${pending} is still pending after 1 ms (timeoutMs). Indexing continues.`,
      ),
    );
  });

  it('ends a stream that is silent for too long, and waits for a slow reader', async () => {
    const openStream = (chunks: string[]) => () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    };
    const quiet = new Parley({
      baseUrl: 'http://parley.test',
      apiKey: 'key',
      fetch: openStream(['event: delta\ndata: {"text":"A"}\n\n']),
      streamSilenceMs: 50,
    });
    const events: string[] = [];
    await assert.rejects(async () => {
      for await (const { event } of quiet.bots.tryStreaming('id', { message: 'Hello' })) {
        events.push(event);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }, new StreamInterruptedError('The stream was interrupted. http://parley.test sent nothing within 50 ms (streamSilenceMs). The stream cannot be resumed: call the method again.'));
    assert.deepEqual(events, ['delta']);
  });

  itInSoak('closes a stream whose reader stops, and refuses to read a stream twice', async () => {
    const { bot, client } = await buildClient();
    const stream = client.bots.tryStreaming(bot.id, { message: 'Hello' });
    for await (const _ of stream) break;
    await assert.rejects(async () => {
      for await (const _ of stream) break;
    }, ParleyError);
    const { data, response } = await client.bots.tryStreaming(bot.id, { message: 'Hello' }).withResponse();
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    data.close();
  });

  it('reopens a stream that begins with the current state, until the reader closes it', async () => {
    const { client } = await buildClient();
    const item = 'event: removed\ndata: {"id":"1"}\n\n';
    const answer = {
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: item,
    } as const;
    const proxy = await FaultyProxy.start(parley.baseUrl, [answer, answer]);
    try {
      const stream = client.withOptions({ baseUrl: proxy.url, maxRetries: 5 }).inbox.stream();
      const events: string[] = [];
      for await (const { event } of stream) {
        events.push(event);
        // Close the stream, because the last connection stays open and has no more events.
        if (events.length === 2)
          void waitUntil(() => proxy.requests.length === 3, 'a third request').then(() => stream.close());
      }
      assert.deepEqual(events, ['removed', 'removed']);
    } finally {
      await proxy.stop();
    }
  });

  it('waits up to half a second before a retry, doubled up to eight seconds, or as long as Retry-After says', () => {
    const random = () => 1;
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((attempt) => pauseMs(attempt, undefined, random)),
      [500, 1000, 2000, 4000, 8000, 8000],
    );
    const asked = new ApiError({
      status: 429,
      code: 'rate_limited',
      message: '',
      details: [],
      requestId: null,
      retryAfter: 7,
      headers: new Headers(),
    });
    assert.equal(pauseMs(0, asked, random), 7000);
  });
});
