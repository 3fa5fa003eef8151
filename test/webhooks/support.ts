import { Not } from 'typeorm';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { systemClock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import { createLogger, type Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import type { OutboxEventData } from '../../services/alerts/alert-events.ts';
import type { EventData, EventName } from '../../services/webhooks/event-catalog.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { createWebhookClient } from '../../services/webhooks/webhook-client.ts';
import { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';
import { DeliveryResultsRepository } from '../../repositories/webhooks/delivery-results.repository.ts';
import { DeliveryRecorder } from '../../services/webhooks/delivery-recorder.ts';
import { DeliverySender } from '../../services/webhooks/delivery-sender.ts';
import { createDispatcher } from '../../worker/webhooks/dispatcher.ts';
import { EventRelay } from '../../worker/outbox/event-relay.ts';
import type { PollPaceOptions } from '../../worker/polling/poll-pace.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';

/** Condition that excludes the email to owners about a new webhook endpoint from outbox rows. */
export const NOT_MAILED = { name: Not('sendEmail') } as const;

const log = createLogger('test', 'silent');

/** A URL at which no server listens. */
export const UNREACHABLE_URL = 'http://127.0.0.1:9/hook';

const outbox = new OutboxService();

export type DispatcherOverrides = Partial<Settings> & {
  /** HTTP client in place of the one that the settings define. */
  outbound?: OutboundClient;
  log?: Logger;
  polls?: PollPaceOptions;
};

export interface RunningDispatcher {
  stop(graceMs?: number): Promise<void>;
}

/** Starts a dispatcher of webhooks as the worker does, with other settings. */
export function startDispatcher(
  { runtime }: Pick<SharedParley, 'runtime'>,
  { outbound: givenOutbound, log: givenLog = log, polls, ...overrides }: DispatcherOverrides = {},
): RunningDispatcher {
  const { queues: database, keyring } = runtime;
  const settings = { ...runtime.settings, webhookTimeoutMs: 15_000, ...overrides };
  const outbound = givenOutbound ?? createWebhookClient(settings);
  const sender = new DeliverySender({
    db: database,
    queue: new DeliveryQueueRepository(database),
    recorder: new DeliveryRecorder({
      db: database,
      results: new DeliveryResultsRepository(),
      outbox,
      settings,
      log: givenLog,
    }),
    keyring,
    outbound,
    clock: systemClock,
    log: givenLog,
    settings,
  });
  const databaseUrl = settings.databaseUrl ?? '';
  const dispatcher = createDispatcher({ sender, databaseUrl, log: givenLog, ...(polls && { polls }) });
  dispatcher.start();
  return {
    stop: async (graceMs = 1000) => {
      await dispatcher.stop(graceMs);
      await outbound.close();
    },
  };
}

export function leadCaptured(): EventData['lead.captured'] {
  return {
    conversation_id: newId(),
    bot_id: newId(),
    contact_id: newId(),
    fields: { name: 'Ada Okafor', note: 'ça va? 100 % ✓' },
  };
}

export function messageCreated(): EventData['message.created'] {
  return {
    message_id: newId(),
    conversation_id: newId(),
    bot_id: newId(),
    role: 'user',
    content: 'What does a day pass cost?',
    citations: [],
    is_error: false,
    created_at: new Date().toISOString(),
  };
}

export async function emitEvent<E extends EventName>(
  { database }: Pick<SharedParley, 'database'>,
  { orgId }: Pick<TestOrg, 'orgId'>,
  name: E,
  data: EventData[E] & OutboxEventData[E],
): Promise<void> {
  const scope: OrgScope = { orgId, db: database };
  await outbox.event(scope, name, data, data.bot_id);
}

export function emitLead(
  parley: Pick<SharedParley, 'database'>,
  org: Pick<TestOrg, 'orgId'>,
  data = leadCaptured(),
): Promise<void> {
  return emitEvent(parley, org, 'lead.captured', data);
}

/** Creates webhook deliveries for the events in the outbox, as the worker’s relay does. */
export async function fanOut({ runtime }: Pick<SharedParley, 'runtime'>): Promise<void> {
  const relay = new EventRelay({
    database: runtime.queues,
    sink: new WebhookFanOut(runtime.services.versions),
    log,
  });
  while ((await relay.relayBatch()) || (await relay.waitForKeys()));
}

export interface CreatedEndpoint {
  id: string;
  secret: string;
}

export async function createEndpoint(
  { client }: TestOrg,
  url: string,
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<CreatedEndpoint> {
  const { status, body } = await client.post('/api/webhooks', { url, ...overrides }, headers);
  if (status !== 201) throw new Error(`The endpoint was not made: ${JSON.stringify(body)}`);
  return body as CreatedEndpoint;
}
