import { setting, integerWithin, type SettingDefinition } from './setting-definition.ts';

export const limitSettings = {
  rateLimitPerMinute: setting(
    'Limits',
    'PARLEY_RATE_LIMIT_PER_MINUTE',
    integerWithin(
      600,
      0,
      10000000,
      'Requests of a workspace in a minute; 0 disables the limit. Without a plan, the workspaces below share this limit.',
    ),
  ),
  publicRateLimitPerMinute: setting(
    'Limits',
    'PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE',
    integerWithin(
      600,
      0,
      10000000,
      'Requests of an IP address in a minute without an API key; 0 disables the limit.',
    ),
  ),
  widgetSessionsPerHour: setting(
    'Limits',
    'PARLEY_WIDGET_SESSIONS_PER_HOUR',
    integerWithin(
      20,
      0,
      10000000,
      'New widget sessions of an IP address in an hour; 0 disables the limit. While `/demo` is served, loopback addresses may start at least 200.',
    ),
  ),
  signInLimitPerIp: setting(
    'Limits',
    'PARLEY_SIGN_IN_LIMIT_PER_IP',
    integerWithin(
      5,
      0,
      10000000,
      'Failed attempts of an IP address in 5 minutes; 0 disables the limit. Passwords, emailed codes, second factors, identity providers, emailed links and codes of devices count separately. An IP address may start four times as many device logins.',
    ),
  ),
  accountMailLimit: setting(
    'Limits',
    'PARLEY_ACCOUNT_MAIL_LIMIT',
    integerWithin(
      5,
      0,
      10000000,
      'Emails with links or codes to an email address in 15 minutes before delays of up to a minute. Beyond six times as many in a day, the delays grow to an hour. Invitations count separately. An IP address may request four times as many of each kind in 5 minutes. 0 disables the limit.',
    ),
  ),
  uploadMaxBytes: setting(
    'Limits',
    'PARLEY_UPLOAD_MAX_BYTES',
    integerWithin(25 * 1024 * 1024, 1024, 1024 * 1024 * 1024, 'Maximum size of a document in bytes.'),
  ),
  readingSlots: setting(
    'Limits',
    'PARLEY_READING_PLACES',
    integerWithin(
      3,
      2,
      64,
      'Documents that a worker reads at once, each in a thread. Another thread reads a document that takes long while other payers wait. A payer gets another slot only while it uses fewer slots than are free.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;
