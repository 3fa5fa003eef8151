import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy in front of the database, whose connections tests can cut. */
export class DatabaseLink {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl);
  }

  get url(): string {
    const url = new URL(this.#target);
    url.port = String(this.#port);
    return url.href;
  }

  async connect(): Promise<void> {
    this.#server = createServer((near) => {
      const far = createConnection({ host: this.#target.hostname, port: Number(this.#target.port) });
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}
