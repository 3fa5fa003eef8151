import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createOneTimeSignal } from './one-time-signal.ts';

/** Behavior of the proxy toward a request: forward it, answer it, or leave it unanswered. */
export type FrontMode =
  | 'pass'
  | 'refuse'
  | 'refuse_opening'
  | 'hang'
  | 'fail'
  | 'cut'
  | 'redirect'
  | 'other_key'
  | 'short_key';

/** A proxy in front of a key service. It imitates the failures that the service's owner or a network can cause. */
export class KeyServiceFront {
  mode: FrontMode = 'pass';
  /** Requests that the proxy has received, oldest first. */
  readonly requests: { path: string; target: string; body: string }[] = [];
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  #held: ((url: string) => Promise<void>) | undefined;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(behind: string): Promise<KeyServiceFront> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new KeyServiceFront(server);
    server.on('request', (incoming, outgoing) => void front.#serve(incoming, outgoing, behind));
    return front;
  }

  /** Delays the next request whose path ends with `pathEnd` until the test calls `release`. */
  holdNext(pathEnd: string): { asked: Promise<void>; release: () => void } {
    const [asked, released] = [createOneTimeSignal(), createOneTimeSignal()];
    this.#held = async (url) => {
      if (!url.endsWith(pathEnd)) return;
      this.#held = undefined;
      asked.happen();
      await released.happened;
    };
    return { asked: asked.happened, release: released.happen };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse, behind: string): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const { url = '/', method, headers } = incoming;
    this.requests.push({ path: url, target: String(headers['x-amz-target'] ?? ''), body: body.toString() });
    await this.#held?.(url);
    if (this.mode === 'hang') return;
    const isRefused = this.mode === 'refuse' || (this.mode === 'refuse_opening' && url.includes('/decrypt/'));
    if (isRefused) return sendKeyServiceAnswer(outgoing, 403, { errors: ['permission denied'] });
    if (this.mode === 'cut') {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      outgoing.write('{"data":', () => outgoing.destroy());
      return;
    }
    if (this.mode === 'fail') return sendKeyServiceAnswer(outgoing, 503, { errors: ['Vault is sealed'] });
    if (url.includes('/decrypt/') && (this.mode === 'other_key' || this.mode === 'short_key')) {
      const plaintext = Buffer.alloc(this.mode === 'other_key' ? 32 : 3, 7).toString('base64');
      return sendKeyServiceAnswer(outgoing, 200, { data: { plaintext } });
    }
    if (this.mode === 'redirect') {
      outgoing.writeHead(307, { location: `${behind}${url}` }).end();
      return;
    }
    const passed = request(`${behind}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () =>
      sendKeyServiceAnswer(outgoing, 502, { errors: ['the key service is unreachable'] }),
    );
    passed.end(body);
  }
}

function sendKeyServiceAnswer(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
