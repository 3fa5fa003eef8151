import { openTracing } from '../adapters/telemetry/open-tracing.ts';
import { createLogger } from '../core/logger.ts';
import { loadSettings, SettingsError } from '../core/settings/settings.ts';
import { mapStackTraces } from '../core/errors/source-lines.ts';
import { escapeUnsafe } from '../core/text/safe-text.ts';
import { openRuntime } from '../services/runtime.ts';
import { startApi } from './start-api.ts';
import { letYoungHeapGrow } from './young-heap.ts';

async function main(): Promise<void> {
  mapStackTraces();
  const settings = loadSettings(process.env);
  const log = createLogger('api', settings.logLevel);
  const tracing = await openTracing(settings, 'parley-api', log);
  const runtime = await openRuntime({ settings, log, tracing });
  const api = await startApi(runtime);
  letYoungHeapGrow();
  log.info({ port: api.port }, 'API is listening');

  const stopApi = async (): Promise<void> => {
    const deadline = performance.now() + settings.shutdownGraceMs;
    await api.stop();
    await runtime.close(Math.max(0, deadline - performance.now()));
    process.exit(0);
  };
  process.once('SIGTERM', () => void stopApi());
  process.once('SIGINT', () => void stopApi());
}

main().catch((error: unknown) => {
  const message = error instanceof SettingsError ? error.message : String((error as Error).stack);
  process.stderr.write(`${escapeUnsafe(message)}\n`);
  process.exit(1);
});
