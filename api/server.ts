import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { handleInTurn } from '../adapters/http/pipelined-requests.ts';
import { AppError } from '../core/errors/errors.ts';
import { closeIdleConnections, limitConnections, type ConnectionLimit } from './http/connections.ts';
import { watchChunks } from './http/body/chunk-sizes.ts';
import type { ClientErrorHandler } from './http/problems/client-error.ts';

/** Maximum milliseconds for receiving a request's headers. The maximum for the whole request is a setting. */
const HEADERS_TIMEOUT_MS = 20_000;
/**
 * Milliseconds for which idle connections stay open. Longer than the idle timeout of proxies, which would
 * otherwise send requests on a connection that this server is closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * Maximum milliseconds without a byte in either direction, after which a connection is closed. Clients on
 * poor networks pause for seconds, and event streams send comments more often than this.
 */
const IDLE_TIMEOUT_MS = 60_000;
/**
 * Maximum open connections. With an event stream on each, 50,000 connections take 1.4 GB, the most that one
 * process should use.
 */
const MAX_CONNECTIONS = 50_000;
const SWEEP_INTERVAL_MS = 50;
/**
 * Maximum connections that wait until the server accepts them; the operating system may allow fewer. Clients
 * retry further connections after seconds.
 */
const BACKLOG = 4096;

export interface RunningServer {
  server: Server;
  port: number;
  /**
   * Stops accepting requests, waits up to `graceMs` milliseconds for running requests, then closes all
   * connections.
   */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  onClientError: ClientErrorHandler;
  requestTimeoutMs: number;
  /** Limit on open connections per IP address; none by default. */
  connectionLimit?: ConnectionLimit;
  headersTimeoutMs?: number;
  idleTimeoutMs?: number;
}

export async function startHttpServer(
  app: Koa,
  {
    host,
    port,
    onClientError,
    requestTimeoutMs,
    connectionLimit = () => Infinity,
    headersTimeoutMs: requestedTimeoutMs = HEADERS_TIMEOUT_MS,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
  }: ListenOptions,
): Promise<RunningServer> {
  // Node rejects a timeout for headers that is longer than the timeout for the whole request.
  const headersTimeoutMs = Math.min(requestedTimeoutMs, requestTimeoutMs);
  const callback = app.callback();
  const handle = handleInTurn((request, response) => void callback(request, response));
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    watchChunks(request, (error) => onClientError(error, request.socket));
    handle(request, response);
  };
  const server = createServer(
    {
      requireHostHeader: false, // The application itself rejects requests without a Host header.
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
  // Listen to the events of unusual requests. Without listeners, Node would respond itself, or close the
  // connection without a response.
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, connection) => onClientError(createNotAProxyError(), connection));
  server.on('clientError', onClientError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port, close: (graceMs) => drain(server, graceMs) };
}

function createNotAProxyError(): AppError {
  return new AppError('method_not_allowed', 'This server is not a proxy and does not support CONNECT.', {
    headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
  });
}

async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  // Closes idle connections repeatedly: a connection becomes idle only when its running response has ended.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  server.closeIdleConnections();
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
