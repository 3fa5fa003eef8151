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
  mailLogDays: setting(
    'Lifetimes',
    'PARLEY_MAIL_LOG_DAYS',
    count(7, 3, 365, 'How many days mails, and what came of them, are kept.'),
  ),
  toolLogDays: setting(
    'Lifetimes',
    'PARLEY_TOOL_LOG_DAYS',
    count(30, 1, 365, 'How many days calls of the MCP server’s tools are kept.'),
  ),
} satisfies Record<string, SettingDefinition>;
