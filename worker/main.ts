import { Runtime as TemporalRuntime, type TelemetryOptions } from '@temporalio/worker';
import { openHostGate } from '../adapters/http/host-gate.ts';
import { chooseSecretLoopback, isLocalListener } from '../adapters/http/local-host.ts';
import { openTracing } from '../adapters/telemetry/open-tracing.ts';
import { createLogger } from '../core/logger.ts';
import { loadSettings, SettingsError, type Settings } from '../core/settings/settings.ts';
import { mapStackTraces } from '../core/errors/source-lines.ts';
import { escapeUnsafe } from '../core/text/safe-text.ts';
import { openRuntime } from '../services/runtime.ts';
import { loadWorkflowBundle } from './temporal/bundle.ts';
import { startWorker } from './start-worker.ts';
import { createTemporalLogger } from './temporal/temporal-log.ts';

async function main(): Promise<void> {
  mapStackTraces();
  const settings = loadSettings(process.env);
  const log = createLogger('worker', settings.logLevel);
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  TemporalRuntime.install({
    logger: createTemporalLogger(log),
    // Send logs of the Temporal SDK's native part to this logger. By default, that part writes its own format
    // to standard error.
    telemetryOptions: { logging: { forward: {} }, ...(await openCoreMetrics(settings)) },
    shutdownSignals: [],
  });
  const tracing = await openTracing(settings, 'parley-worker', log);
  const workflowBundle = loadWorkflowBundle({ isTraced: tracing !== undefined });
  const runtime = await openRuntime({ settings, log, tracing });
  const worker = await startWorker(runtime, workflowBundle);
  log.info('worker is running');
  await waitForAbort(stopping.signal);
  const deadline = performance.now() + settings.shutdownGraceMs;
  await worker.stop();
  await runtime.close(Math.max(0, deadline - performance.now()));
  process.exit(0); // Exit even if the export of traces hangs.
}

/**
 * Opens a separate port for the metrics of the Temporal SDK's native part, which cannot use the worker's own
 * port. On a loopback address, a gate checks the `Host` header, because the native part does not check it.
 */
async function openCoreMetrics({
  metricsHost,
  temporalMetricsPort: port,
}: Settings): Promise<Pick<TelemetryOptions, 'metrics'>> {
  if (port === undefined) return {};
  const secretHost = isLocalListener(metricsHost) ? chooseSecretLoopback() : metricsHost;
  const host = secretHost.includes(':') ? `[${secretHost}]` : secretHost;
  if (secretHost !== metricsHost)
    await openHostGate({ host: metricsHost, port, target: { host: secretHost, port } });
  return { metrics: { prometheus: { bindAddress: `${host}:${port}` } } };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

main().catch((error: unknown) => {
  const message = error instanceof SettingsError ? error.message : String((error as Error).stack);
  process.stderr.write(`${escapeUnsafe(message)}\n`);
  process.exit(1);
});
