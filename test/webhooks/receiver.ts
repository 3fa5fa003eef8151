import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: string;
  receivedAt: number;
}

export interface Receiver {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

/**
 * Starts a customer’s server for webhooks on a free loopback port.
 * @param answer responds 200 by default; `count` is the number of the request, from 1
 */
export async function startReceiver(
  answer: Answer = (response) => response.end('thanks'),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '/', headers } = request;
      const received = {
        path,
        headers,
        body: Buffer.concat(parts).toString('utf8'),
        receivedAt: Date.now(),
      };
      answer(response, received, requests.push(received));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
