import assert from 'node:assert/strict';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import {
  buildResources,
  createCaller,
  endsItsCaller,
  buildOperationPath,
  buildOperationRequest,
  type Resources,
} from '../support/operation-calls.ts';
import { selectSample } from '../support/select-sample.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { sendRaw } from '../support/raw-http.ts';

/** A name with characters of two, three and four bytes in UTF-8. */
const NAME = 'Zoë 密 🔑';

const EVENT_STREAM = 'text/event-stream';
const JSON_TYPE = /^application\/(problem\+|openapi\+)?json(; charset=utf-8)?$/i;
const TEXT_TYPE = /^text\/[a-z-]+; charset=utf-8$/i;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Paths that browsers load from this server, and unknown paths. */
const pages = [
  '/',
  '/docs',
  '/docs/guides',
  '/docs/guides/search.json',
  '/docs/guides/webhooks.md',
  '/llms.txt',
  '/openapi.json',
  '/console',
  '/widget.js',
  '/widget/de.json',
  '/errors/validation_error',
  '/dev/mail',
  '/no/such/path',
];

describe('responses', () => {
  let parley: TestParley;
  let owner: Resources;
  before(async () => {
    parley = await startParley();
    owner = await buildResources(parley);
  });
  after(() => parley.stop());

  /** Tested operations: reads first and deletions last, so that each operation finds its resources. */
  const sample = selectSample(operations.filter(({ id }) => !endsItsCaller.has(id)));
  const inOrder = (['GET', 'PATCH', 'PUT', 'POST', 'DELETE'] as const).flatMap((method) =>
    sample.filter((operation) => operation.method === method),
  );

  const callers: [who: string, fetch: (operation: Operation) => Promise<Response>][] = [
    [
      'who asks what is not valid',
      (each) =>
        createCaller(each, owner, parley).fetch(
          `${buildOperationPath(each, owner.ids)}?none=1`,
          buildOperationRequest(each),
        ),
    ],
    [
      'nobody known',
      (each) => parley.client().fetch(buildOperationPath(each, owner.ids), buildOperationRequest(each)),
    ],
    [
      'who may',
      (each) =>
        createCaller(each, owner, parley).fetch(
          buildOperationPath(each, owner.ids),
          buildOperationRequest(each),
        ),
    ],
  ];

  for (const operation of inOrder) {
    it(`of ${operation.id} have the declared type and charset, and forbid caches to store them`, async () => {
      for (const [who, send] of callers) {
        const response = await send(operation);
        // Parley refuses billing events with 503 if no payment provider is configured.
        const isAbsent = operation.id === 'receiveBillingEvent' && response.status === 503;
        assert.ok(response.status < 500 || isAbsent, `${who}: ${response.status}`);
        await assertBodyMatchesType(response);
        const isPicture = operation.id === 'getPublicAsset' && response.ok;
        const kept = response.headers.get('cache-control') ?? '';
        if (isPicture) assert.match(kept, /immutable/);
        else if (response.headers.get('content-type')?.startsWith('text/event-stream'))
          assert.equal(kept, 'no-store, no-transform');
        else
          assert.equal(kept, operation.path.startsWith('/openapi.') && response.ok ? 'no-cache' : 'no-store');
      }
    });
  }

  it('encode text of users as UTF-8', async () => {
    const { body } = await owner.client.post('/api/bots', { name: NAME });
    const { body: read } = await owner.client.get(`/api/bots/${body.id}`);
    assert.equal(read.name, NAME);
  });

  for (const path of pages) {
    it(`at ${path} have the declared type and charset`, async () => {
      const response = await fetch(parley.baseUrl + path, { redirect: 'manual' });
      await assertBodyMatchesType(response);
    });
  }

  describe('tell browsers to use only https', () => {
    const HEADER = 'strict-transport-security';
    let secure: TestProcess;
    before(async () => (secure = await parley.startAnother({ baseUrl: 'https://parley.example' })));

    const readHeader = async (
      process: Pick<TestProcess, 'baseUrl'>,
      path: string,
      init: RequestInit = {},
    ) => {
      const response = await fetch(process.baseUrl + path, { redirect: 'manual', ...init });
      await response.body?.cancel();
      return response.headers.get(HEADER);
    };

    for (const [path, init] of [
      ...pages.map((each) => [each, {}] as const),
      ['/api/health', {}],
      ['/api/bots', {}],
      ['/api/bots', { method: 'OPTIONS' }],
      ['/api/meta', { method: 'HEAD' }],
      ['/api/meta', { method: 'DELETE' }],
      ['/mcp', { method: 'POST', body: 'nonsense' }],
    ] as const)
      it(`if the base URL is https, and never if it is http: ${JSON.stringify(init)} ${path}`, async () => {
        assert.equal(await readHeader(secure, path, init), 'max-age=31536000');
        assert.equal(await readHeader(parley, path, init), null);
      });

    it('in event streams', async () => {
      const [stream] = operations.filter(({ id }) => id === 'streamInbox');
      const headers = { authorization: `Bearer ${owner.key}` };
      assert.equal(await readHeader(secure, stream!.path, { headers }), 'max-age=31536000');
    });

    for (const what of ['nonsense', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example'])
      it(`even if the request is malformed: ${what.slice(0, 8)}`, async () => {
        const readHeaderOfRaw = async ({ baseUrl }: Pick<TestProcess, 'baseUrl'>) =>
          (await sendRaw(baseUrl, { parts: [`${what}\r\n\r\n`] })).headers.get(HEADER);
        assert.equal(await readHeaderOfRaw(secure), 'max-age=31536000');
        assert.equal(await readHeaderOfRaw(parley), null);
      });
  });

  it('to input that is not HTTP have a JSON type', async () => {
    const { headers, body } = await sendRaw(parley.baseUrl, { parts: ['nonsense\r\n\r\n'] });
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.equal(JSON.parse(body).status, 400);
  });
});

/** Asserts that a response body has a type, matches it, and uses the declared charset. */
async function assertBodyMatchesType(response: Response): Promise<void> {
  const type = response.headers.get('content-type');
  if (type?.startsWith(EVENT_STREAM)) {
    assert.match(type, TEXT_TYPE);
    return response.body?.cancel();
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return assert.equal(type, null);
  assert.ok(type, 'a body of no type');
  if (type === 'image/png') return assert.deepEqual(bytes.subarray(0, PNG.length), PNG);
  // Skip uploaded files, which the API returns unchanged, whatever their charset.
  if (response.headers.get('content-disposition')?.startsWith('attachment') && !type.includes('charset'))
    return;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (JSON_TYPE.test(type)) JSON.parse(text);
  else assert.match(type, TEXT_TYPE);
}
