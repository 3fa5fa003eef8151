import { Type } from '@sinclair/typebox';
import { mapPage } from '../../database/page.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { eventCatalog } from '../../services/webhooks/event-catalog.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import { webhook as resource } from './webhook.resource.ts';
import { presentDelivery, presentTest } from './webhooks.presenter.ts';
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

const SIGNATURE_EXPLANATION = `Each delivery is a \`POST\` of JSON.
Its headers are \`x-webhook-id\` (the endpoint), \`x-webhook-delivery\` (the same for all attempts), \`x-webhook-event\`, \`x-webhook-version\`, \`x-webhook-timestamp\` (Unix seconds) and \`x-webhook-signature\`.

The signature is \`t=<timestamp>,v1=<hex>\`.
\`v1\` is the HMAC-SHA256 of \`<timestamp>.<raw body>\`.
Its key is the whole secret, \`whsec_\` included.
Compare it in constant time, and refuse a timestamp that differs from the current time by more than 300 seconds.`;

const { present: presentWebhook, toChanges } = resource;

const readAccess = { tag: 'webhooks', auth: 'member', scope: 'webhooks:read', role: 'admin' } as const;
const writeAccess = { tag: 'webhooks', auth: 'member', scope: 'webhooks:write', role: 'admin' } as const;

export const listWebhooks = defineOperation({
  ...readAccess,
  id: 'listWebhooks',
  isLong: true,
  method: 'GET',
  path: '/api/webhooks',
  query: WebhookListQuery,
  responses: { 200: Type.Array(WebhookResponse) },
  summary: 'The workspace’s endpoints, newest first.',
  handle: async ({ ctx, query }, { webhooks: { endpoints } }) =>
    (await endpoints.list(ctx, query)).map(presentWebhook),
});

export const createWebhook = defineOperation({
  ...writeAccess,
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  body: WebhookCreate,
  responses: { 201: WebhookCreated },
  errors: ['url_refused', 'conflict', 'not_found'],
  summary: 'Register an endpoint. Its signing secret is returned only in this response.',
  explanation: SIGNATURE_EXPLANATION,
  guide: { path: 'guides/webhooks#without-an-sdk', title: 'Guide: verify signatures of webhooks' },
  exposes: 'content',
  notifies: ({ result }) => accessWords.endpointAdded(result),
  prepare: ({ body }, { webhooks: { endpoints } }) => endpoints.checkUrl(body.url),
  handle: async ({ ctx, body }, { webhooks: { endpoints } }) => {
    const { webhook, secret } = await endpoints.create(ctx, toChanges(body), ctx.version);
    return { ...presentWebhook(webhook), secret };
  },
});

export const listWebhookEvents = defineOperation({
  ...readAccess,
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/api/webhooks/events',
  role: 'viewer',
  responses: { 200: Type.Array(EventDescriptor) },
  summary: 'All events that endpoints can subscribe to, each with a sample and its schema.',
  handle: async () => eventCatalog.map((descriptor) => ({ ...descriptor })),
});

export const listWebhookDeliveries = defineOperation({
  ...readAccess,
  id: 'listWebhookDeliveries',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/webhooks/deliveries',
  query: DeliveryListQuery,
  responses: { 200: PageSchema(WebhookDeliveryResponse) },
  summary: 'The delivery log, newest first: requests, responses, and reasons for retries.',
  handle: async ({ ctx, query }, { webhooks: { deliveries } }) =>
    mapPage(await deliveries.list(ctx, query), presentDelivery),
});

export const getWebhook = defineOperation({
  ...readAccess,
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  params: WebhookParams,
  responses: { 200: WebhookResponse },
  summary: 'Return an endpoint with its health.',
  revision: {
    ignores: [
      'health',
      'consecutive_failures',
      'delivery_count',
      'failure_count',
      'last_error',
      'last_failure_at',
      'last_success_at',
    ],
    lock: ({ ctx, params }, { webhooks: { endpoints } }) => endpoints.lock(ctx, params.id),
  },
  handle: async ({ ctx, params }, { webhooks: { endpoints } }) =>
    presentWebhook(await endpoints.get(ctx, params.id)),
});

