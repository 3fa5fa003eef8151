import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResourcesSync, envDetectorSync, Resource, type IResource } from '@opentelemetry/resources';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../core/logger.ts';
import { CredentialFreeProcessor } from './credential-free-processor.ts';
import { createTemporalTracing } from './temporal-tracing.ts';
import type { Span, SpanAttributes, SpanOptions, TemporalTracing, Tracing } from './tracing.ts';

const COMPLAINT_INTERVAL_MS = 60_000;

export interface OpenTelemetryOptions {
  endpoint: string;
  protocol: 'http/protobuf' | 'http/json';
  serviceName: string;
  log: Logger;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/**
 * Sends trace spans to an OTLP receiver in background batches. While the receiver is down, spans are lost.
 */
export class OpenTelemetry implements Tracing {
  readonly temporal: TemporalTracing;
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #complain: (error: unknown) => void;

  constructor({ endpoint, protocol, serviceName, log }: OpenTelemetryOptions) {
    const resource = createResource(serviceName);
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    const exporter = protocol === 'http/json' ? new JsonExporter({ url }) : new ProtobufExporter({ url });
    const processor = new CredentialFreeProcessor(exporter);
    this.#provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
    this.#provider.register({
      contextManager: new AsyncLocalStorageContextManager().enable(),
      propagator: new W3CTraceContextPropagator(),
    });
    this.#complain = createRateLimitedWarning(log);
    setGlobalErrorHandler(this.#complain);
    this.#tracer = this.#provider.getTracer('parley');
    this.temporal = createTemporalTracing(this.#tracer, processor, resource);
  }

  get traceparent(): string | null {
    return formatTraceparent(context.active()) ?? null;
  }

  start(name: string, { kind, parent, attributes = {} }: SpanOptions): Span {
    return new OpenSpan(
      this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, toParentContext(parent)),
    );
  }

  within<T>(span: Span, work: () => T): T {
    return span instanceof OpenSpan ? context.with(span.context, work) : work();
  }

  async close(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([this.#provider.shutdown().catch(this.#complain), timeout]);
    clearTimeout(timer);
    for (const api of [trace, context, propagation]) api.disable();
  }
}

class OpenSpan implements Span {
  readonly context: Context;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
    this.context = trace.setSpan(context.active(), span);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string {
    return formatTraceparent(this.context) ?? '';
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(failure?: string): void {
    if (failure !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute('error.type', failure);
    }
    this.#span.end();
  }
}

function toParentContext(parent: SpanOptions['parent']): Context {
  if (typeof parent !== 'string') return context.active();
  const remote = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const isValid = isSpanContextValid(
    trace.getSpanContext(remote) ?? { traceId: '', spanId: '', traceFlags: 0 },
  );
  return isValid ? remote : context.active();
}

function formatTraceparent(active: Context): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(active, carrier);
  return carrier.traceparent;
}

/** Describes this service for traces. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function createResource(serviceName: string): IResource {
  return Resource.default()
    .merge(new Resource({ 'service.name': serviceName }))
    .merge(detectResourcesSync({ detectors: [envDetectorSync] }));
}

/** Creates a function that logs failed exports of traces, at most once in a while. */
function createRateLimitedWarning(log: Logger): (error: unknown) => void {
  let complainedAt = -Infinity;
  return (error) => {
    if (performance.now() - complainedAt < COMPLAINT_INTERVAL_MS) return;
    complainedAt = performance.now();
    log.warn({ err: error }, 'cannot export traces');
  };
}
