import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { AppError } from '../core/errors/errors.ts';
import { closeIdleConnections, limitConnections, type ConnectionLimit } from './http/connections.ts';
import { watchChunks } from './http/body/chunk-sizes.ts';
import { handleInTurn } from './http/pipelined-requests.ts';
import type { ClientErrorHandler } from './http/problems/client-error.ts';

/** Timeout of the headers; the whole request has a setting. */
const HEADERS_TIMEOUT_MS = 20_000;
/** Longer than proxies' own timeout; otherwise they would send a request on a closing connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * Time without a byte in either direction. Clients on poor networks pause for seconds; event streams send
 * comments more often.
 */
const IDLE_TIMEOUT_MS = 60_000;
/** Streams on so many connections take 1.4 GB, which is the most that one process should use. */
const MAX_CONNECTIONS = 50_000;
const SWEEP_INTERVAL_MS = 50;
/** Maximum connections waiting to be accepted; the system may allow fewer. Further ones are retried seconds later. */
const BACKLOG = 4096;

export interface RunningServer {
  server: Server;
  port: number;
  /** Accepts no new requests, waits at most `graceMs` for running ones, then closes the rest. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  onClientError: ClientErrorHandler;
  requestTimeoutMs: number;
  /** Unlimited by default. */
  connectionLimit?: ConnectionLimit;
  headersTimeoutMs?: number;
  idleTimeoutMs?: number;
}

export async function listen(
  app: Koa,
  {
    host,
    port,
    onClientError,
    requestTimeoutMs,
    connectionLimit = () => Infinity,
    headersTimeoutMs: asked = HEADERS_TIMEOUT_MS,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
  }: ListenOptions,
): Promise<RunningServer> {
  // Node allows no longer timeout for the headers than for the whole request.
  const headersTimeoutMs = Math.min(asked, requestTimeoutMs);
  const callback = app.callback();
  const handle = handleInTurn((request, response) => void callback(request, response));
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    watchChunks(request, (error) => onClientError(error, request.socket));
    handle(request, response);
  };
  const server = createServer(
    {
      requireHostHeader: false, // The application sends this header itself.
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 4,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    onRequest,
  );
  server.maxConnections = MAX_CONNECTIONS;
  limitConnections(server, connectionLimit);
  closeIdleConnections(server, idleTimeoutMs, onClientError);
  // Node would respond to these itself, or not at all.
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, connection) => onClientError(notAProxy(), connection));
  server.on('clientError', onClientError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port, close: (graceMs) => drain(server, graceMs) };
}

function notAProxy(): AppError {
  return new AppError('method_not_allowed', 'This server is no proxy: it knows no CONNECT.', {
    headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
  });
}

async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  // A connection with a response in progress becomes idle later.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  server.closeIdleConnections();
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
