import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from '../../core/logger.ts';

/** Shorter than the timeout of scrapers: they still get the other metrics if some cannot be measured. */
const REFRESH_TIMEOUT_MS = 2000;

export interface MetricsServerOptions {
  host: string;
  port: number;
  registry: Registry;
  log: Logger;
  /** Updates metrics that are only measured on a scrape. */
  refresh?: () => Promise<void>;
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Serves GET /metrics in Prometheus' text format on a separate port. */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port: wanted, registry, log } = options;
  const refresh = limitRefresh(options);
  const answer = async ({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if ((method !== 'GET' && method !== 'HEAD') || url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    await refresh();
    response.setHeader('Content-Type', registry.contentType);
    response.end(method === 'HEAD' ? undefined : await registry.metrics());
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'the metrics cannot be told');
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  log.info({ host, port }, 'serving metrics');
  return {
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Limits refreshes to one at a time, and does not wait for a hanging one. */
function limitRefresh({ refresh, log }: MetricsServerOptions): () => Promise<void> {
  if (!refresh) return async () => {};
  let running: Promise<void> | undefined;
  return async () => {
    running ??= refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'some metrics cannot be measured now'))
      .finally(() => (running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, REFRESH_TIMEOUT_MS)));
    await Promise.race([running, patience]);
    clearTimeout(timer);
  };
}
