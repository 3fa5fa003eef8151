import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback address. */
export class LocalServer {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(listener: RequestListener): Promise<LocalServer> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LocalServer(server);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
