import { Type } from '@sinclair/typebox';
import { eventCatalog, type EventDescriptor } from '../../../services/webhooks/event-catalog.ts';
import { signDelivery } from '../../../services/webhooks/signature.ts';
import type { Components, Json } from './openapi-components.ts';
import type { Operation } from '../operation.ts';

/**
 * Secret that signs the example webhooks in the OpenAPI document, so that readers can verify the examples.
 */
const EXAMPLE_SECRET = 'whsec_test';
const EXAMPLE_WEBHOOK = '0199a1b2-e3a4-75b6-8fc2-3d4e5f607182';
const EXAMPLE_DELIVERY = '0199a1b2-f4b5-76c7-90d3-4e5f60718293';

/**
 * Describes the webhook request of each event for the OpenAPI document, by the name of the event. Undefined
 * for a document without the operation that subscribes to events.
 */
export function describeWebhooks(
  operations: readonly Operation[],
  components: Components,
  apiVersion: string,
): Json | undefined {
  if (!operations.some(({ id }) => id === 'createWebhook')) return undefined;
  return Object.fromEntries(
    eventCatalog.map((event) => [event.name, { post: describeEvent(event, components, apiVersion) }]),
  );
}

function describeEvent(event: EventDescriptor, components: Components, apiVersion: string): Json {
  const { name, description, example } = event;
  return {
    operationId: `on${toPascalCase(name)}`,
    tags: ['webhooks'],
    summary: description,
    description: 'Parley sends this event to your endpoint. Verify the signature before you read the body.',
    security: [],
    parameters: describeHeaders(event, apiVersion),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: referToBody(event, components), example } },
    },
    responses: {
      '2XX': { description: 'Your endpoint has received the event.' },
      '410': { description: 'Your endpoint accepts no more events; Parley disables it.' },
      default: {
        description:
          'Parley retries the delivery after 408, 425, 429 and 5xx. After any other status, the delivery has failed.',
      },
    },
  };
}

/**
 * Adds the body of a webhook event and its `data` as named components, and returns the reference to the body.
 */
function referToBody({ name, description, schema }: EventDescriptor, components: Components): Json {
  const title = `${toPascalCase(name)}Event`;
  const { data } = schema.properties;
  const bodySchema = Type.Object(
    {
      ...schema.properties,
      data: { ...data!, $id: `${title}Data`, title: `${title}Data` },
    },
    { ...schema, $id: title, title, description },
  );
  return components.refer(bodySchema);
}

function describeHeaders({ name, example }: EventDescriptor, apiVersion: string): Json[] {
  const seconds = Date.parse(String(example.data['occurred_at'])) / 1000;
  const signature = signDelivery(EXAMPLE_SECRET, seconds, JSON.stringify(example));
  const text = { type: 'string' };
  const uuid = { type: 'string', format: 'uuid' };
  const headers: [name: string, description: string, schema: Json, example: string | number][] = [
    [
      'x-webhook-signature',
      '`t=<Unix seconds>,v1=<hex>`: HMAC-SHA-256 of `<t>.<raw body>` with the endpoint’s whole secret. ' +
        `The example uses the secret \`${EXAMPLE_SECRET}\`, and a body without white space between tokens.`,
      text,
      signature,
    ],
    ['x-webhook-event', 'The name of the event.', { ...text, const: name }, name],
    ['x-webhook-id', 'Id of the endpoint.', uuid, EXAMPLE_WEBHOOK],
    ['x-webhook-delivery', 'Id of the delivery; the same for all attempts.', uuid, EXAMPLE_DELIVERY],
    ['x-webhook-timestamp', 'When the attempt was signed, in Unix seconds.', { type: 'integer' }, seconds],
    ['x-webhook-version', 'The API version of the body.', text, apiVersion],
  ];
  return headers.map(([header, description, schema, value]) => ({
    name: header,
    in: 'header',
    required: true,
    description,
    schema,
    example: value,
  }));
}

function toPascalCase(event: string): string {
  return event.replaceAll(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
