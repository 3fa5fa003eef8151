import { OpenTelemetry } from '../../adapters/telemetry/open-telemetry.ts';
import type { Logger } from '../../core/logger.ts';

const EXPORT_DELAY = 'OTEL_BSP_SCHEDULE_DELAY';

/** Exports trace spans after 100 ms, so that tests can wait for them: a process that ends waits at most two seconds. */
export function openTelemetry(endpoint: string, log: Logger): OpenTelemetry {
  process.env[EXPORT_DELAY] = '100';
  try {
    return new OpenTelemetry({ endpoint, protocol: 'http/json', serviceName: 'parley-test', log });
  } finally {
    delete process.env[EXPORT_DELAY];
  }
}
