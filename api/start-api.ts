import { loadLanguageDetector } from '../services/knowledge/ingestion/language.ts';
import type { Runtime } from '../services/runtime.ts';
import type { ApiMetrics } from './api-metrics.ts';
import { createApp } from './app.ts';
import { connectionLimit } from './http/connections.ts';
import { Authenticator } from './http/access/authenticate.ts';
import { createClientErrorHandler } from './http/problems/client-error.ts';
import { IdempotencyGuard } from './http/idempotency.ts';
import { LongReads } from './http/limits/long-reads.ts';
import { logReporter, type Reporter } from './http/report/report-when-finished.ts';
import { operations } from './registry.ts';
import { UnreadResponses } from './http/response/unread-responses.ts';
import { startHttpServer } from './server.ts';

const RECOVERY_INTERVAL_MS = 5000;
const PRESENCE_INTERVAL_MS = 30_000;

export interface RunningApi {
  port: number;
  /** Stops accepting requests, then waits until running requests and answers of bots have ended. */
  stop(): Promise<void>;
}

/**
 * Starts the HTTP server of the API. First compiles patterns and loads tables that processing messages needs,
 * so that the first message does not block the event loop for this work.
 */
export async function startApi(runtime: Runtime): Promise<RunningApi> {
  const { settings, log, database, keyring, services, tracing } = runtime;
  const metrics = await apiMetrics(runtime);
  const report = createReporter(runtime, metrics);
  const app = createApp(operations, {
    settings,
    database,
    services,
    authenticator: new Authenticator({
      database,
      keyring,
      tokens: services.accounts.sessionTokens,
      settings,
    }),
    rateLimiter: services.requests.rateLimiter,
    longReads: new LongReads(settings),
    unreadResponses: new UnreadResponses(settings),
    idempotency: new IdempotencyGuard(database, keyring),
    versions: services.versions,
    log,
    report,
    tracing,
  });
  await loadLanguageDetector();
  const { host, port, requestTimeoutMs } = settings;
  const onClientError = createClientErrorHandler(settings, services.versions, report);
  const server = await startHttpServer(app, {
    host,
    port,
    onClientError,
    requestTimeoutMs,
    connectionLimit: connectionLimit(settings),
  });
  metrics?.watch(server.server);
  services.knowledge.search.warm();
  const recovery = setInterval(() => {
    services.conversations.answerRunner
      .recoverAbandoned()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'cannot regenerate answers of crashed processes; the next run tries again'),
      );
  }, RECOVERY_INTERVAL_MS);
  const presence = setInterval(() => {
    services.conversations.visitorEvents
      .markPresent()
      .catch((error: unknown) => log.warn({ err: error }, 'cannot store the presence of visitors'));
  }, PRESENCE_INTERVAL_MS);
  return {
    port: server.port,
    stop: async () => {
      clearInterval(recovery);
      clearInterval(presence);
      await Promise.all([
        services.conversations.feed.stop(),
        server.close(settings.shutdownGraceMs),
        services.conversations.answerRunner.drain(settings.shutdownGraceMs),
      ]);
      await Promise.all([services.mcp.toolLog.drain(), services.requests.requestLog.flush()]);
      await metrics?.close();
    },
  };
}

async function apiMetrics(runtime: Runtime): Promise<ApiMetrics | undefined> {
  const { metricsPort } = runtime.settings;
  if (metricsPort === undefined) return undefined;
  const { startApiMetrics } = await import('./api-metrics.ts');
  return startApiMetrics(runtime, metricsPort);
}

function createReporter({ log, services }: Runtime, metrics: ApiMetrics | undefined): Reporter {
  const write = logReporter(log);
  return (report, describeTarget) => {
    write(report);
    services.requests.requestLog.record(report, describeTarget);
    metrics?.count(report);
  };
}
