import { defineOperation } from '../http/operation.ts';
import { presentTest } from './webhooks.presenter.ts';
import { EventTrigger, WebhookParams, WebhookTestResponse } from './webhooks.schemas.ts';

export const triggerWebhookEvent = defineOperation({
  id: 'triggerWebhookEvent',
  tag: 'webhooks',
  auth: 'member',
  scope: 'webhooks:write',
  role: 'admin',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/webhooks/{id}/trigger',
  params: WebhookParams,
  body: EventTrigger,
  responses: { 200: WebhookTestResponse },
  errors: ['conflict'],
  summary:
    'Send a sample of an event to an endpoint that subscribes to it. Returns the result of the first attempt, as testWebhook does.',
  handle: async ({ ctx, params, body }, { webhooks: { deliveries } }) =>
    presentTest(await deliveries.startTest(ctx, params.id, body.event)),
  settle: async ({ ctx, result }, { webhooks: { deliveries } }) =>
    presentTest(await deliveries.waitForTest(ctx, result.delivery_id)),
});
