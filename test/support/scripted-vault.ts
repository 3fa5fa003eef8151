import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Request {
  plaintext?: string;
  ciphertext?: string;
  associated_data?: string;
}

/**
 * Starts a fake of the key service Vault (its transit engine) with the requests that workspace keys need. It
 * answers at once, and its wrapped keys are readable.
 */
export async function startScriptedVault() {
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString() || '{}') as Request;
  const { plaintext, ciphertext, associated_data: bound } = body;
  const data =
    ciphertext === undefined
      ? { ciphertext: `vault:v1:${Buffer.from(JSON.stringify([plaintext, bound])).toString('base64')}` }
      : unwrapKey(ciphertext, bound);
  outgoing.writeHead(data ? 200 : 400, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(data ? { data } : { errors: ['cipher: message authentication failed'] }));
}

function unwrapKey(ciphertext: string, bound: string | undefined): { plaintext: string } | null {
  const wrapped = Buffer.from(ciphertext.replace('vault:v1:', ''), 'base64').toString();
  const [plaintext, boundTo] = JSON.parse(wrapped) as [string, string];
  return boundTo === bound ? { plaintext } : null;
}
