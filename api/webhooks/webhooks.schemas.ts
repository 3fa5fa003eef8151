import { Type, type Static } from '@sinclair/typebox';
import { deliveryStatuses } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { eventNames } from '../../services/webhooks/event-catalog.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import {
  DateTime,
  FreeForm,
  Nullable,
  StringEnum,
  PageParameters,
  Strict,
  Uuid,
} from '../http/schemas/schemas.ts';
import { Event, EventList, Health, webhook } from './webhook.resource.ts';

export const WebhookParams = Type.Object({ id: Uuid('The endpoint.') });
export const DeliveryParams = Type.Object({ delivery_id: Uuid('The delivery.') });

export const WebhookListQuery = Strict({
  bot_id: Type.Optional(ResourceId('bot', 'Only endpoints limited to this bot.')),
});

export const WebhookCreate = Strict(webhook.create, { $id: 'WebhookCreate', description: 'A new endpoint.' });

export const WebhookUpdate = Strict(webhook.update, {
  $id: 'WebhookUpdate',
  description: 'Changes to an endpoint.',
});

export const EventsUpdate = Strict(
  { events: EventList },
  { $id: 'EventsUpdate', description: 'The new list of events of an endpoint.' },
);

export const EventTrigger = Strict(
  { event: Event },
  { $id: 'EventTrigger', description: 'The event to send a sample of.' },
);

export const RotateSecretResponse = Type.Object(
  {
    secret: Type.String({ description: 'The new signing secret. It is returned only in this response.' }),
    rotated_at: DateTime('Time from which attempts are signed with the new secret.'),
  },
  { $id: 'RotateSecretResponse', description: 'The new signing secret of an endpoint.' },
);

export const WebhookTestResponse = Type.Object(
  {
    delivery_id: Uuid('Id of the test in the delivery log.'),
    ok: Type.Boolean({ description: 'Whether the endpoint responded with a 2xx status.' }),
    status_code: Nullable(
      Type.Integer({ description: 'The HTTP status of the response; null if there was none.' }),
    ),
    duration_ms: Type.Integer({ default: 0, description: 'Duration of the attempt.' }),
    error: Nullable(
      Type.String({
        description: 'Reason for the failure, as `code: sentence`.',
        examples: ['http_503: The receiver responded with 503 Service Unavailable.'],
      }),
    ),
  },
  { $id: 'WebhookTestResponse', description: 'The result of the first attempt of a test.' },
);
export type WebhookTestResponse = Static<typeof WebhookTestResponse>;

export const WebhookResponse = Type.Object(webhook.read, {
  $id: 'WebhookResponse',
  description: 'A webhook endpoint and its health.',
});
export type WebhookResponse = Static<typeof WebhookResponse>;

export const WebhookCreated = Type.Object(
  {
    ...webhook.read,
    secret: Type.String({ description: 'The signing secret. It is returned only in this response.' }),
  },
  { $id: 'WebhookCreated', description: 'A new endpoint with its signing secret.' },
);

export const EventDescriptor = Type.Object(
  {
    name: Event,
    description: Type.String({ description: 'When the event is sent.' }),
    delivery: StringEnum(['immediate', 'batched'], {
      description: 'batched: deliveries of an endpoint go out together every two seconds, one request each.',
    }),
    example: FreeForm('A complete request body.'),
    schema: FreeForm('JSON Schema of the request body.'),
  },
  { $id: 'EventDescriptor', description: 'An event that can be sent, with its body.' },
);
export type EventDescriptor = Static<typeof EventDescriptor>;

export const DeliveryListQuery = Strict({
  ...PageParameters,
  id: Type.Optional(ResourceId('delivery', 'Only the delivery with this id.')),
  webhook_id: Type.Optional(ResourceId('webhook', 'Only deliveries to this endpoint.')),
  event: Type.Optional(StringEnum(eventNames, { description: 'Only deliveries of this event.' })),
  status: Type.Optional(StringEnum(deliveryStatuses, { description: 'Only deliveries in this state.' })),
  from: Type.Optional(DateTime('Only deliveries created at this time or later.')),
  to: Type.Optional(DateTime('Only deliveries created before this time.')),
});

const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the attempt, from 1.' }),
    at: Nullable(DateTime('Time of the attempt; null if unknown.')),
    outcome: StringEnum(['delivered', 'failed'], {
      description: 'Whether the receiver accepted the delivery.',
    }),
    reason: Nullable(Type.String({ description: 'Reason for the failure, as `code: sentence`.' })),
    response_status: Nullable(Type.Integer({ description: 'The HTTP status of the response.' })),
    duration_ms: Nullable(Type.Integer({ description: 'Duration of the attempt.' })),
  },
  { $id: 'DeliveryAttempt', description: 'An attempt to deliver an event.' },
);

export const WebhookDeliveryResponse = Type.Object(
  {
    id: Uuid('The x-webhook-delivery header, identical on every attempt.'),
    webhook_id: Uuid('The endpoint of the delivery.'),
    event: Type.String({ description: 'Name of the event.' }),
    status: StringEnum(deliveryStatuses, {
      description:
        'pending: not attempted yet; retrying: failed, will be retried; delivered; failed: will not be retried.',
    }),
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    attempt_log: Type.Array(DeliveryAttempt, {
      description: 'The results of the attempts, in order.',
    }),
    reason: Nullable(
      Type.String({
        description:
          'Error of the last attempt, or the reason for waiting (`endpoint_failing`, `secret_unavailable`), as `code: sentence`.',
        examples: ['http_503: The receiver responded with 503 Service Unavailable.'],
      }),
    ),
    next_attempt_at: Nullable(DateTime('Time of the next retry.')),
    response_status: Nullable(Type.Integer({ description: 'The HTTP status of the last response.' })),
    response_body: Nullable(Type.String({ description: 'The first 4 KiB of the last response body.' })),
    duration_ms: Nullable(Type.Integer({ description: 'Duration of the last attempt.' })),
    webhook_health: Health,
    payload: Nullable(FreeForm('The request body.')),
    replay_of_id: Nullable(Uuid('The delivery that this one repeats.')),
    replayed_as_id: Nullable(Uuid('The latest delivery that repeats this one.')),
    created_at: DateTime('Time of the event.'),
    delivered_at: Nullable(DateTime('Time at which the receiver accepted the delivery.')),
  },
  { $id: 'WebhookDeliveryResponse', description: 'The delivery of an event to an endpoint.' },
);
export type WebhookDeliveryResponse = Static<typeof WebhookDeliveryResponse>;
