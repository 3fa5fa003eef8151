import { Type, type TSchema } from '@sinclair/typebox';

export interface SettingDefinition<T extends TSchema = TSchema> {
  env: string;
  schema: T;
  group: SettingGroup;
  secret: boolean;
  /** False where no value means that the feature is off or that another default applies. */
  required: boolean;
}

export type SettingGroup =
  | 'Processes and addresses'
  | 'Database'
  | 'Temporal'
  | 'Secrets and first start'
  | 'Storage'
  | 'Models'
  | 'Mail'
  | 'Outbound requests'
  | 'Limits'
  | 'Lifetimes'
  | 'Webhooks'
  | 'Observability';

function setting<T extends TSchema>(group: SettingGroup, env: string, schema: T, secret = false) {
  return { env, schema, group, secret, required: true as const };
}

function optional<T extends TSchema>(group: SettingGroup, env: string, schema: T, secret = false) {
  return { env, schema, group, secret, required: false as const };
}

const port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65535, default: fallback, description });
const metricsPort = (description: string) => Type.Integer({ minimum: 0, maximum: 65535, description });
const text = (description: string) => Type.String({ minLength: 1, description });
const textWithDefault = (fallback: string, description: string) =>
  Type.String({ minLength: 1, default: fallback, description });
const count = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description });

const wrongPerIp = (env: string, what: string) =>
  optional(
    'Limits',
    env,
    Type.Integer({
      minimum: 0,
      maximum: 10000000,
      description: `Wrong ${what} from one IP address in 5 minutes; 0 for any number. Default: as PARLEY_SIGN_IN_LIMIT_PER_IP says.`,
    }),
  );
const mailsPerIp = (env: string, what: string) =>
  optional(
    'Limits',
    env,
    Type.Integer({
      minimum: 0,
      maximum: 10000000,
      description: `${what} that one IP address may ask for in 5 minutes; 0 for any number. Default: four times PARLEY_ACCOUNT_MAIL_LIMIT.`,
    }),
  );

