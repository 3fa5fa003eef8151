import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Host names of this machine. In a DNS rebinding attack, a page points its own name at 127.0.0.1, but cannot send
 * these names.
 */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Hop-by-hop headers. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export interface HostGateOptions {
  host: string;
  port: number;
  /** The server behind the gate. */
  target: { host: string; port: number };
}

export interface HostGate {
  close(): Promise<void>;
}

/** Forwards requests for this machine to a server that accepts any `Host`. Rejects others with 421. */
export async function openHostGate({ host, port, target }: HostGateOptions): Promise<HostGate> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    if (!isForThisMachine(request)) {
      rejectRequest(response, 421, 'This server answers to localhost, 127.0.0.1 and [::1] alone.');
      return;
    }
    void forward(request, response, { ...target, agent });
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isForThisMachine({ url, headersDistinct }: IncomingMessage): boolean {
  const hosts = headersDistinct['host'] ?? [];
  // An absolute URL in the request line would override the header.
  return hosts.length === 1 && LOCAL_HOST.test(hosts[0]!) && url?.startsWith('/') === true;
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: { host: string; port: number; agent: Agent },
): Promise<void> {
  const { method, url: path, headers } = request;
  const { connection: _own, ...passed } = headers;
  const forwarded = sendRequest({ ...target, method, path, headers: passed });
  response.once('close', () => forwarded.destroy());
  try {
    const responded = once(forwarded, 'response') as Promise<[IncomingMessage]>;
    const [[answer]] = await Promise.all([responded, pipeline(request, forwarded)]);
    response.writeHead(answer.statusCode ?? 502, removeHopHeaders(answer.rawHeaders));
    await pipeline(answer, response);
  } catch {
    if (response.headersSent) response.destroy();
    else rejectRequest(response, 502, 'The server does not answer. It may still be starting.');
  }
}

/**
 * Removes hop-by-hop headers.
 * @param raw names and values in turn
 */
function removeHopHeaders(raw: readonly string[]): string[] {
  return raw.filter((_each, index) => !HOP_HEADERS.has(raw[index - (index % 2)]!.toLowerCase()));
}

function rejectRequest(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`);
}
