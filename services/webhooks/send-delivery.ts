import { STATUS_CODES } from 'node:http';
import type { OutboundClient, OutboundResponse } from '../../adapters/http/outbound-client.ts';
import { OutboundError } from '../../adapters/http/outbound-error.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';
import type { EndpointSecrets } from './endpoint-secret.ts';
import { parseRetryAfter } from '../../adapters/http/retry-after.ts';
import { signDelivery } from './signature.ts';
import { WEBHOOK_USER_AGENT } from './webhook-client.ts';

const SECRET_UNAVAILABLE =
  'secret_unavailable: The endpoint’s signing secret cannot be decrypted now. Parley sends the delivery once it can decrypt the secret.';
const MAX_RESPONSE_BYTES = 4096;
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
const statusesWithRetryAfter: ReadonlySet<number> = new Set([429, 503]);

/** A webhook delivery and its endpoint in their current state, for one attempt. */
export interface DeliveryToSend {
  id: string;
  webhookId: string;
  event: string;
  /** JSON text of the field `data` in the request body, as stored: every attempt sends the same bytes. */
  data: string;
  url: string;
  sealedSecret: string;
  apiVersion: string;
  isActive: boolean;
}

/** Outcome of an attempt to send a webhook delivery. `reason` has the form `<code>: <sentence>`. */
export interface AttemptOutcome {
  /**
   * Kind of outcome. `transient` failures are retried, `final` failures are not. `postponed`: nothing was
   * sent, for a reason that is not the receiver's fault. `held`: nothing was sent, because the workspace's
   * key is unavailable.
   */
  result: 'delivered' | 'transient' | 'final' | 'postponed' | 'held';
  /** False if nothing was sent; the retry schedule then does not count the attempt. */
  isAttempt: boolean;
  reason: string | null;
  /** True if the receiver returned `410 Gone`, which disables the endpoint. */
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
 * Makes one attempt to send a webhook delivery: a first attempt, retry, replay or test. A failure of the
 * receiver is returned as an outcome, not thrown.
 * @throws OutboundError `aborted` when `signal` aborts
 */
export async function sendDelivery(
  delivery: DeliveryToSend,
  { outbound, secrets, clock, timeoutMs }: SendDeps,
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  if (!delivery.isActive) {
    return createUnsentOutcome('final', 'endpoint_disabled: The endpoint is disabled.');
  }
  const secret = secrets.decrypt(delivery.webhookId, delivery.sealedSecret);
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
      // The request may be repeated, since receivers identify each delivery by its id.
      isRepeatable: true,
      signal,
    });
    return toAnsweredOutcome(response, elapsedMs(startedAt), clock.now().getTime());
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
    return toFailedOutcome(error, elapsedMs(startedAt));
  }
}

/**
 * Builds the request body of a webhook delivery as text.
 * @param data the event's data as JSON text
 */
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
  // Retries if DNS does not know the host name: its records may just be changing.
  const isTransient = error.isTransient || error.kind === 'dns_not_found';
  return {
    ...createEmptyOutcome(isTransient ? 'transient' : 'final', `${code}: ${error.message}`),
    durationMs,
  };
}

type UndeliveredResult = Exclude<AttemptOutcome['result'], 'delivered'>;

/** Creates the outcome of an attempt that has sent no request to the endpoint. */
export function createUnsentOutcome(result: UndeliveredResult, reason: string): AttemptOutcome {
  return { ...createEmptyOutcome(result, reason), isAttempt: false };
}

function createEmptyOutcome(result: UndeliveredResult, reason: string): AttemptOutcome {
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
    return `http_${status}: The receiver responded with ${status}${name}; redirects are not followed.`;
  }
  const end = result === 'final' ? ', which is not retried.' : '.';
  return `http_${status}: The receiver responded with ${status}${name}${end}`;
}

/**
 * Decodes a receiver's response body to text that PostgreSQL accepts: without NUL and, if the body was cut,
 * without a partial character at the end.
 */
function decodeStorableText(body: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(body, { stream: isCut }).replaceAll('\0', '\uFFFD');
}

function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
