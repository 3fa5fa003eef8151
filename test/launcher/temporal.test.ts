import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { newId } from '../../core/ids.ts';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { TemporalService } from '../../scripts/launcher/temporal.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('Temporal as npm start runs it', () => {
  const folder = makeTemporaryFolder();
  let running: GuardedProcess;
  let connection: Connection;
  let path: string;
  let httpPort: number;
  let uiPort: number;

  before(async () => {
    const [port = 0, ...others] = await findFreePorts(3);
    [httpPort = 0, uiPort = 0] = others;
    const binary = await resolveTemporalBinary({ env: process.env, report: () => {} });
    const ui = { host: '127.0.0.1', port: uiPort };
    const temporal = new TemporalService({ binary, folder, port, httpPort, ui });
    running = await startOnce(temporal);
    connection = await Connection.connect({ address: temporal.address });
    const workflowId = newId();
    const client = new Client({ connection });
    await client.workflow.start('nobody', { taskQueue: 'none', workflowId });
    path = `/api/v1/namespaces/default/workflows/${workflowId}`;
  });

  after(async () => {
    await connection?.close();
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends a request that a web page of another site can send without a CORS preflight. */
  const requestFromPage = (port: number, method: string, to: string) =>
    fetch(`http://127.0.0.1:${port}${to}`, {
      method,
      headers: { origin: 'https://evil.example', 'content-type': 'text/plain' },
      ...(method === 'POST' && { body: '{}' }),
    });

  it('accepts neither queries nor signals from pages over its HTTP API', async () => {
    for (const [method, to] of [
      ['GET', path],
      ['POST', `${path}/signal/replay`],
      ['POST', `${path}/terminate`],
    ] as const) {
      const response = await requestFromPage(httpPort, method, to);
      assert.equal(response.status, 403, `${method} ${to}`);
    }
  });

  it('accepts no signal from pages over its UI, and returns nothing to them', async () => {
    const signal = await requestFromPage(uiPort, 'POST', `${path}/signal/replay`);
    assert.equal(signal.status, 400);
    assert.deepEqual(await signal.json(), { message: 'missing csrf token in request header' });
    let read = await requestFromPage(uiPort, 'GET', path);
    // Wait, because Temporal's web UI may connect to the server a moment later.
    await waitUntil(
      async () => (read = await requestFromPage(uiPort, 'GET', path)).status === 200,
      'the UI to read',
    );
    assert.equal(read.headers.get('access-control-allow-origin'), null);
    assert.match(read.headers.get('set-cookie') ?? '', /^_csrf=.*SameSite=Strict/);
  });
});
