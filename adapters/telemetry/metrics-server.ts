import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from '../../core/logger.ts';
import { isForThisMachine, isLocalListener, LOCAL_HOSTS_ONLY } from '../http/local-host.ts';
import { handleInTurn } from '../http/pipelined-requests.ts';

/**
 * Maximum time in milliseconds that a scrape waits for `refresh`. Shorter than the timeout of scrapers, so
 * that they still get all other metrics.
 */
const REFRESH_TIMEOUT_MS = 2000;
/** Maximum number of open connections to the metrics server, many times as many as all scrapers need. */
const MAX_CONNECTIONS = 100;

export interface MetricsServerOptions {
  host: string;
  port: number;
  registry: Registry;
  log: Logger;
  /** Updates metrics that are expensive to measure; called each time that Prometheus reads the metrics. */
  refresh?: () => Promise<void>;
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves GET /metrics on a separate port, in the text format of Prometheus. On a loopback address, responds
 * only to local host names, since web pages of other host names can lead a browser to this address.
 */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port: requestedPort, registry, log } = options;
  const refresh = limitRefresh(options);
  const isLocal = isLocalListener(host);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url } = request;
    if (isLocal && !isForThisMachine(request)) {
      response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8' }).end(`${LOCAL_HOSTS_ONLY}\n`);
      return;
    }
    if ((method !== 'GET' && method !== 'HEAD') || url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    await refresh();
    response.setHeader('Content-Type', registry.contentType);
    response.end(method === 'HEAD' ? undefined : await registry.metrics());
  };
  const server = createServer(
    handleInTurn((request, response) => {
      respond(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'cannot render the metrics');
        response.writeHead(500).end();
      });
    }),
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(requestedPort, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  log.info({ host, port }, 'metrics server is listening');
  return {
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Returns a function that runs `refresh` (the update of expensive metrics), once at a time, and waits for its
 * result at most `REFRESH_TIMEOUT_MS`.
 */
function limitRefresh({ refresh, log }: MetricsServerOptions): () => Promise<void> {
  if (!refresh) return async () => {};
  let running: Promise<void> | undefined;
  return async () => {
    running ??= refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'cannot refresh some metrics'))
      .finally(() => (running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, REFRESH_TIMEOUT_MS)));
    await Promise.race([running, timeout]);
    clearTimeout(timer);
  };
}
