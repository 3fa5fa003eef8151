import { Type } from '@sinclair/typebox';
import type { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { endpointHealths, getEndpointHealth } from '../../services/webhooks/endpoint-health.ts';
import { eventNames } from '../../services/webhooks/event-catalog.ts';
import type { NewWebhook, WebhookChanges } from '../../services/webhooks/webhook-service.ts';
import { createFieldFactories, createResourceFactory } from '../http/schemas/resource.ts';
import { DateTime, Nullable, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const Event = StringEnum(eventNames, { description: 'Name of the event.' });
export const Health = StringEnum(endpointHealths, {
  description:
    'unknown: nothing sent yet; degraded: 1–4 failed attempts in a row; failing: 5 or more; disabled: nothing is sent.',
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'A public https URL. Private, loopback and link-local addresses are refused.',
  examples: ['https://hooks.example.com/parley'],
});
export const EventList = Type.Array(Event, {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true,
  description: 'The events to send.',
  examples: [['lead.captured']],
});

const { storedField, readOnlyField, computedField } = createFieldFactories<
  Webhook,
  NewWebhook & WebhookChanges
>();

/**
 * Fields of a webhook endpoint in the API and the database; docs/patterns.md#resources explains the format.
 */
export const webhook = createResourceFactory<Webhook, NewWebhook & WebhookChanges>()(
  {
    id: readOnlyField('id', Uuid('The endpoint’s id.')),
    org_id: readOnlyField('orgId', Uuid('The workspace that the endpoint belongs to.')),
    bot_id: storedField('botId', {
      body: Type.Optional(Nullable(Uuid('Only send events of this bot; null for all bots.'))),
      read: Nullable(Uuid('The bot whose events are sent; null for all bots.')),
    }),
    url: storedField('url', {
      body: Url,
      read: Type.String({ description: 'URL to which deliveries are sent.' }),
    }),
    description: storedField('description', {
      description: 'A description for the team.',
      body: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
      read: Nullable(Type.String()),
    }),
    events: storedField('events', {
      on: 'create',
      body: Type.Optional({ ...EventList, description: 'The events to send; all by default.' }),
      read: Type.Array(Type.String(), { description: 'Names of the events that are sent.' }),
    }),
    api_version: readOnlyField('apiVersion', Type.String({ description: 'The API version of deliveries.' })),
    is_active: storedField('isActive', {
      on: 'update',
      body: Type.Boolean({
        description: 'Whether events are sent. Setting this field to true also resets the failure counts.',
        examples: [true],
      }),
      read: Type.Boolean({ description: 'Whether events are sent.' }),
    }),
    health: computedField('isActive', Health, getEndpointHealth),
    consecutive_failures: readOnlyField(
      'consecutiveFailures',
      Type.Integer({ description: 'Failed attempts since the last success.' }),
    ),
    delivery_count: readOnlyField(
      'deliveryCount',
      Type.Integer({ description: 'Number of attempts, including retries.' }),
    ),
    failure_count: readOnlyField('failureCount', Type.Integer({ description: 'Number of failed attempts.' })),
    last_error: readOnlyField(
      'lastError',
      Nullable(Type.String({ description: 'Error of the last failed attempt.' })),
    ),
    last_failure_at: readOnlyField('lastFailureAt', Nullable(DateTime('Time of the last failed attempt.'))),
    last_success_at: readOnlyField(
      'lastSuccessAt',
      Nullable(DateTime('Time of the last successful attempt.')),
    ),
    disabled_at: readOnlyField(
      'disabledAt',
      Nullable(DateTime('Time at which the endpoint was disabled after repeated failures.')),
    ),
    secret_hint: readOnlyField(
      'secretHint',
      Nullable(Type.String({ description: 'The last 4 characters of the signing secret.' })),
    ),
    created_at: readOnlyField('createdAt', DateTime('Time at which the endpoint was created.')),
    updated_at: readOnlyField('updatedAt', DateTime('Time of the last change.')),
  },
  {
    hidden: {
      sealedSecret: 'createWebhook returns the secret, once.',
      failingSince: 'health shows that the endpoint fails.',
      transientFailures: 'health shows whether deliveries are held back.',
      deletedAt: 'Deleted endpoints are not returned.',
    },
  },
);
