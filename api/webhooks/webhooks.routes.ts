import { Type } from '@sinclair/typebox';
import { mapPage } from '../../repositories/page.ts';
import { eventCatalogue } from '../../services/webhooks/event-catalogue.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageOf } from '../http/schemas.ts';
import { presentDelivery, presentWebhook } from './webhooks.presenter.ts';
import {
  DeliveryListQuery,
  EventDescriptor,
  WebhookCreate,
  WebhookCreated,
  WebhookDeliveryResponse,
  WebhookListQuery,
  WebhookParams,
  WebhookResponse,
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
  handle: async ({ ctx, query }, { webhooks }) =>
    mapPage(await webhooks.listDeliveries(ctx, query), presentDelivery),
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
