import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isForThisMachine, LOCAL_HOSTS_ONLY } from './local-host.ts';
import { handleInTurn } from './pipelined-requests.ts';

/** Headers that concern only one connection (hop-by-hop), which a proxy must not forward. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export interface HostGateOptions {
  host: string;
  port: number;
  /** Address of the server to which the proxy forwards requests. */
  target: { host: string; port: number };
}

export interface HostGate {
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a server that accepts any `Host` header. The proxy forwards requests with a
 * local host name and rejects all other requests with 421.
 */
export async function openHostGate({ host, port, target }: HostGateOptions): Promise<HostGate> {
  const agent = new Agent({ keepAlive: true });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (isForThisMachine(request)) return void forward(request, response, { ...target, agent });
    rejectRequest(response, 421, LOCAL_HOSTS_ONLY);
  };
  const server = createServer({ requireHostHeader: false }, handleInTurn(handle));
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
    else rejectRequest(response, 502, 'The server does not respond. It may still be starting.');
  }
}

/**
 * Removes the headers that a proxy must not forward.
 * @param raw list of headers in which names and values alternate
 */
function removeHopHeaders(raw: readonly string[]): string[] {
  return raw.filter((_each, index) => !HOP_HEADERS.has(raw[index - (index % 2)]!.toLowerCase()));
}

function rejectRequest(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`);
}
