import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { unsafePorts } from '../../adapters/http/address-guard.ts';
import { reserveBlockedPort } from '../../scripts/launcher/blocked-port.ts';

describe('reserveBlockedPort', () => {
  it('reserves free ports that browsers block; each is reserved once until it is released', async () => {
    const first = await reserveBlockedPort();
    const second = await reserveBlockedPort();
    assert.equal(unsafePorts.has(first!.port) && unsafePorts.has(second!.port), true);
    assert.notEqual(first!.port, second!.port);
    second!.release();
    const server = createServer().listen(second!.port, '127.0.0.1');
    await once(server, 'listening');
    const third = await reserveBlockedPort();
    assert.equal([first!.port, second!.port].includes(third!.port), false);
    for (const reserved of [first, third]) reserved!.release();
    server.close();
  });
});