export const deleteWebhook = defineOperation({
  ...writeAccess,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  params: WebhookParams,
  responses: { 200: Message },
  summary: 'Delete an endpoint and its log. No more events are sent to the endpoint.',
  handle: async ({ ctx, params }, { webhooks: { endpoints } }) => {
    await endpoints.delete(ctx, params.id);
    return { message: 'The endpoint is removed.' };
  },
});

export const updateWebhook = defineOperation({
  ...writeAccess,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  params: WebhookParams,
  body: WebhookUpdate,
  unknownFieldHints: { events: 'replaceWebhookEvents, PUT /api/webhooks/{id}/events, replaces them' },
  responses: { 200: WebhookResponse },
  errors: ['url_refused'],
  summary: 'Change, deactivate or reactivate an endpoint.',
  revises: getWebhook,
  exposes: 'content',
  notifies: 'handler',
  needsPrepare: ({ body }) => body.url !== undefined,
  prepare: ({ body }, { webhooks: { endpoints } }) => endpoints.checkUrl(body.url!),
  handle: async ({ ctx, params, body, notifyOwners }, { webhooks: { endpoints } }) => {
    const previous = await endpoints.get(ctx, params.id);
    const webhook = await endpoints.update(ctx, params.id, toChanges(body));
    const notice = accessWords.endpointChanged(previous, webhook);
    if (notice) notifyOwners(notice);
    return presentWebhook(webhook);
  },
});

export const replaceWebhookEvents = defineOperation({
  ...writeAccess,
  id: 'replaceWebhookEvents',
  method: 'PUT',
  path: '/api/webhooks/{id}/events',
  params: WebhookParams,
  body: EventsUpdate,
  responses: { 200: WebhookResponse },
  summary: 'Replace the events that an endpoint subscribes to.',
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, params, body, notifyOwners }, { webhooks: { endpoints } }) => {
    const previous = await endpoints.get(ctx, params.id);
    const webhook = await endpoints.replaceEvents(ctx, params.id, body.events);
    const notice = accessWords.endpointChanged(previous, webhook);
    if (notice) notifyOwners(notice);
    return presentWebhook(webhook);
  },
});

export const rotateWebhookSecret = defineOperation({
  ...writeAccess,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  params: WebhookParams,
  responses: { 200: RotateSecretResponse },
  summary: 'Rotate the signing secret. The new secret is returned only in this response.',
  exposes: 'access',
  notifies: 'handler',
  handle: async ({ ctx, params, notifyOwners }, { webhooks: { endpoints } }) => {
    const { secret, rotatedAt, url } = await endpoints.rotateSecret(ctx, params.id);
    notifyOwners(accessWords.endpointSecretRotated(url));
    return { secret, rotated_at: rotatedAt.toISOString() };
  },
});

export const testWebhook = defineOperation({
  ...writeAccess,
  id: 'testWebhook',
  readsContent: true,
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  params: WebhookParams,
  responses: { 200: WebhookTestResponse },
  errors: ['conflict'],
  summary:
    'Send a test event to an endpoint through the normal path, and return the result of the first attempt.',
  handle: async ({ ctx, params }, { webhooks: { deliveries } }) =>
    presentTest(await deliveries.startTest(ctx, params.id)),
  settle: async ({ ctx, result }, { webhooks: { deliveries } }) =>
    presentTest(await deliveries.waitForTest(ctx, result.delivery_id)),
});

export const replayWebhookDelivery = defineOperation({
  ...writeAccess,
  id: 'replayWebhookDelivery',
  readsContent: true,
  method: 'POST',
  path: '/api/webhooks/deliveries/{delivery_id}/replay',
  params: DeliveryParams,
  responses: { 201: WebhookDeliveryResponse },
  errors: ['conflict'],
  summary:
    'Redeliver: creates a new delivery that refers to the original delivery. The original stays in the log.',
  handle: async ({ ctx, params }, { webhooks: { deliveries } }) =>
    presentDelivery(await deliveries.replay(ctx, params.delivery_id)),
});
