import type { Tracer } from '@opentelemetry/api';
import type { IResource, Resource } from '@opentelemetry/resources';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import type { TemporalTracing } from './tracing.ts';

/** Workflows need, besides, a bundle that has the interceptors in it. */
export function temporalTracing(
  tracer: Tracer,
  processor: SpanProcessor,
  resource: IResource,
): TemporalTracing {
  return {
    client: new OpenTelemetryWorkflowClientInterceptor({ tracer }),
    activity: (context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context, { tracer }) }),
    sinks: { exporter: makeWorkflowExporter(processor, resource as Resource) },
  };
}
