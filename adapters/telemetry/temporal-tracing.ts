import type { Tracer } from '@opentelemetry/api';
import type { IResource, Resource } from '@opentelemetry/resources';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { TemporalTracing } from './tracing.ts';

type ExportedSpans = Parameters<ReturnType<typeof makeWorkflowExporter>['export']['fn']>[1];

/**
 * Creates the interceptors that trace Temporal's client and activities. Workflows have their own interceptors
 * in a separate bundle.
 */
export function createTemporalTracing(
  tracer: Tracer,
  processor: SpanProcessor,
  resource: IResource,
): TemporalTracing {
  const exporter = makeWorkflowExporter(processor, resource as Resource);
  return {
    client: new OpenTelemetryWorkflowClientInterceptor({ tracer }),
    activity: (context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context, { tracer }) }),
    sinks: {
      exporter: {
        export: {
          fn: (info: WorkflowInfo, spans: ExportedSpans) =>
            exporter.export.fn(pickWorkflowIdentity(info), spans),
        },
      },
    },
  };
}

/**
 * Reduces the info of a workflow to its identity. All fields of the info would become span attributes, and
 * the other fields contain results and failures of earlier runs.
 */
function pickWorkflowIdentity({
  workflowId,
  runId,
  workflowType,
  taskQueue,
  attempt,
}: WorkflowInfo): WorkflowInfo {
  return { workflowId, runId, workflowType, taskQueue, attempt } as WorkflowInfo;
}
