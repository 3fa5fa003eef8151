import { Type } from '@sinclair/typebox';
import { WORKER_ROLES } from './worker-roles.ts';
import { billingSettings } from './billing-settings.ts';
import { alertPriceSettings } from './alert-price-settings.ts';
import { alertSettings } from './alert-settings.ts';
import { calendarSettings } from './calendar-settings.ts';
import { documentSettings } from './document-settings.ts';
import { embeddingSettings } from './embedding-settings.ts';
import { encryptionSettings } from './encryption-settings.ts';
import { lifetimeSettings } from './lifetime-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { modelSettings } from './model-settings.ts';
import {
  setting,
  optional,
  port,
  metricsPort,
  nonEmptyText,
  textWithDefault,
  integerWithin,
  type SettingDefinition,
} from './setting-definition.ts';

/**
 * Every setting that operators can change. A setting without a default is optional, except if a check of
 * `loadSettings` requires it.
 */
export const settingDefinitions = {
  host: setting(
    'Processes and addresses',
    'PARLEY_HOST',
    textWithDefault('127.0.0.1', 'IP address or host name that the API listens on; `0.0.0.0` for all.'),
  ),
  port: setting('Processes and addresses', 'PORT', port(3000, 'Port of the API; 0 selects a free port.')),
  baseUrl: setting(
    'Processes and addresses',
    'PARLEY_BASE_URL',
    Type.String({
      pattern: '^https?://[^/]+$',
      form: 'an address with http:// or https:// and without a path, such as https://parley.example.com',
      description: 'Public address of the API without a trailing slash. Default: `http://localhost:<PORT>`.',
    }),
  ),
  home: setting(
    'Processes and addresses',
    'PARLEY_HOME',
    textWithDefault('.parley', 'Data folder of `npm start`: databases, files, secrets.'),
  ),
  logLevel: setting(
    'Processes and addresses',
    'PARLEY_LOG_LEVEL',
    Type.Union(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
      { default: 'info', description: 'Minimum level of the log entries that are written.' },
    ),
  ),
  demoPage: setting(
    'Processes and addresses',
    'PARLEY_DEMO_PAGE',
    Type.Boolean({
      default: false,
      description:
        'Serve `/demo`, a page with the widget. `npm start` enables it, except behind https or proxies.',
    }),
  ),
  shutdownGraceMs: setting(
    'Processes and addresses',
    'PARLEY_SHUTDOWN_GRACE_MS',
    integerWithin(8000, 0, 60000, 'Milliseconds for requests and activities to finish after SIGTERM.'),
  ),

  databaseUrl: optional(
    'Database',
    'DATABASE_URL',
    Type.String({
      pattern: '^postgres(ql)?://',
      form: 'a URL such as postgres://user:password@localhost:5432/parley',
      description: 'PostgreSQL 15 or later. If this is not set, `npm start` runs an embedded PostgreSQL 18.',
    }),
    true,
  ),
  databasePort: setting('Database', 'DATABASE_PORT', port(5433, 'Port of the embedded PostgreSQL.')),
  databasePool: setting(
    'Database',
    'PARLEY_DATABASE_POOL',
    integerWithin(
      16,
      2,
      200,
      'Maximum connections to PostgreSQL per process. In addition, a process uses up to eight connections for queues and two for keys.',
    ),
  ),

  temporalAddress: optional(
    'Temporal',
    'TEMPORAL_ADDRESS',
    Type.String({
      pattern: '^[^:/]+:\\d+$',
      form: 'a host and a port, such as localhost:7233',
      description: 'host:port of a Temporal server. If this is not set, `npm start` runs a server.',
    }),
  ),
  temporalNamespace: setting(
    'Temporal',
    'TEMPORAL_NAMESPACE',
    textWithDefault('default', 'Namespace of all workflows.'),
  ),
  temporalPort: setting('Temporal', 'TEMPORAL_PORT', port(7233, 'Port of the embedded Temporal server.')),
  temporalBinary: optional(
    'Temporal',
    'PARLEY_TEMPORAL_BINARY',
    Type.String({
      description:
        'Temporal CLI for `npm start`. Default: from PATH or cache, otherwise downloaded or built.',
    }),
  ),
  temporalUiPort: setting(
    'Temporal',
    'TEMPORAL_UI_PORT',
    port(8233, 'Port of the embedded Temporal server’s web UI.'),
  ),
  temporalUiUrl: optional(
    'Temporal',
    'PARLEY_TEMPORAL_UI_URL',
    Type.String({
      pattern: '^https?://\\S*[^/\\s]$',
      form: 'a URL without a trailing slash, such as https://temporal.example.com',
      description:
        'Address of Temporal’s web UI. The console shows owners a link to this address. By default, `npm start` on localhost uses the UI of its own server.',
    }),
  ),
  temporalTaskQueue: setting(
    'Temporal',
    'PARLEY_TASK_QUEUE_PREFIX',
    textWithDefault('parley', 'Prefix of task queues, for installations that share a namespace.'),
  ),
  workerQueues: setting(
    'Processes and addresses',
    'PARLEY_WORKER_QUEUES',
    Type.String({
      default: '',
      description: `Roles that this worker serves, separated by commas: ${WORKER_ROLES.map((role) => `\`${role}\``).join(', ')}. Default: all roles.`,
    }),
  ),

  masterKey: optional(
    'Secrets and first start',
    'PARLEY_MASTER_KEY',
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      form: '32 bytes in base64, like masterKey in secrets.json',
      description:
        '32 random bytes in base64, for sealing secrets and signing tokens, links and cursors. `npm start` generates one in `PARLEY_HOME`.',
    }),
    true,
  ),
  bootstrapEmail: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_EMAIL',
    Type.String({
      pattern: '^[^@\\s]{1,64}@[^@\\s.]{1,63}(\\.[^@\\s.]{1,63})*$',
      form: 'an email address',
      maxLength: 320,
      description: 'Email address of the first owner. Default: `owner@parley.localhost`.',
    }),
  ),
  bootstrapPassword: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_PASSWORD',
    Type.String({
      minLength: 8,
      maxLength: 200,
      description:
        'Password of the first owner. Default: `npm start` prints a link to choose one; `migrate` shows a random password once.',
    }),
    true,
  ),
  bootstrapApiKey: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_API_KEY',
    Type.String({
      pattern: '^parley_live_[0-9A-Za-z]{36}$',
      form: 'a key that `npm run parley -- create-key --print-only` prints',
      description:
        'First API key. Default: a random key, shown once. `npm run parley -- create-key --print-only` creates a key.',
    }),
    true,
  ),

  identityProviders: setting(
    'Secrets and first start',
    'PARLEY_IDENTITY_PROVIDERS',
    Type.String({
      default: '{}',
      description:
        'OpenID Connect issuers: JSON of name → `{"issuer":"https://accounts.google.com","client_id":"…","client_secret":"…"}`, and `scopes` beyond `openid email profile`. `"trust_email":true` accepts email addresses even if the issuer does not say whether they are verified; set it only for an issuer of your own organization. `"claims":{"email":["email","upn"],"email_verified":["xms_edov"],"name":["name"]}` names other claims. The first claim that is present counts; `email_verified` only applies to the first claim of `email`. Redirect URI: `<PARLEY_BASE_URL>/sign-in/<name>`.',
    }),
    true,
  ),

  registration: setting(
    'Secrets and first start',
    'PARLEY_REGISTRATION',
    Type.Union([Type.Literal('open'), Type.Literal('invited')], {
      default: 'open',
      description: 'Who may register: everyone, or only invited people.',
    }),
  ),
  mcpOrigins: setting(
    'Processes and addresses',
    'PARLEY_MCP_ORIGINS',
    Type.String({
      pattern: '^(https?://[^/,\\s]+(\\s*,\\s*https?://[^/,\\s]+)*)?$',
      form: 'a comma-separated list of origins, such as https://inspector.example.com,http://localhost:6274',
      default: '',
      description:
        'Comma-separated origins whose pages may call the MCP server, e.g. `https://inspector.example.com`. Pages of `PARLEY_BASE_URL`, and programs that send no Origin header, may always call the server.',
    }),
  ),

  storage: setting(
    'Storage',
    'PARLEY_STORAGE',
    Type.Union([Type.Literal('local'), Type.Literal('s3')], {
      default: 'local',
      description: 'Storage of original files: `PARLEY_HOME`, or an S3 bucket.',
    }),
  ),
  s3Endpoint: optional(
    'Storage',
    'PARLEY_S3_ENDPOINT',
    Type.String({
      pattern: '^https?://',
      form: 'a URL with http:// or https://, such as https://s3.example.com',
      description: 'URL of an S3-compatible store. Default: Amazon S3.',
    }),
  ),
  s3Bucket: optional(
    'Storage',
    'PARLEY_S3_BUCKET',
    nonEmptyText('Bucket name; required when PARLEY_STORAGE is `s3`.'),
  ),
  s3Region: setting('Storage', 'PARLEY_S3_REGION', textWithDefault('us-east-1', 'Region of the bucket.')),
  s3AccessKeyId: optional('Storage', 'PARLEY_S3_ACCESS_KEY_ID', nonEmptyText('Access key id.')),
  s3SecretAccessKey: optional(
    'Storage',
    'PARLEY_S3_SECRET_ACCESS_KEY',
    nonEmptyText('Secret access key.'),
    true,
  ),
  ...documentSettings,
  ...modelSettings,
  ...embeddingSettings,
  smtpUrl: optional(
    'Mail',
    'PARLEY_SMTP_URL',
    Type.String({
      pattern: '^smtps?://',
      form: 'a URL such as smtps://user:password@smtp.example.com',
      description:
        'SMTP server with credentials: `smtps://user:password@host` (TLS, port 465) or `smtp://…` (STARTTLS, port 587). If this is not set, emails are shown at `/dev/mail`.',
    }),
    true,
  ),
  smtpTls: setting(
    'Mail',
    'PARLEY_SMTP_TLS',
    Type.Union([Type.Literal('required'), Type.Literal('none')], {
      default: 'required',
      description:
        '`required`: nothing is sent without TLS and a valid certificate. `none`: plain text, for a relay on your own network.',
    }),
  ),
  smtpCaFile: optional(
    'Mail',
    'PARLEY_SMTP_CA_FILE',
    nonEmptyText(
      'PEM file with additional certificate authorities that may issue the SMTP server’s certificate.',
    ),
  ),
  mailFrom: setting(
    'Mail',
    'PARLEY_MAIL_FROM',
    textWithDefault('Parley <parley@localhost>', 'Sender of every email.'),
  ),

  outboundAllow: setting(
    'Outbound requests',
    'PARLEY_OUTBOUND_ALLOW',
    Type.String({
      default: '',
      description:
        'Comma-separated private CIDRs that outbound requests may reach, also by `http`, e.g. `10.1.0.0/16`. Every workspace can reach these addresses: keep the setting empty if strangers can register (`PARLEY_REGISTRATION`). Metadata services such as `169.254.169.254` need an entry of their own (`/32`, `/128`).',
    }),
  ),
  trustedProxies: setting(
    'Outbound requests',
    'PARLEY_TRUSTED_PROXIES',
    integerWithin(
      0,
      0,
      10,
      'Number of reverse proxies that append to X-Forwarded-For. The entry that the outermost proxy appends is the caller’s address. With 0, the connection’s address is the caller’s address.',
    ),
  ),
  countryHeader: optional(
    'Outbound requests',
    'PARLEY_COUNTRY_HEADER',
    Type.String({
      pattern: '^[A-Za-z0-9-]+$',
      form: 'the name of a header, such as CF-IPCountry',
      description:
        'Header in which trusted proxies set the visitor’s country, e.g. `CF-IPCountry`. Ignored without `PARLEY_TRUSTED_PROXIES`.',
    }),
  ),
  ...limitSettings,
  ...lifetimeSettings,
  ...calendarSettings,
  ...alertPriceSettings,
  ...alertSettings,
  ...encryptionSettings,
  ...billingSettings,
  metricsHost: setting(
    'Observability',
    'PARLEY_METRICS_HOST',
    textWithDefault(
      '127.0.0.1',
      'IP address or host name on which metrics are served, without authentication.',
    ),
  ),
  metricsPort: optional(
    'Observability',
    'PARLEY_METRICS_PORT',
    metricsPort(
      'Port of the API’s Prometheus metrics at `/metrics`. If this is not set, these metrics are disabled.',
    ),
  ),
  workerMetricsPort: optional(
    'Observability',
    'PARLEY_WORKER_METRICS_PORT',
    metricsPort(
      'Port of the worker’s Prometheus metrics at `/metrics`. If this is not set, these metrics are disabled.',
    ),
  ),
  temporalMetricsPort: optional(
    'Observability',
    'PARLEY_TEMPORAL_METRICS_PORT',
    metricsPort(
      'Port of the worker’s Prometheus metrics about Temporal’s SDK. If this is not set, these metrics are disabled.',
    ),
  ),
  otlpEndpoint: optional(
    'Observability',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    Type.String({
      pattern: '^https?://',
      form: 'a URL with http:// or https://, such as http://127.0.0.1:4318',
      description:
        'Receiver of OpenTelemetry traces, e.g. `http://127.0.0.1:4318`; `/v1/traces` is appended. If this is not set, tracing is disabled. Other `OTEL_*` variables apply as usual.',
    }),
  ),
  otlpProtocol: setting(
    'Observability',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    Type.Union([Type.Literal('http/protobuf'), Type.Literal('http/json')], {
      default: 'http/protobuf',
      description: 'Encoding of the traces.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
