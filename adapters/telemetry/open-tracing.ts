import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Tracing } from './tracing.ts';

/** Opens tracing if a receiver is configured. Otherwise OpenTelemetry is not loaded. */
export async function openTracing(
  { otlpEndpoint: endpoint, otlpProtocol: protocol }: Pick<Settings, 'otlpEndpoint' | 'otlpProtocol'>,
  serviceName: 'parley-api' | 'parley-worker',
  log: Logger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.ts');
  return new OpenTelemetry({ endpoint, protocol, serviceName, log });
}
