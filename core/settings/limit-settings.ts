import { Type } from '@sinclair/typebox';
import { setting, optional, count, type SettingDefinition } from './setting-definition.ts';

const bounded = (env: string, description: string) =>
  optional('Limits', env, Type.Integer({ minimum: 0, maximum: 10000000, description }));
const wrongPerIp = (env: string, what: string) =>
  bounded(
    env,
    `Wrong ${what} from one IP address in 5 minutes; 0 for any number. Default: as PARLEY_SIGN_IN_LIMIT_PER_IP says.`,
  );
const mailsPerIp = (env: string, what: string) =>
  bounded(
    env,
    `${what} that one IP address may ask for in 5 minutes; 0 for any number. Default: four times PARLEY_ACCOUNT_MAIL_LIMIT.`,
  );

export const limitSettings = {
  jsonMaxValues: setting(
    'Limits',
    'PARLEY_JSON_MAX_VALUES',
    count(
      20000,
      1000,
      1000000,
      'Values that a JSON body may have at most, lists and objects included, where its operation takes free-form objects; other operations take what their fields have room for.',
    ),
  ),
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
  principalRateLimitPerMinute: bounded(
    'PARLEY_PRINCIPAL_RATE_LIMIT_PER_MINUTE',
    'Requests that one API key, or one visitor’s session, may make in a minute; 0 for any number, uncounted. Default: as many as a workspace.',
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
  streamsPerSession: setting(
    'Limits',
    'PARLEY_STREAMS_PER_SESSION',
    count(
      5,
      1,
      1000,
      'Event streams that a visitor’s session may have open at one API process; the oldest gives way to another one.',
    ),
  ),
  sessionSharePercent: setting(
    'Limits',
    'PARLEY_SESSION_SHARE_PERCENT',
    count(
      67,
      1,
      100,
      'How much of the messages that a bot takes in a minute (`rate_limit_per_minute`) one conversation may send, in percent, rounded up; at less than 100, at least one is left to the others.',
    ),
  ),
  addressSharePercent: setting(
    'Limits',
    'PARLEY_ADDRESS_SHARE_PERCENT',
    count(
      90,
      1,
      100,
      'How much of the messages that a bot takes in a minute one address may send, in percent, rounded up; at less than 100, at least one is left to the others.',
    ),
  ),
  signInLimitPerIp: setting(
    'Limits',
    'PARLEY_SIGN_IN_LIMIT_PER_IP',
    count(
      5,
      0,
      10000000,
      'Wrong attempts from one IP address in 5 minutes, of each kind that the next settings name; 0 for any number, uncounted. What succeeds does not count.',
    ),
  ),
  passwordLimitPerIp: wrongPerIp('PARLEY_PASSWORD_LIMIT_PER_IP', 'passwords at signing in'),
  codeLimitPerIp: wrongPerIp('PARLEY_CODE_LIMIT_PER_IP', 'mailed codes'),
  secondFactorLimitPerIp: wrongPerIp(
    'PARLEY_SECOND_FACTOR_LIMIT_PER_IP',
    'codes of apps, and recovery codes,',
  ),
  providerLimitPerIp: wrongPerIp('PARLEY_PROVIDER_LIMIT_PER_IP', 'returns from identity providers'),
  linkLimitPerIp: wrongPerIp('PARLEY_LINK_LIMIT_PER_IP', 'tokens of mailed links'),
  signInLimitPerAccount: setting(
    'Limits',
    'PARLEY_SIGN_IN_LIMIT_PER_ACCOUNT',
    count(
      10,
      0,
      10000000,
      'Attempts to sign in to one account in 15 minutes that are looked at without delay; 0 for any number, uncounted. Further ones wait ever longer, up to a minute.',
    ),
  ),
  wrongCodesPerDay: setting(
    'Limits',
    'PARLEY_WRONG_CODES_PER_DAY',
    count(
      30,
      0,
      10000000,
      'Wrong codes that one account takes in a day, mailed ones and those of the second factor each; 0 for any number. Then no more are looked at until the day is over, and its owner is told by mail.',
    ),
  ),
  notedFailuresPerHour: setting(
    'Limits',
    'PARLEY_NOTED_FAILURES_PER_HOUR',
    count(
      10,
      0,
      10000000,
      'Failed sign-ins of one account in an hour that the audit logs of its workspaces note; 0 for any number.',
    ),
  ),
  accountMailLimit: setting(
    'Limits',
    'PARLEY_ACCOUNT_MAIL_LIMIT',
    count(
      5,
      0,
      10000000,
      'Mails with links or codes that one mail address gets in 15 minutes without delay, invitations of all workspaces counted apart. 0 for any number, uncounted.',
    ),
  ),
  registrationLimitPerIp: mailsPerIp('PARLEY_REGISTRATION_LIMIT_PER_IP', 'Registrations'),
  verificationMailLimitPerIp: mailsPerIp(
    'PARLEY_VERIFICATION_MAIL_LIMIT_PER_IP',
    'Further links to verify an address',
  ),
  resetMailLimitPerIp: mailsPerIp('PARLEY_RESET_MAIL_LIMIT_PER_IP', 'Links to set a new password'),
  codeMailLimitPerIp: mailsPerIp('PARLEY_CODE_MAIL_LIMIT_PER_IP', 'Codes to sign in with'),
  invitationsPerDay: setting(
    'Limits',
    'PARLEY_INVITATIONS_PER_DAY',
    count(
      100,
      0,
      10000000,
      'Invitations that one workspace sends within 24 hours, those that are sent again counted too; 0 for any number.',
    ),
  ),
  invitationsPerPerson: setting(
    'Limits',
    'PARLEY_INVITATIONS_PER_PERSON',
    count(
      300,
      0,
      10000000,
      'Invitations that one person asks for in a day, in all workspaces together; 0 for any number, uncounted.',
    ),
  ),
  uploadMaxBytes: setting(
    'Limits',
    'PARLEY_UPLOAD_MAX_BYTES',
    count(25 * 1024 * 1024, 1024, 1024 * 1024 * 1024, 'Largest document, uploaded or fetched, in bytes.'),
  ),
  botVersionsKept: setting(
    'Limits',
    'PARLEY_BOT_VERSIONS_KEPT',
    count(
      200,
      1,
      10000,
      'Versions that are kept of a bot; beyond, the oldest without a note go first, and never the last one.',
    ),
  ),
  flowsPerBot: setting(
    'Limits',
    'PARLEY_FLOWS_PER_BOT',
    count(50, 1, 1000, 'Flows that a bot may have at most.'),
  ),
  flowRevisionsKept: setting(
    'Limits',
    'PARLEY_FLOW_REVISIONS_KEPT',
    count(
      20,
      1,
      1000,
      'Graphs that are kept of a flow, the present one among them; the oldest go first, but for those that conversations are in.',
    ),
  ),
  flowTurnSeconds: setting(
    'Limits',
    'PARLEY_FLOW_TURN_SECONDS',
    count(30, 1, 300, 'Seconds that a flow may take between two words of a visitor; beyond, it has failed.'),
  ),
  flowMinuteMs: setting(
    'Limits',
    'PARLEY_FLOW_MINUTE_MS',
    count(
      60_000,
      1,
      60_000,
      'Milliseconds of a minute of `timeout_minutes`; less where flows are tried out.',
    ),
  ),
  generationsPerHour: setting(
    'Limits',
    'PARLEY_GENERATIONS_PER_HOUR',
    count(
      60,
      0,
      10000000,
      'Bots that one workspace, and one account in all its workspaces, may have generated in an hour; 0 for any number, uncounted. Workspaces that share a plan have five times as many together, without a plan as many.',
    ),
  ),
  generationTimeoutMs: setting(
    'Limits',
    'PARLEY_GENERATION_TIMEOUT_MS',
    count(
      30000,
      100,
      120000,
      'How long a caller of `generateBot` waits for the website and the model, in milliseconds; then the bot is drafted by rules.',
    ),
  ),
  widgetThemeMaxBytes: setting(
    'Limits',
    'PARLEY_WIDGET_THEME_MAX_BYTES',
    count(
      100_000,
      1000,
      1_000_000,
      'Largest `widget_theme` of a bot, with all that its changes have added, in bytes of JSON; every page with the widget loads it.',
    ),
  ),
  searchPlaces: setting(
    'Limits',
    'PARLEY_SEARCH_PLACES',
    count(
      4,
      2,
      64,
      'Searches for a text in conversations and contacts that each process of the API makes at once; fewer than it has connections. One workspace takes another place only while it has fewer than are free: alone half of them. Eight wait for each place.',
    ),
  ),
  searchSeconds: setting(
    'Limits',
    'PARLEY_SEARCH_SECONDS',
    count(
      10,
      1,
      30,
      'How long one search for a text in conversations or contacts may take, in seconds; beyond, it is refused with what to do.',
    ),
  ),
  pageFetchMs: setting(
    'Limits',
    'PARLEY_PAGE_FETCH_MS',
    count(
      60000,
      100,
      90000,
      'How long a web page may take to arrive, in milliseconds, all redirects included.',
    ),
  ),
  requestTimeoutMs: setting(
    'Limits',
    'PARLEY_REQUEST_TIMEOUT_MS',
    count(
      300000,
      1000,
      3600000,
      'How long a request may take to arrive as a whole, in milliseconds; large uploads over slow lines need it, and callers who send a byte at a time use it up.',
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
  readingBaseMs: setting(
    'Limits',
    'PARLEY_READING_BASE_MS',
    count(
      10000,
      100,
      180000,
      'Time of a processor that it may take to read a document of any size, in milliseconds; waiting for one on a busy machine does not count. With it, reading may take `PARLEY_READING_BASE_MS` + megabytes × `PARLEY_READING_MS_PER_MB`, at most `PARLEY_READING_MAX_MS`.',
    ),
  ),
  readingMsPerMb: setting(
    'Limits',
    'PARLEY_READING_MS_PER_MB',
    count(10000, 0, 180000, 'How much longer for each megabyte of the document, in milliseconds.'),
  ),
  readingMaxMs: setting(
    'Limits',
    'PARLEY_READING_MAX_MS',
    count(60000, 100, 180000, 'How long it may take to read a document however large, in milliseconds.'),
  ),
  signInCodeTries: setting(
    'Limits',
    'PARLEY_SIGN_IN_CODE_TRIES',
    count(5, 1, 100, 'Wrong tries after which a mailed sign-in code is good no more.'),
  ),
} satisfies Record<string, SettingDefinition>;
