import { STATUS_CODES } from 'node:http';
import type { OutboundClient, OutboundResponse } from '../../adapters/http/outbound-client.ts';
import { OutboundError } from '../../adapters/http/outbound-error.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';
import type { EndpointSecrets } from './endpoint-secret.ts';
import { parseRetryAfter } from '../../adapters/http/retry-after.ts';
import { signDelivery } from './signature.ts';
import { WEBHOOK_USER_AGENT } from './webhook-client.ts';

const SECRET_UNAVAILABLE =
  'secret_unavailable: The endpoint’s signing secret cannot be read at present. This is sent once it can.';
const MAX_RESPONSE_BYTES = 4096;
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
const statusesWithRetryAfter: ReadonlySet<number> = new Set([429, 503]);

/** Input of one attempt: the current state of a delivery and its endpoint. */
export interface DeliveryToSend {
  id: string;
  webhookId: string;
  event: string;
  /** The body's `data` as stored JSON text: every attempt sends the same bytes. */
  data: string;
  url: string;
  sealedSecret: string;
  apiVersion: string;
  isActive: boolean;
}

/** Outcome of an attempt. `reason` has the form `<code>: <sentence>`. */
export interface AttemptOutcome {
  /**
   * `transient` failures are retried, `final` ones are not. A `postponed` delivery was not sent for a reason of Parley's
   * own, and a `held` one waits for its workspace's key.
   */
  result: 'delivered' | 'transient' | 'final' | 'postponed' | 'held';
  /** False when nothing was sent, so that it does not count as an attempt. */
  isAttempt: boolean;
  reason: string | null;
  /** The receiver returned 410: the endpoint must not be used again. */
  isGone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number | null;
  retryAfterMs: number | undefined;
}

export interface SendDeps {
  outbound: OutboundClient;
  secrets: EndpointSecrets;
  clock: Clock;
  timeoutMs: number;
}

/**
 * Sends one attempt of a delivery: a first attempt, retry, replay or test. Failures of the receiver are outcomes, not
 * errors.
 * @throws OutboundError `aborted` when `signal` ends it
 */
export async function sendDelivery(
  delivery: DeliveryToSend,
  { outbound, secrets, clock, timeoutMs }: SendDeps,
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  if (!delivery.isActive) {
    return createUnsentOutcome('final', 'endpoint_disabled: The endpoint is disabled.');
  }
  const secret = secrets.open(delivery.webhookId, delivery.sealedSecret);
  if (secret === undefined) {
    return createUnsentOutcome('postponed', SECRET_UNAVAILABLE);
  }
  const startedAt = performance.now();
  const body = buildDeliveryBody(delivery.event, delivery.data);
  try {
    const response = await outbound.request({
      url: delivery.url,
      method: 'POST',
      headers: buildDeliveryHeaders(delivery, secret, unixSeconds(clock), body),
      body,
      timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
      onOverflow: 'truncate',
      redirect: 'manual',
      signal,
    });
    return toAnsweredOutcome(response, elapsedMs(startedAt), clock.now().getTime());
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
    return toFailedOutcome(error, elapsedMs(startedAt));
  }
}

/** Builds the raw request body. @param data JSON text */
function buildDeliveryBody(event: string, data: string): string {
  return `{"event":${JSON.stringify(event)},"data":${data}}`;
}

function buildDeliveryHeaders(
  { id, webhookId, event, apiVersion }: DeliveryToSend,
  secret: string,
  timestamp: number,
  body: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-webhook-signature': signDelivery(secret, timestamp, body),
    'x-webhook-event': event,
    'x-webhook-id': webhookId,
    'x-webhook-delivery': id,
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-version': apiVersion,
    'user-agent': WEBHOOK_USER_AGENT,
  };
}

function toAnsweredOutcome(
  { status, headers, body, truncated }: OutboundResponse,
  durationMs: number,
  nowMs: number,
): AttemptOutcome {
  const result = classifyStatus(status);
  return {
    result,
    isAttempt: true,
    reason: result === 'delivered' ? null : describeStatus(status, result),
    isGone: status === 410,
    responseStatus: status,
    responseBody: decodeStorableText(body, truncated),
    durationMs,
    retryAfterMs: statusesWithRetryAfter.has(status)
      ? parseRetryAfter(headers['retry-after'], nowMs)
      : undefined,
  };
}

function toFailedOutcome(error: OutboundError, durationMs: number): AttemptOutcome {
  const code = error.kind === 'refused' ? 'url_refused' : error.kind;
  // Retries a missing host name, which may be due to a change of its DNS records.
  const isTransient = error.isTransient || error.kind === 'dns_not_found';
  return {
    ...createEmptyOutcome(isTransient ? 'transient' : 'final', `${code}: ${error.message}`),
    durationMs,
  };
}

type Unanswered = Exclude<AttemptOutcome['result'], 'delivered'>;

/** Creates the outcome of an attempt that sent nothing. */
export function createUnsentOutcome(result: Unanswered, reason: string): AttemptOutcome {
  return { ...createEmptyOutcome(result, reason), isAttempt: false };
}

function createEmptyOutcome(result: Unanswered, reason: string): AttemptOutcome {
  return {
    result,
    isAttempt: true,
    reason,
    isGone: false,
    responseStatus: null,
    responseBody: null,
    durationMs: null,
    retryAfterMs: undefined,
  };
}

function classifyStatus(status: number): 'delivered' | 'transient' | 'final' {
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || transientStatuses.has(status) ? 'transient' : 'final';
}

function describeStatus(status: number, result: 'transient' | 'final'): string {
  const name = STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : '';
  if (status >= 300 && status < 400) {
    return `http_${status}: The receiver answered ${status}${name}; redirects are not followed.`;
  }
  const end = result === 'final' ? ', which is not tried again.' : '.';
  return `http_${status}: The receiver answered ${status}${name}${end}`;
}

/** Decodes a body to text that PostgreSQL accepts: without NUL, and without a partial character at the cut. */
function decodeStorableText(body: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(body, { stream: isCut }).replaceAll('\0', '\uFFFD');
}

function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
