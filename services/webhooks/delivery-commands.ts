import type { SignalCommand, StartCommand, WebhookDeliveryInput } from '../../workflows/shared/commands.ts';
import { webhookDeliveryWorkflowId } from '../../workflows/shared/commands.ts';

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

function workflowOf({ id, orgId, webhookId, event, url }: DeliveryIdentity) {
  const input: WebhookDeliveryInput = { orgId, endpointId: webhookId, deliveryId: id, eventName: event };
  return {
    workflow: 'webhookDelivery' as const,
    workflowId: webhookDeliveryWorkflowId(id),
    args: [input] as [WebhookDeliveryInput],
    summary: `${event} to ${hostOf(url)}`,
  };
}

/** What Temporal may be told of a URL: the rest may hold what only the receiver should know. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none';
}
