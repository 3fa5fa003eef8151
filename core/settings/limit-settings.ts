import { setting, integerWithin, type SettingDefinition } from './setting-definition.ts';

export const limitSettings = {
  rateLimitPerMinute: setting(
    'Limits',
    'PARLEY_RATE_LIMIT_PER_MINUTE',
    integerWithin(
      600,
      0,
      10000000,
      'Requests per minute from a workspace; 0 disables the limit. A workspace without a plan shares this limit with the workspaces below it.',
    ),
  ),
  publicRateLimitPerMinute: setting(
    'Limits',
    'PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE',
    integerWithin(
      600,
      0,
      10000000,
      'Requests per minute from an IP address without an API key; 0 disables the limit.',
    ),
  ),
  widgetSessionsPerHour: setting(
    'Limits',
    'PARLEY_WIDGET_SESSIONS_PER_HOUR',
    integerWithin(
      20,
      0,
      10000000,
      'New widget sessions per hour from an IP address; 0 disables the limit. While `/demo` is served, loopback addresses may start at least 200 sessions.',
    ),
  ),
  signInLimitPerIp: setting(
    'Limits',
    'PARLEY_SIGN_IN_LIMIT_PER_IP',
    integerWithin(
      5,
      0,
      10000000,
      'Failed attempts per 5 minutes from an IP address; 0 disables the limit. Passwords, emailed codes, second factors, identity providers, emailed links and device codes count separately. An IP address may start four times as many device logins.',
    ),
  ),
  accountMailLimit: setting(
    'Limits',
    'PARLEY_ACCOUNT_MAIL_LIMIT',
    integerWithin(
      5,
      0,
      10000000,
      'Emails with links or codes to one email address in 15 minutes; further emails are delayed by up to a minute. After six times as many emails of one kind in a day, the delay is up to an hour. Invitations count separately. An IP address may request four times as many of each kind in 5 minutes. 0 disables the limit.',
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
      'Documents that a worker reads at once, each in its own thread. If a document takes long while other payers wait, an additional thread reads it instead. A payer gets another slot only while it uses fewer slots than are free.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;
