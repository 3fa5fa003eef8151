import type { Server, ServerResponse } from 'node:http';
import { Counter, Gauge, Histogram } from 'prom-client';
import { serveMetrics } from '../adapters/telemetry/metrics-server.ts';
import { createProcessRegistry } from '../adapters/telemetry/process-metrics.ts';
import type { Runtime } from '../services/runtime.ts';
import type { RequestReport } from './http/report/request-report.ts';

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export interface ApiMetrics {
  port: number;
  count(report: RequestReport): void;
  watch(server: Server): void;
  close(): Promise<void>;
}

/**
 * Serves the API's metrics. Labels are operation ids, HTTP methods and classes of statuses, so there are a
 * few hundred series at most.
 */
export async function startApiMetrics(
  { settings: { metricsHost: host }, database, services, log }: Runtime,
  port: number,
): Promise<ApiMetrics> {
  const registry = createProcessRegistry({
    pool: () => database.poolUsage,
    undecryptableValues: () => services.encryption.undecryptableValues.count,
    flaggedMails: () => services.mail.senderChecks.flagged,
  });
  const registers = [registry];
  const duration = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Duration of requests, from arrival to the last byte of the response.',
    labelNames: ['operation', 'method', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'parley_http_requests_in_flight',
    help: 'Requests in progress, including streams.',
    registers,
  });
  const refusals = new Counter({
    name: 'parley_rate_limit_refusals_total',
    help: 'Requests refused because a limit was reached.',
    labelNames: ['operation', 'caller'],
    registers,
  });
  const server = await serveMetrics({ host, port, registry, log });
  return {
    port: server.port,
    count: ({ operation = 'none', method = 'none', status, durationMs, errorCode, principal }) => {
      const statusClass = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
      duration.observe({ operation, method, status: statusClass }, durationMs / 1000);
      if (errorCode === 'rate_limited') refusals.inc({ operation, caller: principal.type });
    },
    watch: (api) => {
      api.on('request', (_request, response: ServerResponse) => {
        inFlight.inc();
        response.once('close', () => inFlight.dec());
      });
    },
    close: () => server.close(),
  };
}
