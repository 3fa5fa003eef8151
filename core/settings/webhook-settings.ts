import { setting, count, type SettingDefinition } from './setting-definition.ts';

export const webhookSettings = {
  webhookLogDays: setting(
    'Webhooks',
    'PARLEY_WEBHOOK_LOG_DAYS',
    count(30, 1, 3650, 'How many days the delivery log is kept.'),
  ),
} satisfies Record<string, SettingDefinition>;
