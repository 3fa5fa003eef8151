import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describeConnectionCause } from '../../sdk/typescript/src/connection-cause.ts';
import { ConnectionError, Parley, ParleyError, TimeoutError } from '../../sdk/typescript/src/index.ts';
import { terminal } from './command-line.ts';

/** Runs a server on a free port while `use` runs. */
async function withServer<T>(
  onConnection: (socket: Socket) => void,
  use: (port: number) => Promise<T>,
): Promise<T> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

async function findClosedPort(): Promise<number> {
  return withServer(
    () => undefined,
    (port) => Promise.resolve(port),
  );
}

async function failToConnect(baseUrl: string): Promise<string> {
  const client = new Parley({ baseUrl, apiKey: 'key', maxRetries: 0, timeoutMs: 5000 });
  const error = await client.bots.list().catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ConnectionError && !(error instanceof TimeoutError), String(error));
  return error.message;
}

/** Runs `use` with these values of the variables that set the URL; a variable without a value is unset. */
function withUrlVariables<T>(values: Readonly<Record<string, string>>, use: () => T): T {
  const before = URL_VARIABLES.map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined): void => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  try {
    for (const name of URL_VARIABLES) set(name, values[name]);
    return use();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}

const URL_VARIABLES = ['PARLEY_URL', 'PARLEY_BASE_URL'];
const FAULTY_URLS: [url: string, fault: string][] = [
  ['parley_live_0123', 'is an API key. Write an address like https://chat.example.com.'],
  ['localhost:5200', 'does not begin with http:// or https://: write http://localhost:5200.'],
  ['localhost:5200/api/', 'does not begin with http:// or https://: write http://localhost:5200.'],
  ['127.0.0.1', 'does not begin with http:// or https://: write http://127.0.0.1.'],
  [
    'chat.example.com/parley/',
    'does not begin with http:// or https://: write https://chat.example.com/parley.',
  ],
  ['//chat.example.com', 'does not begin with http:// or https://: write https://chat.example.com.'],
  [
    'http://localhost:3000/api',
    'ends in /api, which is part of each request’s path: write http://localhost:3000.',
  ],
  [
    'https://a.test/chat/api/',
    'ends in /api, which is part of each request’s path: write https://a.test/chat.',
  ],
  ['https://a.test/docs/', 'ends in /docs, the reference’s path: write https://a.test.'],
  ['ftp://a.test', 'is not a valid address of Parley. Write it like https://chat.example.com.'],
  ['https://me:secret@a.test', 'is not a valid address of Parley. Write it like https://chat.example.com.'],
  ['https://a.test/?bot=1', 'is not a valid address of Parley. Write it like https://chat.example.com.'],
];

