import type { Span, Tracing } from '../adapters/telemetry/tracing.ts';
import type { OutboxRow } from '../entities/outbox/outbox.entity.ts';
import type { AttemptOutcome } from '../services/webhooks/send-delivery.ts';
import type { ClaimedDelivery } from '../repositories/webhooks/delivery-queue.sql.ts';

type RelayedRow = Pick<OutboxRow, 'id' | 'orgId' | 'name' | 'attempts' | 'traceparent'>;

/** Starts a trace span for delivering an outbox row, in the trace that wrote the row. */
export function startRelaySpan(
  tracing: Tracing,
  { id, orgId, name, attempts, traceparent }: RelayedRow,
): Span {
  return tracing.start(`relay ${name}`, {
    kind: 'consumer',
    parent: traceparent,
    attributes: { 'parley.outbox_id': id, 'parley.org_id': orgId, 'parley.attempts': attempts },
  });
}

export function traceRelay(
  tracing: Tracing | undefined,
  row: RelayedRow,
  relay: () => Promise<void>,
): Promise<void> {
  return tracing ? runInSpan(tracing, startRelaySpan(tracing, row), relay) : relay();
}

/**
 * Runs an attempt to deliver a webhook in a trace span. Sends no trace context to the receiver, because the
 * receiver is a third party.
 */
export function traceAttempt(
  tracing: Tracing | undefined,
  { id, webhookId, event, attempts, url, traceparent }: ClaimedDelivery,
  attempt: () => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  if (!tracing) return attempt();
  const span = tracing.start(`deliver ${event}`, {
    kind: 'client',
    parent: traceparent,
    attributes: {
      'http.request.method': 'POST',
      'server.address': new URL(url).hostname,
      'parley.webhook_id': webhookId,
      'parley.delivery_id': id,
      'parley.attempts': attempts,
    },
  });
  return runInSpan(tracing, span, attempt, ({ result, responseStatus, reason }) => {
    span.set({ 'http.response.status_code': responseStatus ?? undefined, 'parley.outcome': result });
    return result === 'delivered' ? undefined : reason?.split(':')[0];
  });
}

/**
 * Runs `work` in a trace span, and ends the span.
 * @param describeFailure function that returns the error type if the result is a failure
 */
async function runInSpan<T>(
  tracing: Tracing,
  span: Span,
  work: () => Promise<T>,
  describeFailure: (result: T) => string | undefined = () => undefined,
): Promise<T> {
  try {
    const result = await tracing.within(span, work);
    span.end(describeFailure(result));
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'unknown');
    throw error;
  }
}
