import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openHostGate, type HostGate } from '../../adapters/http/host-gate.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { sendRaw } from '../support/raw-http.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the gate in front of Temporal’s UI', () => {
  let behind: Server;
  let gate: HostGate;
  let port: number;
  let baseUrl: string;
  const seen: string[] = [];

  before(async () => {
    behind = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.setHeader('set-cookie', ['_csrf=1; SameSite=Strict', 'other=2']);
      response.statusCode = 201;
      request.pipe(response);
    }).listen(0, '127.0.0.1');
    await once(behind, 'listening');
    const target = { host: '127.0.0.1', port: (behind.address() as AddressInfo).port };
    [port = 0] = await findFreePorts(1);
    gate = await openHostGate({ host: '127.0.0.1', port, target });
    baseUrl = `http://127.0.0.1:${port}`;
  });
  beforeEach(() => void seen.splice(0));
  after(async () => {
    await gate.close();
    behind.close();
  });

  const get = (lines: string, target = '/workflows?query=1') =>
    sendRaw(baseUrl, { parts: [`GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`] });

  for (const host of ['localhost', 'LocalHost', '127.0.0.1', '[::1]'])
    for (const withPort of [host, `${host}:8233`])
      it(`forwards a request for ${withPort}`, async () => {
        assert.equal((await get(`Host: ${withPort}\r\n`)).status, 201);
        assert.deepEqual(seen, ['GET /workflows?query=1']);
      });

  for (const [what, lines] of [
    ['a foreign host', 'Host: evil.example:8233\r\n'],
    ['a host that ends like this machine’s', 'Host: localhost.evil.example\r\n'],
    ['a host that begins like this machine’s', 'Host: 127.0.0.1.evil.example\r\n'],
    ['a subdomain of localhost', 'Host: evil.localhost\r\n'],
    ['another loopback address', 'Host: 127.0.0.2\r\n'],
    ['an address as a number', 'Host: 2130706433\r\n'],
    ['a user name', 'Host: localhost@evil.example\r\n'],
    ['an empty host', 'Host: \r\n'],
    ['no host', ''],
  ] as const)
    it(`refuses ${what} with 421, without a request to the UI`, async () => {
      assert.equal((await get(lines)).status, 421);
      assert.deepEqual(seen, []);
    });

  it('refuses a request with two Host headers', async () => {
    const { status } = await get('Host: localhost\r\nHost: evil.example\r\n');
    assert.ok(status === 400 || status === 421, String(status));
    assert.deepEqual(seen, []);
  });

  it('refuses a request target that names a host', async () => {
    assert.equal((await get('Host: localhost\r\n', 'http://evil.example/')).status, 421);
    assert.deepEqual(seen, []);
  });

  it('closes a connection on which more than 16 pipelined requests wait, and forwards none of them', async () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => {});
    socket.write('GET /workflows HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    await once(socket, 'close');
    assert.ok(seen.length <= 1, `${seen.length} requests`);
  });

  it('forwards methods, bodies, statuses and cookies', async () => {
    const response = await fetch(`${baseUrl}/api`, { method: 'POST', body: 'text' });
    assert.deepEqual([response.status, await response.text()], [201, 'text']);
    assert.deepEqual(response.headers.getSetCookie(), ['_csrf=1; SameSite=Strict', 'other=2']);
    assert.deepEqual(seen, ['POST /api']);
  });

  it('runs as a program, as the Compose file starts it', async () => {
    const [ownPort = 0] = await findFreePorts(1);
    const { port: behindPort } = behind.address() as AddressInfo;
    const args = [String(ownPort), `127.0.0.1:${behindPort}`];
    const script = fileURLToPath(new URL('dist/scripts/temporal-ui-gate.js', projectRoot()));
    const program = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
    try {
      const statusFor = async (host: string): Promise<number> => {
        const head = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        return (await sendRaw(`http://127.0.0.1:${ownPort}`, { parts: [head] })).status;
      };
      await waitUntil(async () => (await statusFor('localhost')) === 201, 'the program to listen');
      assert.equal(await statusFor('evil.example'), 421);
      const exited = once(program, 'exit');
      program.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
    } finally {
      program.kill('SIGKILL');
    }
  });

  it('returns 502 while the UI is down', async () => {
    const [ownPort = 0, none = 0] = await findFreePorts(2);
    const alone = await openHostGate({
      host: '127.0.0.1',
      port: ownPort,
      target: { host: '127.0.0.1', port: none },
    });
    const response = await fetch(`http://127.0.0.1:${ownPort}/`);
    assert.equal(response.status, 502);
    await response.text();
    await alone.close();
  });
});
