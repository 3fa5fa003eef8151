import { setting, integerWithin, type SettingDefinition } from './setting-definition.ts';

export const lifetimeSettings = {
  sessionIdleDays: setting(
    'Lifetimes',
    'PARLEY_SESSION_IDLE_DAYS',
    integerWithin(30, 1, 3650, 'Days without use after which a session or refresh token expires.'),
  ),
  sessionMaxDays: setting(
    'Lifetimes',
    'PARLEY_SESSION_LONGEST_DAYS',
    integerWithin(90, 1, 3650, 'Maximum lifetime of a session in days.'),
  ),
  logDays: setting(
    'Lifetimes',
    'PARLEY_LOG_DAYS',
    integerWithin(30, 1, 3650, 'Retention of alerts, webhook deliveries and MCP tool calls, in days.'),
  ),
  mailLogDays: setting(
    'Lifetimes',
    'PARLEY_MAIL_LOG_DAYS',
    integerWithin(7, 3, 365, 'Retention of emails and their delivery results, in days.'),
  ),
} satisfies Record<string, SettingDefinition>;
