import type { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import type { SignalCommand, StartCommand, WebhookDeliveryInput } from '../../core/workflows/commands.ts';
import {
  notifyWebhookDisabledWorkflowId,
  purgeWebhookWorkflowId,
  webhookDeliveryWorkflowId,
} from '../../core/workflows/commands.ts';

export interface DeliveryIdentity {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  url: string;
}

/** Builds the command that starts the workflow of a webhook delivery whose first attempt failed. */
export function buildTakeOverCommand(delivery: DeliveryIdentity): StartCommand<'webhookDelivery'> {
  return { ...toDeliveryWorkflow(delivery), action: 'start', isRepeatable: true };
}

/**
 * Builds the command that signals a webhook delivery's workflow. If the workflow has ended, the command
 * starts it again.
 */
export function buildDeliverySignal(
  delivery: DeliveryIdentity,
  signal: 'replay' | 'giveUp',
  signalArgs: string[] = [],
): SignalCommand<'webhookDelivery'> {
  return { ...toDeliveryWorkflow(delivery), action: 'signal', signal, signalArgs };
}

/**
 * Builds the command that informs the admins by email about a disabled webhook endpoint. Each time an
 * endpoint is disabled, they get one email.
 */
export function buildDisabledCommand(
  { id, orgId }: Pick<Webhook, 'id' | 'orgId'>,
  at: Date,
): StartCommand<'notifyWebhookDisabled'> {
  return {
    workflow: 'notifyWebhookDisabled',
    action: 'start',
    workflowId: notifyWebhookDisabledWorkflowId(id, at),
    args: [{ orgId, endpointId: id }],
    summary: 'Email the admins that an endpoint was disabled',
  };
}

/** Builds the command that removes the delivery log of a deleted endpoint, then the endpoint itself. */
export function buildPurgeCommand({
  id,
  orgId,
  url,
}: Pick<Webhook, 'id' | 'orgId' | 'url'>): StartCommand<'purgeWebhook'> {
  return {
    workflow: 'purgeWebhook',
    action: 'start',
    workflowId: purgeWebhookWorkflowId(id),
    args: [{ orgId, endpointId: id }],
    summary: `Remove the log of a deleted endpoint at ${parseWebhookHost(url)}`,
  };
}

/**
 * Returns the type and input of a delivery's workflow. `endpointId` is the webhook's id: released workflows
 * use this name.
 */
function toDeliveryWorkflow({ id, orgId, webhookId, event, url }: DeliveryIdentity) {
  const input: WebhookDeliveryInput = { orgId, endpointId: webhookId, deliveryId: id, eventName: event };
  return {
    workflow: 'webhookDelivery' as const,
    workflowId: webhookDeliveryWorkflowId(id),
    args: [input] as [WebhookDeliveryInput],
    summary: `${event} to ${parseWebhookHost(url)}`,
  };
}

/**
 * Returns the host of a webhook endpoint's URL. Temporal may see nothing else of the URL, which may contain
 * secrets.
 */
function parseWebhookHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL';
}
