import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { readCertificate } from '../adapters/http/local-servers.ts';
import { emitLead, fanOut } from './support.ts';
import { readReasonCode, useWebhooks } from './suite.ts';

const PUBLIC: LookupAddress[] = [{ address: '127.0.0.2', family: 4 }];
const LOOPBACK: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];

describe('webhook attempts', () => {
  const suite = useWebhooks();

  describe('over TLS', () => {
    const trustCertificate = () =>
      suite.outbound(() => Promise.resolve(LOOPBACK), {
        allow: ['127.0.0.1/32'],
        ca: readCertificate('ca.pem'),
      });
    const buildUrl = (port: number) => `https://hooks.example.test:${port}/hook`;

    it('are delivered to a server with a valid certificate', async () => {
      const port = await suite.servers.https('valid.pem', (_request, response) => response.end('safe'));
      const { status, responseBody } = await suite.attemptAt(buildUrl(port), {
        outbound: trustCertificate(),
      });
      assert.deepEqual([status, responseBody], ['delivered', 'safe']);
    });

    for (const [certificate, problem] of [
      ['expired.pem', 'has expired'],
      ['other-name.pem', 'was issued for another host name'],
      ['self-signed.pem', 'is self-signed'],
    ] as const) {
      it(`fail without sending the request if the certificate ${problem}`, async () => {
        let requests = 0;
        const port = await suite.servers.https(certificate, () => (requests += 1));
        const delivery = await suite.attemptAt(buildUrl(port), { outbound: trustCertificate() });
        assert.deepEqual(
          [delivery.status, delivery.attempts, delivery.reason],
          ['failed', 1, `tls: The certificate of hooks.example.test ${problem}.`],
        );
        assert.equal(requests, 0);
      });
    }

    it('fail if the authority is unknown', async () => {
      const port = await suite.servers.https('valid.pem', (_request, response) => response.end());
      const outbound = suite.outbound(() => Promise.resolve(LOOPBACK), { allow: ['127.0.0.1/32'] });
      const delivery = await suite.attemptAt(buildUrl(port), { outbound });
      assert.deepEqual([delivery.status, readReasonCode(delivery)], ['failed', 'tls']);
    });

    it('fail if a plain HTTP server responds on an https URL', async () => {
      const port = await suite.servers.http((_request, response) => response.end());
      const delivery = await suite.attemptAt(buildUrl(port), { outbound: trustCertificate() });
      assert.deepEqual(
        [delivery.status, delivery.reason],
        ['failed', 'tls: No secure connection to hooks.example.test could be made.'],
      );
    });

    it('fail if the server refuses the handshake', async () => {
      const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);
      const port = await suite.servers.tcp((socket) => socket.once('data', () => socket.end(alert)));
      const delivery = await suite.attemptAt(buildUrl(port), { outbound: trustCertificate() });
      assert.deepEqual([delivery.status, readReasonCode(delivery)], ['failed', 'tls']);
    });

    for (const [how, cut] of [
      ['closed', (socket: Socket) => socket.end()],
      ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ] as const) {
      it(`are retried if the connection is ${how} during the handshake`, async () => {
        const port = await suite.servers.tcp((socket) => socket.once('data', () => cut(socket)));
        const delivery = await suite.attemptAt(buildUrl(port), { outbound: trustCertificate() });
        assert.deepEqual([delivery.status, readReasonCode(delivery)], ['retrying', 'connection_reset']);
      });
    }
  });

  describe('to a host name whose addresses change', () => {
    it('fail if the name has resolved to a private address since the endpoint was saved', async () => {
      let answer = PUBLIC;
      const outbound = suite.outbound(() => Promise.resolve(answer));
      const { url, requests } = await suite.receiver();
      const turning = url.replace('127.0.0.1', 'turning.test');
      await outbound.checkUrl(turning);
      answer = LOOPBACK;
      const delivery = await suite.attemptAt(turning, { outbound });
      assert.deepEqual(
        [delivery.status, delivery.attempts, readReasonCode(delivery)],
        ['failed', 1, 'url_refused'],
      );
      assert.equal(requests.length, 0);
    });

    it('fail if an address of the name is private', async () => {
      const mixed = [...PUBLIC, { address: '10.0.0.1', family: 4 }];
      const outbound = suite.outbound(() => Promise.resolve(mixed));
      const delivery = await suite.attemptAt('https://mixed.test/', { outbound });
      assert.equal(
        delivery.reason,
        'url_refused: mixed.test is not a host on the public internet, so Parley does not contact it.',
      );
    });

    it('reuse a keep-alive connection that was checked before, but open no new connection', async () => {
      let answer = PUBLIC;
      let privateHits = 0;
      const port = await suite.servers.http((request, response) => {
        if (request.socket.localAddress?.endsWith('127.0.0.1')) privateHits += 1;
        request.resume().on('end', () => response.end());
      }, '0.0.0.0');
      const outbound = suite.outbound(() => Promise.resolve(answer));
      await suite.attemptAt(`http://turning.test:${port}/`, { outbound });
      answer = LOOPBACK;
      for (let count = 0; count < 12; count += 1) await emitLead(suite.parley, suite.org);
      await fanOut(suite.parley);
      const codes = new Set(
        (await suite.waitUntilTried()).map((delivery) => readReasonCode(delivery) ?? delivery.status),
      );
      assert.deepEqual(codes, new Set(['delivered', 'url_refused']));
      assert.equal(privateHits, 0);
    });
  });
});
