import { Type } from '@sinclair/typebox';
import { setting, count, type SettingDefinition } from './setting-definition.ts';

export const webhookSettings = {
  webhookTimeoutMs: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_TIMEOUT_MS',
    count(15000, 100, 120000, 'Longest duration of one attempt, in milliseconds.'),
  ),
  webhookRetrySchedule: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_RETRY_SCHEDULE',
    Type.String({
      pattern: '^(none|\\d{1,6}(,\\d{1,6}){0,19})$',
      default: '5,300,1800,7200,18000,36000,36000',
      description:
        'Pauses in seconds before the second and each further attempt of a delivery; `none` for one attempt.',
    }),
  ),
  webhookLogDays: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_LOG_DAYS',
    count(30, 1, 3650, 'How many days the delivery log is kept.'),
  ),
  webhookDisableHours: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_DISABLE_HOURS',
    count(
      120,
      1,
      8760,
      'Hours of nothing but failures after which an endpoint is disabled, if there were as many of them as `PARLEY_WEBHOOK_DISABLE_FAILURES`.',
    ),
  ),
  webhookDisableFailures: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_DISABLE_FAILURES',
    count(20, 1, 1000000, 'Failures in a row before which no endpoint is disabled, unless it answers 410.'),
  ),
  webhookParkingHours: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_PARKING_HOURS',
    count(
      72,
      1,
      8760,
      'Hours that the workflow of a delivery that failed for good waits for somebody to replay it; counts for deliveries that fail from then on.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;
