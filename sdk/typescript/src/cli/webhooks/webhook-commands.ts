import { collect } from '../collect.ts';
import { writeResult, type Command } from '../command.ts';
import { parseCount } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { NO_ARGUMENTS, ONE_ARGUMENT } from '../argument-counts.ts';
import { writeTable } from '../write-list.ts';
import { tailWebhooks } from './tail-webhooks.ts';
import { createWebhook, testWebhook, triggerWebhooks } from './send-webhooks.ts';

const event = { type: 'string', value: '<event>' } as const;

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks list',
    args: '',
    about: 'List all endpoints with health, URL and events.',
    options: { bot: { type: 'string', value: '<bot_id>', about: 'Only endpoints for events of this bot.' } },
    argumentCount: NO_ARGUMENTS,
    async run(context) {
      const { bot } = context.values as { bot?: string };
      const webhooks = await context.client.webhooks.list({ bot_id: bot });
      writeTable(context, webhooks, 'endpoints', ({ id, health, url, events }) => [
        id,
        health,
        url,
        events.join(','),
      ]);
    },
  },
  {
    name: 'webhooks create',
    args: '<url>',
    about: 'Register an endpoint, and write its id and its signing secret, which is shown only once.',
    options: {
      event: {
        ...event,
        multiple: true,
        about: 'An event to send, or several: --event a --event b, or --event a,b; all events by default.',
      },
      bot: { type: 'string', value: '<bot_id>', about: 'Only send events of this bot.' },
      description: { type: 'string', value: '<text>', about: 'A description for the team.' },
    },
    argumentCount: ONE_ARGUMENT,
    run: createWebhook,
  },
  {
    name: 'webhooks test',
    args: '<webhook_id>',
    about: 'Send the endpoint a sample of its first event, marked as a test, and show the result.',
    argumentCount: ONE_ARGUMENT,
    run: testWebhook,
  },
  {
    name: 'webhooks trigger',
    args: '<event>',
    about:
      'Send a sample of an event, marked as a test, to each endpoint that subscribes to it, and show the results.',
    options: {
      endpoint: { type: 'string', value: '<webhook_id>', about: 'Only send it to this endpoint.' },
    },
    argumentCount: ONE_ARGUMENT,
    run: triggerWebhooks,
  },
  {
    name: 'webhooks deliveries',
    args: '',
    about: 'List the latest deliveries with time, event, status and the reason for a failure.',
    options: {
      endpoint: { type: 'string', value: '<webhook_id>', about: 'Only deliveries to this endpoint.' },
      event: { ...event, about: 'Only deliveries of this event.' },
      status: { type: 'string', value: '<status>', about: 'pending, retrying, delivered or failed.' },
      limit: {
        type: 'string',
        value: '<number>',
        default: '20',
        about: 'Maximum number of deliveries; 20 by default.',
      },
    },
    argumentCount: NO_ARGUMENTS,
    async run({ client, values, ...context }) {
      const { endpoint, event: name, status, limit } = values as Record<string, string>;
      const max = parseCount('--limit', limit ?? '');
      const query = { webhook_id: endpoint, event: name, status, page_size: Math.min(max, 100) } as object;
      const deliveries = await collect(client.webhooks.listDeliveries(query), max);
      writeTable(context, deliveries, 'deliveries', (delivery) => [
        delivery.id,
        delivery.created_at,
        delivery.event,
        delivery.status,
        delivery.reason ?? '',
      ]);
    },
  },
  {
    name: 'webhooks replay',
    args: '<delivery_id>',
    alternative:
      'To replay all failed deliveries, repeat the command for each id from parley webhooks deliveries --status failed, or have the operator run: npm run parley -- webhooks replay --endpoint <webhook_id> --since <time>',
    about: 'Resend a delivery as a new delivery, and write the id of the new one.',
    argumentCount: ONE_ARGUMENT,
    async run(context) {
      const replay = await context.client.webhooks.replayDelivery(context.args[0] ?? '');
      writeResult(context, replay, () => oneLine(`${replay.id}  ${replay.event}  ${replay.status}`));
    },
  },
  {
    name: 'webhooks tail',
    args: '',
    about:
      'Write new webhook deliveries, and optionally forward each to a URL such as http://localhost:4000/hook.',
    options: {
      forward: { type: 'string', value: '<address>', about: 'Send each delivery to this address.' },
      secret: {
        type: 'string',
        value: '<secret>',
        about: 'The secret that signs forwarded requests; a new secret by default.',
      },
      endpoint: { type: 'string', value: '<webhook_id>', about: 'Only deliveries to this endpoint.' },
      event: { ...event, about: 'Only deliveries of this event.' },
      limit: { type: 'string', value: '<number>', about: 'End after this number of deliveries.' },
    },
    argumentCount: NO_ARGUMENTS,
    run: tailWebhooks,
  },
];
