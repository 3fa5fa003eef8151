import { OpenTelemetry } from '../../adapters/telemetry/open-telemetry.ts';
import type { Logger } from '../../core/logger.ts';

const EXPORT_DELAY = 'OTEL_BSP_SCHEDULE_DELAY';

/** Exports soon, so that a test can wait for its spans: the end of a process waits two seconds for them, and no longer. */
export function openTelemetry(endpoint: string, log: Logger): OpenTelemetry {
  process.env[EXPORT_DELAY] = '100';
  try {
    return new OpenTelemetry({ endpoint, protocol: 'http/json', serviceName: 'parley-test', log });
  } finally {
    delete process.env[EXPORT_DELAY];
  }
}
