import { Type } from '@sinclair/typebox';
import { mapPage } from '../../repositories/page.ts';
import { eventCatalogue } from '../../services/webhooks/event-catalogue.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageOf } from '../http/schemas.ts';
import { presentDelivery, presentTest, presentWebhook } from './webhooks.presenter.ts';
import {
  DeliveryListQuery,
  DeliveryParams,
  EventDescriptor,
  EventsUpdate,
  RotateSecretResponse,
  WebhookCreate,
  WebhookCreated,
  WebhookDeliveryResponse,
  WebhookListQuery,
  WebhookParams,
  WebhookResponse,
  WebhookTestResponse,
  WebhookUpdate,
} from './webhooks.schemas.ts';

export const listWebhooks = defineOperation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:read',
  role: 'admin',
  query: WebhookListQuery,
  responses: { 200: Type.Array(WebhookResponse) },
  summary: 'The workspace’s endpoints, newest first.',
  handle: async ({ ctx, query }, { webhooks }) => (await webhooks.list(ctx, query)).map(presentWebhook),
});

export const createWebhook = defineOperation({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  body: WebhookCreate,
  responses: { 201: WebhookCreated },
  errors: ['url_refused', 'not_found'],
  summary: 'Register an endpoint; the answer shows its signing secret this once.',
  prepare: ({ body }, { webhooks }) => webhooks.checkUrl(body.url),
  handle: async ({ ctx, body }, { webhooks }) => {
    const { webhook, secret } = await webhooks.create(ctx, body, ctx.version);
    return { ...presentWebhook(webhook), secret };
  },
});

export const listWebhookEvents = defineOperation({
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/api/webhooks/events',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:read',
  role: 'viewer',
  responses: { 200: Type.Array(EventDescriptor) },
  summary: 'All events that endpoints can subscribe to, each with a sample and its schema.',
  handle: async () => eventCatalogue.map((descriptor) => ({ ...descriptor })),
});

export const listWebhookDeliveries = defineOperation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/deliveries',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:read',
  role: 'admin',
  query: DeliveryListQuery,
  responses: { 200: PageOf(WebhookDeliveryResponse) },
  summary: 'The delivery log, newest first: what was sent, what came back, and why a retry waits.',
  handle: async ({ ctx, query }, { deliveries }) =>
    mapPage(await deliveries.list(ctx, query), presentDelivery),
});

export const getWebhook = defineOperation({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:read',
  role: 'admin',
  params: WebhookParams,
  responses: { 200: WebhookResponse },
  summary: 'One endpoint with its health.',
  handle: async ({ ctx, params }, { webhooks }) => presentWebhook(await webhooks.get(ctx, params.id)),
});

export const deleteWebhook = defineOperation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  params: WebhookParams,
  responses: { 200: Message },
  summary: 'Remove an endpoint with its log; nothing is sent to it any more.',
  handle: async ({ ctx, params }, { webhooks }) => {
    await webhooks.delete(ctx, params.id);
    return { message: 'The endpoint is removed.' };
  },
});

export const updateWebhook = defineOperation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  params: WebhookParams,
  body: WebhookUpdate,
  responses: { 200: WebhookResponse },
  errors: ['url_refused'],
  summary: 'Change an endpoint, or switch it off and on again.',
  prepare: async ({ body }, { webhooks }) => {
    if (body.url !== undefined) await webhooks.checkUrl(body.url);
  },
  handle: async ({ ctx, params, body }, { webhooks }) =>
    presentWebhook(await webhooks.update(ctx, params.id, body)),
});

export const replaceWebhookEvents = defineOperation({
  id: 'replaceWebhookEvents',
  method: 'PUT',
  path: '/api/webhooks/{id}/events',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  params: WebhookParams,
  body: EventsUpdate,
  responses: { 200: WebhookResponse },
  summary: 'Replace the events that an endpoint wants.',
  handle: async ({ ctx, params, body }, { webhooks }) =>
    presentWebhook(await webhooks.replaceEvents(ctx, params.id, body.events)),
});

export const rotateWebhookSecret = defineOperation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  params: WebhookParams,
  responses: { 200: RotateSecretResponse },
  summary: 'Replace the signing secret at once; the answer shows the new one this once.',
  handle: async ({ ctx, params }, { webhooks }) => {
    const { secret, rotatedAt } = await webhooks.rotateSecret(ctx, params.id);
    return { secret, rotated_at: rotatedAt.toISOString() };
  },
});

export const testWebhook = defineOperation({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  params: WebhookParams,
  responses: { 200: WebhookTestResponse },
  errors: ['conflict'],
  summary: 'Send a sample to an endpoint, the way events go, and tell how the first attempt went.',
  handle: async ({ ctx, params }, { deliveries }) => presentTest(await deliveries.startTest(ctx, params.id)),
  settle: async ({ ctx, answer }, { deliveries }) =>
    presentTest(await deliveries.testOutcome(ctx, answer.delivery_id)),
});

export const replayWebhookDelivery = defineOperation({
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/api/webhooks/deliveries/{delivery_id}/replay',
  tag: 'webhooks',
  auth: 'key',
  scope: 'webhooks:write',
  role: 'admin',
  params: DeliveryParams,
  responses: { 201: WebhookDeliveryResponse },
  errors: ['conflict'],
  summary: 'Send a delivery again, as a new one that refers to it; the old one stays in the log.',
  handle: async ({ ctx, params }, { deliveries }) =>
    presentDelivery(await deliveries.replay(ctx, params.delivery_id)),
});