describe('connections of the TypeScript SDK', () => {
  for (const [url, fault] of FAULTY_URLS)
    it(`refuse ${url} before any request, in the client and the command line`, async () => {
      assert.throws(() => new Parley({ baseUrl: url, apiKey: 'key' }), new ParleyError(`baseUrl ${fault}`));
      const { code, out, err } = await terminal({ PARLEY_URL: url, PARLEY_API_KEY: 'key' }).run([
        'bots',
        'list',
      ]);
      assert.deepEqual([code, out, err], [2, '', `PARLEY_URL ${fault}\n`]);
    });

  it('report a refused connection with the address', async () => {
    const port = await findClosedPort();
    const expected = `The connection to http://127.0.0.1:${port} failed: nothing accepts connections there (ECONNREFUSED). To use another address, set`;
    assert.equal(await failToConnect(`http://127.0.0.1:${port}/`), `${expected} baseUrl.`);
    const { code, err } = await terminal({
      PARLEY_URL: `http://127.0.0.1:${port}`,
      PARLEY_API_KEY: 'key',
    }).run(['bots', 'list']);
    assert.deepEqual([code, err], [5, `${expected} PARLEY_URL.\n`]);
    assert.match(await failToConnect(`http://localhost:${port}`), /there \(ECONNREFUSED\)/);
  });

  it('report a host without an address', async () => {
    assert.match(
      await failToConnect('http://parley.invalid'),
      /^The connection to http:\/\/parley\.invalid failed: (the host name could not be resolved \(ENOTFOUND\)|DNS did not respond \(EAI_AGAIN\))\. To use another address, set baseUrl\.$/,
    );
  });

  it('report a server without TLS', async () => {
    const answer = (socket: Socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n'));
    await withServer(answer, async (port) =>
      assert.match(
        await failToConnect(`https://127.0.0.1:${port}`),
        /failed: the server does not speak TLS there, so write http:\/\/ \(ERR_SSL_\w+\)\. To use another address, set baseUrl\.$/,
      ),
    );
  });

  it('report a connection that breaks before the response', async () => {
    const hangUp = (socket: Socket) => void socket.once('data', () => socket.destroy());
    await withServer(hangUp, async (port) =>
      assert.match(
        await failToConnect(`http://127.0.0.1:${port}`),
        /failed: the server closed the connection \((ECONNRESET|UND_ERR_SOCKET)\)\. To use another address, set baseUrl\.$/,
      ),
    );
  });

  it('report an address that does not respond in time', async () => {
    await withServer(
      () => undefined,
      async (port) => {
        const baseUrl = `http://127.0.0.1:${port}`;
        const client = new Parley({ baseUrl, apiKey: 'key', maxRetries: 0, timeoutMs: 50 });
        await assert.rejects(Promise.resolve(client.bots.list()), {
          name: 'TimeoutError',
          message: `${baseUrl} did not respond within 50 ms (timeoutMs).`,
        });
      },
    );
  });

  for (const [variable, setting] of [
    ['PARLEY_URL', 'PARLEY_URL'],
    ['PARLEY_BASE_URL', 'PARLEY_BASE_URL'],
    [undefined, 'PARLEY_URL or baseUrl'],
  ] as const)
    it(`name ${setting} as the setting of the URL, if the variable ${variable} is set`, async () => {
      const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
      const client = withUrlVariables(
        variable === undefined ? {} : { [variable]: 'http://parley.test' },
        () => new Parley({ apiKey: 'key', maxRetries: 0, fetch }).withOptions({}),
      );
      const address = variable === undefined ? 'http://localhost:3000' : 'http://parley.test';
      await assert.rejects(Promise.resolve(client.bots.list()), {
        message: `The connection to ${address} failed: Failed to fetch. To use another address, set ${setting}.`,
      });
    });

  it('name the variable whose URL has no scheme', () => {
    withUrlVariables({ PARLEY_BASE_URL: 'localhost:5200' }, () =>
      assert.throws(() => new Parley({ apiKey: 'key' }), {
        message: 'PARLEY_BASE_URL does not begin with http:// or https://: write http://localhost:5200.',
      }),
    );
  });

  it('describe the causes of errors that platforms throw (describeConnectionCause)', () => {
    const certificate = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    const selfSigned = Object.assign(new Error('self-signed certificate'), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const attempts = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    for (const [error, words] of [
      [
        new TypeError('fetch failed', { cause: certificate }),
        'TLS failed: certificate has expired (CERT_HAS_EXPIRED)',
      ],
      [
        new TypeError('fetch failed', { cause: selfSigned }),
        'TLS failed: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT). To trust the certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate',
      ],
      [
        { message: 'Unable to connect.', code: 'ConnectionRefused' },
        'nothing accepts connections there (ConnectionRefused)',
      ],
      [
        new TypeError('fetch failed', { cause: new AggregateError([attempts]) }),
        'nothing accepts connections there (ECONNREFUSED)',
      ],
      [new TypeError('fetch failed', { cause: new Error('bad port') }), 'bad port'],
      [new TypeError('Failed to fetch'), 'Failed to fetch'],
      ['broken', undefined],
    ] as const)
      assert.equal(describeConnectionCause(error), words);
  });

  it('call onRetry before a stream is opened again', async () => {
    const bodies = ['id: 1\nevent: delta\ndata: {"text":"A"}\n\n', 'id: 2\nevent: done\ndata: {}\n\n'];
    const retries: string[] = [];
    const client = new Parley({
      baseUrl: 'http://parley.test',
      visitorToken: 'token',
      fetch: () => Promise.resolve(new Response(bodies.shift())),
      onRetry: ({ name, message }, ms) => retries.push(`${name}: ${message} ${ms <= 500}`),
    });
    const events: string[] = [];
    for await (const { event } of client.widget.streamMessage('s1', { content: 'Hi' })) events.push(event);
    assert.deepEqual(events, ['delta', 'done']);
    assert.deepEqual(retries, ['StreamInterruptedError: The stream was interrupted. true']);
  });
});
