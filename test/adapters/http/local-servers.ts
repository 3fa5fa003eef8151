import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { OutboundError, type OutboundErrorKind } from '../../../adapters/http/outbound-error.ts';

/** Servers of one test file on free ports; `close` ends the servers with their connections. */
export class LocalServers {
  readonly #servers = new Set<{ server: Server; sockets: Set<Socket> }>();

  http(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
    return this.#listen(createHttpServer(listener), host);
  }

  tcp(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
    return this.#listen(createTcpServer(onSocket), host);
  }

  https(certificate: string, listener: RequestListener): Promise<number> {
    const options = { key: readCertificate('server.key'), cert: readCertificate(certificate) };
    return this.#listen(createHttpsServer(options, listener), '127.0.0.1');
  }

  async close(): Promise<void> {
    const open = [...this.#servers];
    this.#servers.clear();
    await Promise.all(
      open.map(({ server, sockets }) => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }

  async #listen(server: Server, host: string): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    this.#servers.add({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return (server.address() as AddressInfo).port;
  }
}

export function readCertificate(name: string): string {
  return readFileSync(new URL(`certificates/${name}`, import.meta.url), 'utf8');
}

/** Returns a predicate for `assert.rejects`, which accepts an OutboundError of this kind. */
export function matchesKind(kind: OutboundErrorKind): (error: unknown) => boolean {
  return (error) => error instanceof OutboundError && error.kind === kind;
}
