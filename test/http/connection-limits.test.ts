import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { limitConnections } from '../../api/http/connections.ts';

describe('limitConnections', () => {
  /** Opens connections from these addresses to a server that admits two connections from each address. */
  function openFrom(addresses: readonly string[]): { sockets: Socket[]; open: (address: string) => Socket } {
    const server = createServer();
    limitConnections(server, () => 2);
    const open = (address: string): Socket => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
      server.emit('connection', socket);
      return socket;
    };
    return { sockets: addresses.map(open), open };
  }

  it('closes the third connection from an address or an IPv6 network', () => {
    const ipv4 = ['203.0.113.7', '203.0.113.7', '203.0.113.7', '203.0.113.8'];
    const ipv6 = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1::3', '2001:db8:1:2::1'];
    const { sockets } = openFrom([...ipv4, ...ipv6]);
    assert.deepEqual(
      sockets.map(({ destroyed }) => destroyed),
      [false, false, true, false, false, false, true, false],
    );
  });

  it('closes connections from an IPv6 site beyond 32, until another network of the site closes a connection', async () => {
    const { sockets, open } = openFrom(Array.from({ length: 33 }, (_, index) => `2001:db8:1:${index}::1`));
    assert.deepEqual(
      sockets.map(({ destroyed }) => destroyed),
      [...Array<boolean>(32).fill(false), true],
    );
    assert.equal(open('2001:db8:2:1::1').destroyed, false);
    await new Promise((resolve) => sockets[0]!.once('close', resolve).destroy());
    assert.deepEqual([open('2001:db8:1:99::1').destroyed, open('2001:db8:1:99::1').destroyed], [false, true]);
  });
});
