import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { serveMetrics, type MetricsServer } from '../../adapters/telemetry/metrics-server.ts';
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

  /** Sends requests in one write. Returns the number of responses before the server closes the connection. */
  async function pipeline(count: number): Promise<number> {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (data) => (received += String(data)));
    socket.on('error', () => {});
    const scrape = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(`${scrape.repeat(count - 1)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    return received.split('HTTP/1.1 ').length - 1;
  }

  it('answers 17 pipelined requests', async () => {
    assert.deepEqual([await pipeline(17), scrapes], [17, 16]);
  });

  it('closes a connection on which more than 16 requests wait, and handles none of them', async () => {
    assert.equal(await pipeline(100), 0);
    assert.ok(scrapes <= 1, `${scrapes} scrapes`);
  });
});
