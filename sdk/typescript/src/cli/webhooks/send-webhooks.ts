import type { WebhookTestResponse } from '../../generated/models.ts';
import { formatTable, Unsuccessful, UsageError, writeResult, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';
import { requireEvent, type EventName } from './require-event.ts';

const ADDRESS = /^https?:\/\//i;

interface SentSample extends WebhookTestResponse {
  webhook_id: string;
  url: string;
}

/** @throws UsageError for an unknown webhook event */
export async function createWebhook(context: Context): Promise<void> {
  const { client, args, values } = context;
  const {
    event: names,
    bot,
    description,
  } = values as { event?: string[]; bot?: string; description?: string };
  const events: EventName[] = [];
  for (const name of names?.flatMap(splitList) ?? []) events.push(await requireEvent(context, name));
  const created = await client.webhooks.create({
    url: args[0] ?? '',
    ...(names && { events }),
    ...(bot !== undefined && { bot_id: bot }),
    ...(description !== undefined && { description }),
  });
  writeResult(context, created, () => [created.id, created.secret].map(oneLine).join('\n'));
  context.err('Store the signing secret (whsec_…) now: Parley shows it only once.\n');
}

/**
 * @throws UsageError for a URL in place of an id; Unsuccessful if the endpoint did not accept the sample
 *   event
 */
export async function testWebhook(context: Context): Promise<void> {
  const [id = ''] = context.args;
  if (ADDRESS.test(id))
    throw new UsageError(
      oneLine(
        `parley webhooks test takes the id of an endpoint, not a URL: see parley webhooks list. To register the URL: parley webhooks create ${id}`,
      ),
    );
  const result = await context.client.webhooks.test(id);
  writeResult(context, result, () => formatTable([toResultRow(result)]));
  if (!result.ok) throw new Unsuccessful();
}

/**
 * @throws Unsuccessful if an endpoint did not accept the sample event, or if no endpoint subscribes to the
 *   event
 */
export async function triggerWebhooks(context: Context): Promise<void> {
  const { client, args, values } = context;
  const event = await requireEvent(context, args[0] ?? '');
  const { endpoint } = values as { endpoint?: string };
  const webhooks =
    endpoint === undefined
      ? (await client.webhooks.list()).filter(
          ({ is_active: isActive, events }) => isActive && events.includes(event),
        )
      : [await client.webhooks.get(endpoint)];
  if (webhooks.length === 0)
    throw new Unsuccessful(`No active endpoint receives ${event}: see parley webhooks list.`);
  const sentSamples: SentSample[] = [];
  for (const { id, url } of webhooks)
    sentSamples.push({ webhook_id: id, url, ...(await client.webhooks.triggerEvent(id, { event })) });
  writeResult(context, sentSamples, () =>
    formatTable(sentSamples.map((sample) => [sample.webhook_id, sample.url, ...toResultRow(sample)])),
  );
  if (sentSamples.some(({ ok }) => !ok)) throw new Unsuccessful();
}

function toResultRow({
  delivery_id: id,
  status_code: status,
  duration_ms: durationMs,
  error,
}: WebhookTestResponse) {
  return [id, status === null ? 'no answer' : String(status), `${durationMs} ms`, error ?? 'delivered'];
}

/** Splits a comma-separated list such as `a,b` into its items. */
function splitList(list: string): string[] {
  return list.split(',').map((word) => word.trim());
}
