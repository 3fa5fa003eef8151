import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { waitUntil } from '../support/wait-until.ts';

export interface ShopRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Shop {
  readonly origin: string;
  readonly requests: ShopRequest[];
  /** Waits until the customer's server has received `count` requests. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a customer's server, which flows call, on a free loopback port. */
export async function openShop(
  respond: (request: ShopRequest, response: ServerResponse) => void | Promise<void>,
): Promise<Shop> {
  const requests: ShopRequest[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    await respond(request, response);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    asked: (count) => waitUntil(() => requests.length >= count, 'a request'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
