import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { DeliveryLogRepository } from '../../repositories/webhooks/delivery-log.repository.ts';
import { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';
import { DeliveryResultsRepository } from '../../repositories/webhooks/delivery-results.repository.ts';
import { WebhookPurgeRepository } from '../../repositories/webhooks/webhook-purge.repository.ts';
import { WebhookRepository } from '../../repositories/webhooks/webhook.repository.ts';
import { DeliveryRetries } from './delivery-retries.ts';
import { DeliveryService } from './delivery-service.ts';
import { WebhookPurge } from './webhook-purge.ts';
import { WebhookService } from './webhook-service.ts';
import { StalledDeliveries } from './stalled-deliveries.ts';
import { StalledDeliveryRepository } from '../../repositories/webhooks/stalled-delivery.repository.ts';
import { DeliveryRecorder } from './delivery-recorder.ts';
import { DeliverySender } from './delivery-sender.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';

/** Creates the services for webhook endpoints, the log of their deliveries, and retries. */
export function createWebhooks(deps: ServiceDeps, { bots, outbox }: SharedDeps) {
  const { settings, queues, keyring, webhookOutbound: outbound, versions, clock, log } = deps;
  const rows = {
    webhooks: new WebhookRepository(),
    deliveries: new DeliveryLogRepository(),
  };
  const sender = new DeliverySender({
    db: queues,
    queue: new DeliveryQueueRepository(queues),
    recorder: new DeliveryRecorder({
      db: queues,
      results: new DeliveryResultsRepository(),
      outbox,
      settings,
      log,
    }),
    keyring,
    outbound,
    clock,
    log,
    settings,
  });
  return {
    endpoints: new WebhookService({ ...rows, bots, outbox, orgs: new OrgRepository(), keyring, outbound }),
    deliveries: new DeliveryService({ ...rows, outbox, keyring, versions, clock, settings }),
    webhookPurge: new WebhookPurge({ webhooks: new WebhookPurgeRepository(), outbox }),
    deliverySender: sender,
    deliveryRetries: new DeliveryRetries({ sender, deliveries: rows.deliveries, settings }),
    stalledDeliveries: new StalledDeliveries({ deliveries: new StalledDeliveryRepository(), outbox, log }),
  };
}
