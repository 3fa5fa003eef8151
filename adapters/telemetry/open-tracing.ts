import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Tracing } from './tracing.ts';

/** Starts tracing if the settings name an OTLP receiver. Only then imports OpenTelemetry. */
export async function openTracing(
  { otlpEndpoint: endpoint, otlpProtocol: protocol }: Pick<Settings, 'otlpEndpoint' | 'otlpProtocol'>,
  serviceName: 'parley-api' | 'parley-worker',
  log: Logger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.ts');
  return new OpenTelemetry({ endpoint, protocol, serviceName, log });
}
