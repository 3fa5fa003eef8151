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

/** The workflow that takes over a delivery whose first attempt failed. */
export function takeOverCommand(delivery: DeliveryIdentity): StartCommand<'webhookDelivery'> {
  return { ...workflowOf(delivery), action: 'start', isRepeatable: true };
}

/** Tells the workflow, which comes back for it if it has ended. */
export function deliverySignal(
  delivery: DeliveryIdentity,
  signal: 'replay' | 'giveUp',
  signalArgs: string[] = [],
): SignalCommand<'webhookDelivery'> {
  return { ...workflowOf(delivery), action: 'signal', signal, signalArgs };
}

/** Has the admins told that an endpoint was disabled, once for each time. */
export function webhookDisabledCommand(
  { id, orgId }: Pick<Webhook, 'id' | 'orgId'>,
  at: Date,
): StartCommand<'notifyWebhookDisabled'> {
  return {
    workflow: 'notifyWebhookDisabled',
    action: 'start',
    workflowId: notifyWebhookDisabledWorkflowId(id, at),
    args: [{ orgId, endpointId: id }],
    summary: 'Mail the admins that an endpoint was disabled',
  };
}

/** Has the log of a deleted endpoint removed, and then the endpoint itself. */
export function purgeWebhookCommand({
  id,
  orgId,
  url,
}: Pick<Webhook, 'id' | 'orgId' | 'url'>): StartCommand<'purgeWebhook'> {
  return {
    workflow: 'purgeWebhook',
    action: 'start',
    workflowId: purgeWebhookWorkflowId(id),
    args: [{ orgId, endpointId: id }],
    summary: `Remove the log of a deleted endpoint at ${hostOf(url)}`,
  };
}

/** Workflows that are released call a webhook’s id `endpointId`, in what they are given and in their search attribute. */
function workflowOf({ id, orgId, webhookId, event, url }: DeliveryIdentity) {
  const input: WebhookDeliveryInput = { orgId, endpointId: webhookId, deliveryId: id, eventName: event };
  return {
    workflow: 'webhookDelivery' as const,
    workflowId: webhookDeliveryWorkflowId(id),
    args: [input] as [WebhookDeliveryInput],
    summary: `${event} to ${hostOf(url)}`,
  };
}

/** Returns the host, the only part of a URL that Temporal may see: the rest may hold secrets of the receiver. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none';
}
