import { setting, count, type SettingDefinition } from './setting-definition.ts';

export const limitSettings = {
  rateLimitPerMinute: setting(
    'Limits',
    'PARLEY_RATE_LIMIT_PER_MINUTE',
    count(
      600,
      0,
      10000000,
      'Requests a workspace may make in a minute; 0 for any number, uncounted. Without a plan all workspaces below one share its requests.',
    ),
  ),
  publicRateLimitPerMinute: setting(
    'Limits',
    'PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE',
    count(
      600,
      0,
      10000000,
      'Requests an address may make in a minute without an API key; 0 for any number, uncounted.',
    ),
  ),
  widgetSessionsPerHour: setting(
    'Limits',
    'PARLEY_WIDGET_SESSIONS_PER_HOUR',
    count(
      20,
      0,
      10000000,
      'New widget sessions an address may open in an hour; 0 for any number, uncounted.',
    ),
  ),
  signInLimitPerIp: setting(
    'Limits',
    'PARLEY_SIGN_IN_LIMIT_PER_IP',
    count(
      5,
      0,
      10000000,
      'Wrong attempts from one IP address in 5 minutes, counted apart for passwords, mailed codes, second factors, returns from identity providers and tokens of mailed links; 0 for any number, uncounted. What succeeds does not count.',
    ),
  ),
  accountMailLimit: setting(
    'Limits',
    'PARLEY_ACCOUNT_MAIL_LIMIT',
    count(
      5,
      0,
      10000000,
      'Mails with links or codes that one mail address gets in 15 minutes without delay, invitations of all workspaces counted apart. One IP address may ask for four times as many in 5 minutes, of each kind. 0 for any number, uncounted.',
    ),
  ),
  uploadMaxBytes: setting(
    'Limits',
    'PARLEY_UPLOAD_MAX_BYTES',
    count(
      25 * 1024 * 1024,
      1024,
      1024 * 1024 * 1024,
      'Maximum size of a document, uploaded or fetched, in bytes.',
    ),
  ),
  readingPlaces: setting(
    'Limits',
    'PARLEY_READING_PLACES',
    count(
      3,
      2,
      64,
      'Documents that a worker reads at once, each in a thread. One workspace takes another place only while it has fewer than are free: alone two of three, so that the next one finds one.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;
