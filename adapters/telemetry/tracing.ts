import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';

export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface Span {
  readonly traceId: string;
  /**
   * Value `traceparent` of the span (W3C Trace Context), with which the trace can be continued later or in
   * another process.
   */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure type of the error in one word, which marks the span as failed; omitted after a success */
  end(failure?: string): void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  /** Value `traceparent` of the parent span. Without a valid value, the active span is the parent. */
  parent?: string | string[] | null | undefined;
  attributes?: SpanAttributes;
}

/** Creates trace spans. The object is undefined if tracing is disabled. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Runs `work` with `span` as the active span, the parent of spans that `work` starts. */
  within<T>(span: Span, work: () => T): T;
  /** Value `traceparent` of the active span; null if no span is active. */
  readonly traceparent: string | null;
  readonly temporal: TemporalTracing;
  /** Exports finished spans, and waits for the export at most `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Interceptors that continue traces through Temporal: from the client into workflows, and from workflows into
 * activities.
 */
export interface TemporalTracing {
  client: WorkflowClientInterceptor;
  activity: ActivityInterceptorsFactory;
  sinks: NonNullable<WorkerOptions['sinks']>;
}
