import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

export interface GatedRequest {
  method: string;
  path: string;
  body: string;
}

/**
 * Function that decides what the proxy does with a request: hold it, or respond in place of the calendar
 * server; undefined forwards the request.
 */
export type Detour = (
  request: GatedRequest,
) => undefined | 'hold' | 'hold response' | { status: number; type?: string; body?: string } | Promise<void>;

/** A proxy in front of a calendar server that holds requests or responses, or responds itself. */
export class CalendarGate {
  readonly requests: GatedRequest[] = [];
  detour: Detour = () => undefined;
  /** Number of requests and responses that the proxy holds. */
  held = 0;
  readonly #target: URL;
  readonly #server: Server;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((req, res) => void this.#serve(req, res).catch(() => res.destroy()));
  }

  static async open(target: string): Promise<CalendarGate> {
    const gate = new CalendarGate(target);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes all connections of the proxy, and forwards every later request to the calendar server. */
  reset(): void {
    this.detour = () => undefined;
    this.held = 0;
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const gated = { method: req.method ?? '', path: req.url ?? '', body: await text(req) };
    this.requests.push(gated);
    const detourResponse = this.detour(gated);
    if (detourResponse === 'hold') return void (this.held += 1);
    if (detourResponse !== undefined && detourResponse !== 'hold response' && 'status' in detourResponse) {
      res.writeHead(detourResponse.status, {
        'content-type': detourResponse.type ?? 'text/html; charset=utf-8',
      });
      return void res.end(detourResponse.body ?? '<html><body>Sign in to this network</body></html>');
    }
    const { response, body } = await this.#forward(req, gated.body);
    if (detourResponse === 'hold response') return void (this.held += 1);
    await detourResponse;
    res.writeHead(response.statusCode ?? 502, response.headers);
    res.end(body);
  }

  async #forward(req: IncomingMessage, body: string): Promise<{ response: IncomingMessage; body: Buffer }> {
    const { hostname, port } = this.#target;
    const { 'transfer-encoding': _chunked, ...headers } = req.headers;
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({
      hostname,
      port,
      method: req.method,
      path: req.url,
      headers: { ...headers, ...length },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { response, body: await buffer(response) };
  }
}