/** Every setting of Parley. A setting without a default is optional unless a check below demands it. */
export const settingDefinitions = {
  host: setting(
    'Processes and addresses',
    'PARLEY_HOST',
    textWithDefault('127.0.0.1', 'Address the API listens on; `0.0.0.0` for all.'),
  ),
  port: setting('Processes and addresses', 'PORT', port(3000, 'Port of the API; 0 takes a free one.')),
  baseUrl: setting(
    'Processes and addresses',
    'PARLEY_BASE_URL',
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'Public address of the API, without a trailing slash; by default `http://localhost:<PORT>`.',
    }),
  ),
  home: setting(
    'Processes and addresses',
    'PARLEY_HOME',
    textWithDefault('.parley', 'Folder of everything that `npm start` keeps: databases, files, secrets.'),
  ),
  logLevel: setting(
    'Processes and addresses',
    'PARLEY_LOG_LEVEL',
    Type.Union(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
      { default: 'info', description: 'Lowest level that is logged.' },
    ),
  ),
  checkResponses: setting(
    'Processes and addresses',
    'PARLEY_CHECK_RESPONSES',
    Type.Boolean({
      default: false,
      description:
        'Validate every response against its schema and answer 500 where it does not fit; for tests.',
    }),
  ),
  shutdownGraceMs: setting(
    'Processes and addresses',
    'PARLEY_SHUTDOWN_GRACE_MS',
    count(8000, 0, 60000, 'How long requests and activities may go on after SIGTERM, in milliseconds.'),
  ),
  streamHeartbeatMs: setting(
    'Processes and addresses',
    'PARLEY_STREAM_HEARTBEAT_MS',
    count(
      15000,
      50,
      60000,
      'Pause between the comments that keep event streams open, in milliseconds. A reader who takes nothing for three of them is cut off.',
    ),
  ),
  streamLongestMs: setting(
    'Processes and addresses',
    'PARLEY_STREAM_LONGEST_MS',
    count(
      3600000,
      100,
      86400000,
      'Longest duration of an event stream, in milliseconds; its reader opens another one with `Last-Event-ID`.',
    ),
  ),

  databaseUrl: optional(
    'Database',
    'DATABASE_URL',
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'PostgreSQL 15 or later. Without it `npm start` runs an embedded PostgreSQL 18.',
    }),
    true,
  ),
  databasePort: setting('Database', 'DATABASE_PORT', port(5433, 'Port of the embedded PostgreSQL.')),
  databasePool: setting(
    'Database',
    'PARLEY_DATABASE_POOL',
    count(16, 2, 200, 'Connections each process keeps open at most, beside up to eight for queues.'),
  ),

  temporalAddress: optional(
    'Temporal',
    'TEMPORAL_ADDRESS',
    Type.String({
      pattern: '^[^:/]+:\\d+$',
      description: 'host:port of a Temporal server. Without it `npm start` runs one of its own.',
    }),
  ),
  temporalNamespace: setting(
    'Temporal',
    'TEMPORAL_NAMESPACE',
    textWithDefault('default', 'Namespace of all workflows.'),
  ),
  temporalPort: setting(
    'Temporal',
    'TEMPORAL_PORT',
    port(7233, 'Port of the Temporal server that `npm start` runs.'),
  ),
  temporalUiPort: setting('Temporal', 'TEMPORAL_UI_PORT', port(8233, 'Port of its web UI.')),
  temporalTaskQueue: setting(
    'Temporal',
    'PARLEY_TASK_QUEUE_PREFIX',
    textWithDefault(
      'parley',
      'Prefix of the task queues’ names, so that several installations can share a namespace.',
    ),
  ),

  masterKey: optional(
    'Secrets and first start',
    'PARLEY_MASTER_KEY',
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      description:
        '32 random bytes in base64: seals secrets at rest and signs tokens, links and cursors. `npm start` makes one and keeps it in `PARLEY_HOME`.',
    }),
    true,
  ),
  bootstrapEmail: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_EMAIL',
    Type.String({
      pattern: '^[^@\\s]+@[^@\\s]+$',
      maxLength: 320,
      description: 'Address of the first owner. Default: `owner@parley.localhost`.',
    }),
  ),
  bootstrapPassword: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_PASSWORD',
    Type.String({
      minLength: 8,
      maxLength: 200,
      description: 'Password of the first owner. Default: a random one, shown once.',
    }),
    true,
  ),
  bootstrapApiKey: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_API_KEY',
    Type.String({
      pattern: '^parley_live_[0-9A-Za-z]{36}$',
      description:
        'First API key. Default: a random one, shown once. `npm run parley -- create-key --print-only` makes a valid one.',
    }),
    true,
  ),

  identityProviders: setting(
    'Secrets and first start',
    'PARLEY_IDENTITY_PROVIDERS',
    Type.String({
      default: '{}',
      description:
        'OpenID Connect issuers to sign in with: a JSON object of name → `{"issuer":"https://accounts.google.com","client_id":"…","client_secret":"…"}`, where `scopes` may say more than `openid email profile`. The redirect URI to register there is `<PARLEY_BASE_URL>/sign-in/<name>`.',
    }),
    true,
  ),

  registration: setting(
    'Secrets and first start',
    'PARLEY_REGISTRATION',
    Type.Union([Type.Literal('open'), Type.Literal('invited')], {
      default: 'open',
      description:
        'Who may make an account: anybody, or only who is invited to a workspace. What `PARLEY_OUTBOUND_ALLOW` opens of your network is open to the webhooks, documents and models of all of them.',
    }),
  ),

  storage: setting(
    'Storage',
    'PARLEY_STORAGE',
    Type.Union([Type.Literal('local'), Type.Literal('s3')], {
      default: 'local',
      description: 'Where originals are kept: files under `PARLEY_HOME`, or an S3 bucket.',
    }),
  ),
  s3Endpoint: optional(
    'Storage',
    'PARLEY_S3_ENDPOINT',
    Type.String({
      pattern: '^https?://',
      description: 'Address of an S3-compatible store; without it Amazon’s.',
    }),
  ),
  s3Bucket: optional(
    'Storage',
    'PARLEY_S3_BUCKET',
    text('Bucket name; required when PARLEY_STORAGE is `s3`.'),
  ),
  s3Region: setting('Storage', 'PARLEY_S3_REGION', textWithDefault('us-east-1', 'Region of the bucket.')),
  s3AccessKeyId: optional('Storage', 'PARLEY_S3_ACCESS_KEY_ID', text('Access key id.')),
  s3SecretAccessKey: optional('Storage', 'PARLEY_S3_SECRET_ACCESS_KEY', text('Secret access key.'), true),

  modelBaseUrl: optional(
    'Models',
    'PARLEY_MODEL_BASE_URL',
    Type.String({
      pattern: '^https?://',
      description:
        'OpenAI-compatible endpoint of the `platform` provider, e.g. `https://api.openai.com/v1`. Without it answers are quoted from the documents (`extractive-1`).',
    }),
  ),
  modelApiKey: optional('Models', 'PARLEY_MODEL_API_KEY', text('Key for that endpoint.'), true),
  modelName: setting(
    'Models',
    'PARLEY_MODEL',
    textWithDefault('gpt-4o-mini', 'Model of a bot that names none.'),
  ),
  byokBaseUrl: setting(
    'Models',
    'PARLEY_BYOK_BASE_URL',
    Type.String({
      pattern: '^https?://',
      default: 'https://api.openai.com/v1',
      description: 'OpenAI-compatible endpoint that `byok` bots call with the workspace’s own key.',
    }),
  ),
  modelPrices: setting(
    'Models',
    'PARLEY_MODEL_PRICES',
    Type.String({
      default:
        '{"gpt-4o-mini":{"input":0.15,"output":0.6},"gpt-4o":{"input":2.5,"output":10},"gpt-4.1-mini":{"input":0.4,"output":1.6},"gpt-4.1":{"input":2,"output":8}}',
      description:
        'JSON object of model → US dollars per million input and output tokens; a model outside it costs null.',
    }),
  ),
  modelTimeoutMs: setting(
    'Models',
    'PARLEY_MODEL_TIMEOUT_MS',
    count(60000, 1000, 600000, 'Longest wait for a model’s whole answer, in milliseconds.'),
  ),
  modelFirstTokenTimeoutMs: setting(
    'Models',
    'PARLEY_MODEL_FIRST_TOKEN_TIMEOUT_MS',
    count(30000, 500, 600000, 'Longest silence of a model before or between tokens, in milliseconds.'),
  ),

  smtpUrl: optional(
    'Mail',
    'PARLEY_SMTP_URL',
    Type.String({
      pattern: '^smtps?://',
      description:
        'SMTP server, with credentials in the URL: `smtps://user:password@host` (TLS at once, port 465) or `smtp://…` (STARTTLS, port 587). Without it mails are kept for a week and shown at `/dev/mail`.',
    }),
    true,
  ),
  smtpTls: setting(
    'Mail',
    'PARLEY_SMTP_TLS',
    Type.Union([Type.Literal('required'), Type.Literal('none')], {
      default: 'required',
      description:
        'Of `smtp:` servers: nothing is sent without STARTTLS and a valid certificate, or, for a relay on a network of your own, all in clear.',
    }),
  ),
  smtpCaFile: optional(
    'Mail',
    'PARLEY_SMTP_CA_FILE',
    text(
      'PEM file of authorities that may have issued the SMTP server’s certificate, besides the known ones.',
    ),
  ),
  smtpTimeoutMs: setting(
    'Mail',
    'PARLEY_SMTP_TIMEOUT_MS',
    count(20000, 100, 60000, 'Longest wait for each answer of the SMTP server, in milliseconds.'),
  ),
  mailRetrySchedule: setting(
    'Mail',
    'PARLEY_MAIL_RETRY_SCHEDULE',
    Type.String({
      pattern: '^(none|\\d{1,6}(,\\d{1,6}){0,19})$',
      default: '5,30,120,600,1800,7200,21600,43200,86400',
      description:
        'Pauses in seconds before the second and each further attempt to send a mail; `none` for one attempt.',
    }),
  ),
  replyMailAfterSeconds: setting(
    'Mail',
    'PARLEY_REPLY_MAIL_AFTER_SECONDS',
    count(
      120,
      1,
      86400,
      'How long a visitor who has left an address has to come back, before what the team wrote is mailed, in seconds.',
    ),
  ),
  replyMailsPerConversation: setting(
    'Mail',
    'PARLEY_REPLY_MAILS_PER_CONVERSATION',
    count(5, 0, 1000, 'Mails to the visitor of one conversation at most; 0 for none.'),
  ),
  replyMailsPerDay: setting(
    'Mail',
    'PARLEY_REPLY_MAILS_PER_DAY',
    count(500, 0, 10000000, 'Mails to visitors that a workspace sends in 24 hours at most.'),
  ),
  mailPagesToken: optional(
    'Mail',
    'PARLEY_MAIL_PAGES_TOKEN',
    Type.String({
      pattern: '^[A-Za-z0-9_-]{16,200}$',
      description:
        'What `/dev/mail` asks for, as `?token=…`. Default: made of the master key; `npm start` and `npm run parley -- mail-link` print the link.',
    }),
    true,
  ),
  mailFrom: setting(
    'Mail',
    'PARLEY_MAIL_FROM',
    textWithDefault('Parley <parley@localhost>', 'Sender of every mail.'),
  ),

  outboundAllow: setting(
    'Outbound requests',
    'PARLEY_OUTBOUND_ALLOW',
    Type.String({
      default: '',
      description:
        'Comma-separated CIDRs that outbound requests may reach although they are not public, e.g. `10.1.0.0/16`; plain `http` is allowed to them. It opens them to every workspace, so keep it empty where strangers can register (`PARLEY_REGISTRATION`). Addresses that hand out credentials of the machine, such as `169.254.169.254`, open only where they are named by themselves (`/32`, `/128`).',
    }),
  ),
  trustedProxies: setting(
    'Outbound requests',
    'PARLEY_TRUSTED_PROXIES',
    count(0, 0, 10, 'How many reverse proxies in front of the API append to X-Forwarded-For.'),
  ),
  countryHeader: optional(
    'Outbound requests',
    'PARLEY_COUNTRY_HEADER',
    Type.String({
      pattern: '^[A-Za-z0-9-]+$',
      description:
        'Header in which the reverse proxies tell a visitor’s country, e.g. `CF-IPCountry`, and which they must set themselves. Ignored while `PARLEY_TRUSTED_PROXIES` is 0.',
    }),
  ),

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
    count(600, 0, 10000000, 'Requests a workspace may make in a minute; 0 for any number, uncounted.'),
  ),
  principalRateLimitPerMinute: optional(
    'Limits',
    'PARLEY_PRINCIPAL_RATE_LIMIT_PER_MINUTE',
    Type.Integer({
      minimum: 0,
      maximum: 10000000,
      description:
        'Requests that one API key, or one visitor’s session, may make in a minute; 0 for any number, uncounted. Default: as many as a workspace.',
    }),
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
      'How much of the messages that a bot takes in a minute (`rate_limit_per_minute`) one conversation may send, in percent, rounded up.',
    ),
  ),
  addressSharePercent: setting(
    'Limits',
    'PARLEY_ADDRESS_SHARE_PERCENT',
    count(
      90,
      1,
      100,
      'How much of the messages that a bot takes in a minute one address may send, in percent, rounded up.',
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
      'Searches for a text in conversations that each process of the API makes at once; fewer than it has connections. One workspace takes another place only while it has fewer than are free: alone half of them. Eight wait for each place.',
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
      'How long it may take to read a document of any size, in milliseconds. With it, reading may take `PARLEY_READING_BASE_MS` + megabytes × `PARLEY_READING_MS_PER_MB`, at most `PARLEY_READING_MAX_MS`.',
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

  freshProofMinutes: setting(
    'Lifetimes',
    'PARLEY_FRESH_PROOF_MINUTES',
    count(
      10,
      1,
      1440,
      'How many minutes after signing in somebody may do what gives lasting access: make API keys, link identity providers, set up a second factor and the like.',
    ),
  ),
  accessTokenSeconds: setting(
    'Lifetimes',
    'PARLEY_ACCESS_TOKEN_SECONDS',
    count(
      900,
      10,
      86400,
      'How long an access token is good, in seconds. Sessions that were ended stop at once, whatever it is.',
    ),
  ),
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
  mfaChallengeSeconds: setting(
    'Lifetimes',
    'PARLEY_MFA_CHALLENGE_SECONDS',
    count(300, 30, 3600, 'Time to enter the code of the second factor after the first one, in seconds.'),
  ),
  signInCodeSeconds: setting(
    'Lifetimes',
    'PARLEY_SIGN_IN_CODE_SECONDS',
    count(600, 60, 3600, 'How long a mailed sign-in code is good, in seconds.'),
  ),
  resetLinkSeconds: setting(
    'Lifetimes',
    'PARLEY_RESET_LINK_SECONDS',
    count(1800, 60, 86400, 'How long a mailed link to set a new password is good, in seconds.'),
  ),
  verifyLinkSeconds: setting(
    'Lifetimes',
    'PARLEY_VERIFY_LINK_SECONDS',
    count(86400, 60, 2592000, 'How long a mailed link to confirm an address is good, in seconds.'),
  ),
  identityAttemptSeconds: setting(
    'Lifetimes',
    'PARLEY_IDENTITY_ATTEMPT_SECONDS',
    count(600, 60, 3600, 'Time to come back from an identity provider, in seconds.'),
  ),
  invitationDays: setting(
    'Lifetimes',
    'PARLEY_INVITATION_DAYS',
    count(7, 1, 365, 'Days that the link of an invitation is good, counted from its mail.'),
  ),
  invitationReminderDays: setting(
    'Lifetimes',
    'PARLEY_INVITATION_REMINDER_DAYS',
    count(
      3,
      1,
      365,
      'Days after which an invitation that nobody has accepted is mailed once more; none where it has ended by then.',
    ),
  ),
  visitorTokenSeconds: setting(
    'Lifetimes',
    'PARLEY_VISITOR_TOKEN_SECONDS',
    count(1800, 120, 2592000, 'How long a visitor’s token is good after its last use, in seconds.'),
  ),
  conversationIdleSeconds: setting(
    'Lifetimes',
    'PARLEY_CONVERSATION_IDLE_SECONDS',
    count(
      1800,
      60,
      2592000,
      'Seconds without a message after which a conversation with the bot ends; looked at every five minutes.',
    ),
  ),
  handoffIdleSeconds: setting(
    'Lifetimes',
    'PARLEY_HANDOFF_IDLE_SECONDS',
    count(
      86400,
      1,
      31536000,
      'How long nobody has written in a conversation that waits for a person, or has one, before it ends, in seconds.',
    ),
  ),
  fileLinkSeconds: setting(
    'Lifetimes',
    'PARLEY_FILE_LINK_SECONDS',
    count(300, 10, 86400, 'How long a link to download a document’s original is good, in seconds.'),
  ),
  mailLogDays: setting(
    'Lifetimes',
    'PARLEY_MAIL_LOG_DAYS',
    count(7, 3, 365, 'How many days mails, and what came of them, are kept.'),
  ),

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

  metricsHost: setting(
    'Observability',
    'PARLEY_METRICS_HOST',
    textWithDefault('127.0.0.1', 'Address that metrics are served on; whoever reaches it can read them.'),
  ),
  metricsPort: optional(
    'Observability',
    'PARLEY_METRICS_PORT',
    metricsPort('Port of the API’s Prometheus metrics, at `/metrics`. Without it there are none.'),
  ),
  workerMetricsPort: optional(
    'Observability',
    'PARLEY_WORKER_METRICS_PORT',
    metricsPort('Port of the worker’s Prometheus metrics, at `/metrics`. Without it there are none.'),
  ),
  temporalMetricsPort: optional(
    'Observability',
    'PARLEY_TEMPORAL_METRICS_PORT',
    metricsPort('Port of what Temporal’s SDK measures in the worker. Without it that is not told.'),
  ),
  otlpEndpoint: optional(
    'Observability',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    Type.String({
      pattern: '^https?://',
      description:
        'Receiver of OpenTelemetry traces, e.g. `http://127.0.0.1:4318`; `/v1/traces` is added. Without it there are none. The other `OTEL_*` variables, for headers, sampling and names, mean what OpenTelemetry says.',
    }),
  ),
  otlpProtocol: setting(
    'Observability',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    Type.Union([Type.Literal('http/protobuf'), Type.Literal('http/json')], {
      default: 'http/protobuf',
      description: 'How traces are encoded for it.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
