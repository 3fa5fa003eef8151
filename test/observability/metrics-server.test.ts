import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { serveMetrics, type MetricsServer } from '../../adapters/telemetry/metrics-server.ts';
import { sendRaw } from '../support/raw-http.ts';
import { recordLog } from '../support/recorded-log.ts';

describe('serveMetrics', () => {
  let server: MetricsServer;
  let scrapes = 0;
  before(async () => {
    const registry = new Registry();
    registry.metrics = async () => {
      scrapes += 1;
      return '';
    };
    server = await serveMetrics({ host: '127.0.0.1', port: 0, registry, log: recordLog().log });
  });
  beforeEach(() => void (scrapes = 0));
  after(() => server.close());

  /**
   * Sends `count` requests to the metrics server in one write. Returns the number of responses before the
   * server closes the connection.
   */
  async function pipeline(count: number): Promise<number> {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (data) => (received += String(data)));
    socket.on('error', () => {});
    const scrape = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(`${scrape.repeat(count - 1)}GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    return received.split('HTTP/1.1 ').length - 1;
  }

  it('answers 17 pipelined requests', async () => {
    assert.deepEqual([await pipeline(17), scrapes], [17, 16]);
  });

  const scrapeAs = (host: string) =>
    sendRaw(`http://127.0.0.1:${server.port}`, {
      parts: [`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`],
    });

  it('returns 421 on a loopback address if the Host header names another site, and measures nothing', async () => {
    for (const host of ['evil.example', 'evil.example:9464', 'localhost.evil.example', '127.0.0.2']) {
      const { status, body } = await scrapeAs(host);
      assert.deepEqual([status, body.includes('responds only to localhost'), scrapes], [421, true, 0], host);
    }
    for (const host of ['127.0.0.1:9464', '[::1]', 'LOCALHOST'])
      assert.equal((await scrapeAs(host)).status, 200);
  });

  it('accepts any host name on an address that other machines can reach', async () => {
    const open = await serveMetrics({
      host: '0.0.0.0',
      port: 0,
      registry: new Registry(),
      log: recordLog().log,
    });
    const url = `http://127.0.0.1:${open.port}`;
    const parts = ['GET /metrics HTTP/1.1\r\nHost: worker:9464\r\nConnection: close\r\n\r\n'];
    assert.equal((await sendRaw(url, { parts })).status, 200);
    await open.close();
  });

  it('closes a connection on which more than 16 requests wait, and handles none of them', async () => {
    assert.equal(await pipeline(100), 0);
    assert.ok(scrapes <= 1, `${scrapes} scrapes`);
  });
});
