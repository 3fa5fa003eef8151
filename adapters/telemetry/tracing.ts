import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';

export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface Span {
  readonly traceId: string;
  /** How it is named to others (W3C Trace Context), to go on with later or elsewhere. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure what went wrong, in a word of ours; it makes the span an error */
  end(failure?: string): void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  /** A `traceparent`; without a valid one the span that is active is the parent. */
  parent?: string | string[] | null | undefined;
  attributes?: SpanAttributes;
}

/** Spans of what this program does. There is no such object where traces are not wanted. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** What `work` starts becomes children of the span. */
  within<T>(span: Span, work: () => T): T;
  /** Of the active span; null outside of any. */
  readonly traceparent: string | null;
  readonly temporal: TemporalTracing;
  /** Sends what is finished and waits for that at most so long. */
  close(timeoutMs: number): Promise<void>;
}

/** What carries traces through Temporal: into workflows, out of their sandbox, and into activities. */
export interface TemporalTracing {
  client: WorkflowClientInterceptor;
  activity: ActivityInterceptorsFactory;
  sinks: NonNullable<WorkerOptions['sinks']>;
}
