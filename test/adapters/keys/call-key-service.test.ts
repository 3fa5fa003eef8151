import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KeyServiceError } from '../../../adapters/keys/services/key-service.ts';
import { VaultTransit } from '../../../adapters/keys/services/vault-transit.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';

describe('VaultTransit.wrap', () => {
  const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
  let server: Server;
  let vault: VaultTransit;
  let ciphertext: unknown;
  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: { ciphertext } }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = {
      type: 'vault_transit',
      url,
      mount: 'transit',
      key_name: 'parley',
      namespace: null,
    } as const;
    vault = new VaultTransit(client, config, { token: 'hvs.test' });
  });
  after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  const wrap = (answered: unknown) => {
    ciphertext = answered;
    return vault.wrap(Buffer.alloc(32), { orgId: 'org-1', version: 1 });
  };

  it('returns the ciphertext', async () => {
    assert.equal(await wrap('vault:v1:abc+/='), 'vault:v1:abc+/=');
  });

  for (const [what, answered] of [
    ['NUL', 'vault:v1:\u0000'],
    ['no characters', ''],
    ['more than 8 KB', 'a'.repeat(8193)],
    ['the wrong type', { toString: 1 }],
  ] as const)
    it(`throws for a ciphertext with ${what}`, () =>
      assert.rejects(wrap(answered), (error) => error instanceof KeyServiceError));
});
