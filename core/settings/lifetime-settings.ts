import { setting, count, type SettingDefinition } from './setting-definition.ts';

export const lifetimeSettings = {
  sessionIdleDays: setting(
    'Lifetimes',
    'PARLEY_SESSION_IDLE_DAYS',
    count(
      30,
      1,
      3650,
      'Days after which a session ends that nobody has used: so long a refresh token is good.',
    ),
  ),
  sessionLongestDays: setting(
    'Lifetimes',
    'PARLEY_SESSION_LONGEST_DAYS',
    count(90, 1, 3650, 'Days after which a session ends however much it is used.'),
  ),
  logDays: setting(
    'Lifetimes',
    'PARLEY_LOG_DAYS',
    count(
      30,
      1,
      3650,
      'How many days alerts and their messages, deliveries of webhooks, and calls of the MCP server’s tools are kept.',
    ),
  ),
  mailLogDays: setting(
    'Lifetimes',
    'PARLEY_MAIL_LOG_DAYS',
    count(7, 3, 365, 'How many days mails, and what came of them, are kept.'),
  ),
} satisfies Record<string, SettingDefinition>;
