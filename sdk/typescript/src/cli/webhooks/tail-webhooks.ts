import { createHmac, randomBytes } from 'node:crypto';
import type { Parley } from '../../client.ts';
import { describeConnectionCause } from '../../connection-cause.ts';
import type { WebhookDeliveryResponse } from '../../generated/models.ts';
import type { WebhooksListDeliveriesQuery } from '../../generated/resources.ts';
import { isTemporary, pause } from '../../retries.ts';
import { writeResult, UsageError, type Context } from '../command.ts';
import { parseCount } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { requireEvent } from './require-event.ts';
import { createSecretHint } from './secret-hint.ts';

const HTTP = /^https?:\/\//i;
const POLL_MS = 1000;
const FORWARD_TIMEOUT_MS = 15_000;

/** Writes new webhook deliveries, and forwards each to the URL in the command's options. */
export async function tailWebhooks(context: Context): Promise<void> {
  const { client, values, err } = context;
  const { event, endpoint, forward, limit } = values as Record<string, string | undefined>;
  let remaining = limit === undefined ? Infinity : parseCount('--limit', limit);
  if (values['secret'] !== undefined && forward === undefined)
    throw new UsageError('--secret requires --forward.');
  if (forward !== undefined && !(HTTP.test(forward) && URL.canParse(forward)))
    throw new UsageError(`--forward must be a URL such as http://localhost:4242/, not ${forward}.`);
  const secret = typeof values['secret'] === 'string' ? values['secret'] : generateSecret();
  if (event !== undefined) await requireEvent(context, event);
  const query = { page_size: 100, event, webhook_id: endpoint } as WebhooksListDeliveriesQuery;
  const seenIds = new Set((await client.webhooks.listDeliveries(query)).items.map(({ id }) => id));
  await warnWithoutEndpoint(context, event, endpoint);
  if (forward !== undefined) err(`Signing requests to ${forward} with ${secret}\n`);
  err('Waiting for deliveries.\n');
  const warnOnce = createSecretHint(values['secret'] === undefined, err);
  const poll = retryQuietly(() => listNewDeliveries(client, query, seenIds), err);
  for (;;) {
    for (const delivery of await poll()) {
      const status = forward === undefined ? null : await forwardDelivery(delivery, forward, secret);
      writeDelivery(context, delivery, status);
      warnOnce(status);
      remaining -= 1;
      if (remaining <= 0) return;
    }
    await pause(POLL_MS, undefined);
  }
}

/** Warns that no webhooks will arrive if no active endpoint gets the events. */
async function warnWithoutEndpoint(
  { client, err }: Context,
  event: string | undefined,
  endpoint: string | undefined,
): Promise<void> {
  const webhooks =
    endpoint === undefined ? await client.webhooks.list() : [await client.webhooks.get(endpoint)];
  const isReceived = webhooks.some(
    ({ is_active: isActive, events }) =>
      isActive && (event === undefined || events.some((each) => each === event)),
  );
  if (isReceived) return;
  const option = event === undefined ? '' : ` --event ${event}`;
  err(
    `No active endpoint receives ${event ?? 'events'}, so nothing is delivered. Create an endpoint with a public URL:\n` +
      `  parley webhooks create https://hooks.example.com/parley${option}\n`,
  );
}

/**
 * Wraps a request for items so that it returns none while Parley cannot be reached, and reports that once.
 */
function retryQuietly<T>(ask: () => Promise<T[]>, err: Context['err']): () => Promise<T[]> {
  let isUnreachable = false;
  return async () => {
    try {
      const found = await ask();
      isUnreachable = false;
      return found;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (!isUnreachable) err(`${oneLine((error as Error).message)} Retrying until Parley is back.\n`);
      isUnreachable = true;
      return [];
    }
  };
}

/**
 * Returns new webhook deliveries, oldest first. Reads further pages until a page contains a known delivery.
 */
async function listNewDeliveries(
  client: Parley,
  query: WebhooksListDeliveriesQuery,
  seen: Set<string>,
): Promise<WebhookDeliveryResponse[]> {
  const found: WebhookDeliveryResponse[] = [];
  for (let page = await client.webhooks.listDeliveries(query); ;) {
    const newItems = page.items.filter(({ id }) => !seen.has(id));
    found.push(...newItems);
    const next = newItems.length === page.items.length ? await page.nextPage() : null;
    if (next === null) break;
    page = next;
  }
  for (const { id } of found) seen.add(id);
  return found.reverse();
}

function writeDelivery(context: Context, delivery: WebhookDeliveryResponse, status: string | null): void {
  const { id, created_at: time, event, status: state, payload } = delivery;
  writeResult(context, { ...delivery, ...(status !== null && { forwarded: status }) }, () =>
    [
      oneLine(`${time}  ${event}  ${id}  ${state}${status === null ? '' : `  → ${status}`}`),
      JSON.stringify(payload),
    ].join('\n'),
  );
}

/**
 * Forwards a delivery.
 * @returns status of the response, or the reason why none arrived
 */
async function forwardDelivery(
  delivery: WebhookDeliveryResponse,
  address: string,
  secret: string,
): Promise<string> {
  if (delivery.payload === null) return 'not sent: its content cannot be decrypted';
  const body = JSON.stringify(delivery.payload);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  try {
    const { status } = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-signature': `t=${time},v1=${signature}`,
        'x-webhook-event': delivery.event,
        'x-webhook-id': delivery.webhook_id,
        'x-webhook-delivery': delivery.id,
        'x-webhook-timestamp': String(time),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    return String(status);
  } catch (error) {
    return `not sent: ${describeConnectionCause(error)}`;
  }
}

function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
