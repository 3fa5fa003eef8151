import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';

export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface Span {
  readonly traceId: string;
  /** Reference to the span (W3C Trace Context), for continuing the trace later or elsewhere. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure error type in one word; marks the span as an error */
  end(failure?: string): void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  /** A `traceparent`; without a valid one, the active span is the parent. */
  parent?: string | string[] | null | undefined;
  attributes?: SpanAttributes;
}

/** Creates spans. The object does not exist if tracing is off. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Runs `work` with the span as the parent of its spans. */
  within<T>(span: Span, work: () => T): T;
  /** Reference to the active span; null outside of any. */
  readonly traceparent: string | null;
  readonly temporal: TemporalTracing;
  /** Exports finished spans, and waits for that at most `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/** Carries traces through Temporal: into workflows, out of their sandbox, and into activities. */
export interface TemporalTracing {
  client: WorkflowClientInterceptor;
  activity: ActivityInterceptorsFactory;
  sinks: NonNullable<WorkerOptions['sinks']>;
}
