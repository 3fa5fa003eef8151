import { Type } from '@sinclair/typebox';
import { billingSettings } from './billing-settings.ts';
import { alertPriceSettings } from './alert-price-settings.ts';
import { alertSettings } from './alert-settings.ts';
import { calendarSettings } from './calendar-settings.ts';
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
  text,
  textWithDefault,
  count,
  type SettingDefinition,
} from './setting-definition.ts';

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
    textWithDefault('.parley', 'Data folder of `npm start`: databases, files, secrets.'),
  ),
  logLevel: setting(
    'Processes and addresses',
    'PARLEY_LOG_LEVEL',
    Type.Union(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
      { default: 'info', description: 'Minimum level to log.' },
    ),
  ),
  demoPage: setting(
    'Processes and addresses',
    'PARLEY_DEMO_PAGE',
    Type.Boolean({
      default: false,
      description:
        'Serve `/demo`, a page with the widget of a bot. `npm start` enables it by default, except behind https or proxies.',
    }),
  ),
  shutdownGraceMs: setting(
    'Processes and addresses',
    'PARLEY_SHUTDOWN_GRACE_MS',
    count(8000, 0, 60000, 'Time that requests and activities have to finish after SIGTERM, in milliseconds.'),
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
    count(
      16,
      2,
      200,
      'Maximum connections per process, in addition to up to eight for queues and two for keys.',
    ),
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
  temporalBinary: optional(
    'Temporal',
    'PARLEY_TEMPORAL_BINARY',
    Type.String({
      description:
        'Path of the Temporal CLI that `npm start` runs. Without it Parley looks on the PATH and in its cache, then downloads or builds one.',
    }),
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
        '32 random bytes in base64: seals secrets at rest and signs tokens, links and cursors. `npm start` generates one and stores it in `PARLEY_HOME`.',
    }),
    true,
  ),
  bootstrapEmail: optional(
    'Secrets and first start',
    'PARLEY_BOOTSTRAP_EMAIL',
    Type.String({
      pattern: '^[^@\\s]{1,64}@[^@\\s.]{1,63}(\\.[^@\\s.]{1,63})*$',
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
        'Who may register: everyone (`open`), or only people invited to a workspace (`invited`). Webhooks, documents and models of every account can reach the networks in `PARLEY_OUTBOUND_ALLOW`.',
    }),
  ),
  mcpOrigins: setting(
    'Processes and addresses',
    'PARLEY_MCP_ORIGINS',
    Type.String({
      pattern: '^(https?://[^/,\\s]+(\\s*,\\s*https?://[^/,\\s]+)*)?$',
      default: '',
      description:
        'Comma-separated origins whose pages may call the MCP server from browsers, e.g. `https://inspector.example.com`, besides that of `PARLEY_BASE_URL`. Programs send no Origin, and need none.',
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
  ...modelSettings,
  ...embeddingSettings,
  smtpUrl: optional(
    'Mail',
    'PARLEY_SMTP_URL',
    Type.String({
      pattern: '^smtps?://',
      description:
        'SMTP server, with credentials in the URL: `smtps://user:password@host` (TLS at once, port 465) or `smtp://…` (STARTTLS, port 587). Without it mails are stored for a week and shown at `/dev/mail`.',
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
    count(
      0,
      0,
      10,
      'How many reverse proxies in front of the API append to X-Forwarded-For. The entry that the first of them appends identifies the caller; if it is missing or not an IP address, the connection does.',
    ),
  ),
  countryHeader: optional(
    'Outbound requests',
    'PARLEY_COUNTRY_HEADER',
    Type.String({
      pattern: '^[A-Za-z0-9-]+$',
      description:
        'Header with a visitor’s country from the reverse proxies, e.g. `CF-IPCountry`, and which they must set themselves. Ignored while `PARLEY_TRUSTED_PROXIES` is 0.',
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
    textWithDefault('127.0.0.1', 'Address that metrics are served on, without authentication.'),
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
    metricsPort('Port of the metrics of Temporal’s SDK in the worker. Without it they are not served.'),
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
      description: 'Encoding of the traces.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
