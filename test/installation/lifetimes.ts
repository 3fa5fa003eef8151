import type { WorkflowName } from '../../core/workflows/workflow-catalog.ts';

/** Rule that limits the number of rows in a table. */
export type Lifetime =
  /** Rows that a workflow deletes at an age. docs/operating.md shows `rule`. */
  | { kind: 'age'; rule: string; by: WorkflowName }
  /** Rows of a queue or a log of changes, which a worker empties. */
  | { kind: 'drained'; by: string }
  /** Rows that are deleted with their parent by a cascading reference. `bound`: the limit of rows of one parent. */
  | { kind: 'parent'; of: string; bound: string }
  /** Rows of content or people, which people add and delete. `bound`: limit of their number. */
  | { kind: 'owned'; bound: string }
  /** Rows that are stored permanently on purpose. docs/operating.md shows `why`. */
  | { kind: 'kept'; why: string }
  /** A few rows for the whole installation. `bound`: the reason why they are few. */
  | { kind: 'global'; bound: string };

const age = (rule: string, by: WorkflowName = 'purgeExpired'): Lifetime => ({ kind: 'age', rule, by });
const drainedBy = (by: string): Lifetime => ({ kind: 'drained', by });
const parent = (of: string, bound: string): Lifetime => ({ kind: 'parent', of, bound });
const ownedWithin = (bound: string): Lifetime => ({ kind: 'owned', bound });
const permanent = (why: string): Lifetime => ({ kind: 'kept', why });
const global = (bound: string): Lifetime => ({ kind: 'global', bound });

const EXPIRES = 'at expiry';
const LOGGED_ALERTS = 'after `PARLEY_LOG_DAYS`, unless unsent';

/** Rule that limits the rows of every table, by the table's name. A new table gets its rule here. */
export const LIFETIMES: Readonly<Record<string, Lifetime>> = {
  access_notices: age('15 minutes after their email', 'sweepNotices'),
  account_links: age(EXPIRES),
  account_requests: age('once a worker has completed them, or after 7 days'),
  alert_attempts: age(EXPIRES),
  alert_days: age('after `PARLEY_LOG_DAYS`'),
  alert_destinations: age(
    '1 day after the last change, or 30 days if verified, unless a policy uses them or they are blocked',
  ),
  alert_digests: age('after 60 days', 'sweepAlerts'),
  alert_inbound: age('after 9 days'),
  alert_messages: age(LOGGED_ALERTS),
  alert_policies: parent('orgs', '50 of a workspace'),
  alert_providers: global('One for each account that the operator has set at a provider'),
  alerts: age(LOGGED_ALERTS),
  analytics_changes: drainedBy('foldCounts'),
  analytics_rollups: parent('orgs', 'A quarter of an hour, a day and a month in which a bot was used'),
  announced_readers: parent('users', 'One for each announcement of the operator'),
  answer_ratings: parent('messages', 'One'),
  answered_challenges: age(EXPIRES),
  api_keys: age('2 years after revocation or expiry'),
  archive_files: age('with the files of their job', 'sweepArchives'),
  archive_jobs: age('after 30 days', 'sweepArchives'),
  archive_uploads: age('after 2 hours', 'sweepArchives'),
  audit_events: age('after 2 years'),
  avatars: parent('bots', 'One shown, and one for each version'),
  billing_accounts: parent('orgs', 'One'),
  billing_events: age('after 90 days'),
  bookings: ownedWithin('Limits of visitors, and people who delete their workspace'),
  bot_generations: age(EXPIRES),
  bot_versions: parent('bots', '200 of a bot'),
  bots: ownedWithin('The plan'),
  calendar_attempts: age(EXPIRES),
  calendar_busy: parent('calendar_connections', 'One for each calendar'),
  calendar_connections: parent('orgs', 'One, and one that is being removed'),
  checkouts: age('90 days after expiry, unless paid'),
  chunk_vectors: parent('chunks', 'One for each set'),
  chunks: parent('documents', 'The size of a document'),
  console_preferences: parent('users', 'One'),
  contacts: ownedWithin('Content: people delete it'),
  content_notices: parent('bots', 'One'),
  conversation_files: parent('conversations', '20 of the visitor and 20 of the team'),
  conversation_notes: parent('conversations', '500 of a conversation'),
  conversations: ownedWithin('Content: people delete it'),
  credit_entries: permanent('Accounting records, with their paid `checkouts`'),
  data_keys: parent('workspace_keys', 'One a month and version; content is sealed with it'),
  deleted_accounts: permanent(
    'Hashes, so that importing an archive does not restore the name of a deleted account',
  ),
  deleted_conversations: age('after twice `PARLEY_LOG_DAYS`'),
  device_logins: age(EXPIRES),
  documents: ownedWithin('The plan'),
  email_preferences: parent('users', 'One'),
  embedding_sets: parent('bots', 'One, and one that is being made'),
  embedding_turns: parent('documents', 'One'),
  erased_people: permanent('Hashes, so that importing an archive does not restore an erased visitor'),
  event_counts: age('after 35 days'),
  flow_revisions: parent('flows', 'The present one, and those in which conversations wait'),
  flow_sessions: parent('conversations', 'One'),
  flows: ownedWithin('Content: people delete it'),
  handoffs: parent('conversations', 'Requests for a person, each of which a person has ended'),
  idempotency_keys: age('after 24 hours'),
  identity_attempts: age(EXPIRES),
  inbox_changes: drainedBy('purgeExpired, which folds them'),
  invitations: age('90 days after their expiry'),
  key_services: parent('orgs', 'One'),
  known_addresses: age(EXPIRES),
  linked_identities: parent('users', 'One for each identity provider'),
  mails: age('after `PARLEY_MAIL_LOG_DAYS`, unless they wait for their key'),
  memberships: parent('orgs', 'One for each member; seats of the plan'),
  messages: parent('conversations', 'Content: people delete it'),
  monthly_usage: age('after 3 months'),
  org_encryption: parent('orgs', 'One'),
  orgs: ownedWithin('Workspaces of an account'),
  outbox: drainedBy('the relay'),
  plan_months: age('after 3 months'),
  plan_notices: age('after 3 months'),
  question_clusters: parent('bots', 'Questions: one that has none is deleted'),
  question_days: parent('question_clusters', 'Days on which it was asked'),
  question_deltas: drainedBy('groupQuestions'),
  question_members: parent('messages', 'One'),
  question_queue: drainedBy('groupQuestions'),
  question_terms: parent('question_members', 'Words of one question of a cluster'),
  rate_windows: age(EXPIRES),
  receipts: permanent('Accounting records'),
  recovery_codes: parent('users', 'Ten'),
  refused_addresses: age('after 180 days'),
  request_log: age('after 7 days'),
  saved_replies: parent('orgs', '500 of a workspace'),
  saved_views: parent('orgs', '50 of a member'),
  test_results: parent('test_runs', '200 of a run'),
  test_runs: parent('test_sets', '20 of a set'),
  test_sets: parent('bots', '20 of a bot'),
  search_terms: parent('bots', 'Words of its documents'),
  served_roles: global('One for each kind of background work'),
  sessions: age(EXPIRES),
  sign_in_codes: age(EXPIRES),
  table_rewrites: global('One for each table with content, and one for the log'),
  tool_invocations: age('after `PARLEY_LOG_DAYS`'),
  totp_secrets: parent('users', 'One'),
  usage_changes: drainedBy('sweepUsage'),
  usage_days: permanent('Accounting records: use of plans'),
  usage_totals: permanent('Accounting records: sums of `usage_days`'),
  users: ownedWithin('Accounts: people close them. Unconfirmed ones are deleted after 7 days'),
  vacuum_probes: global('One, while tables are rewritten'),
  visitor_consents: permanent('They prove what a visitor agreed to'),
  webhook_deliveries: age('after `PARLEY_LOG_DAYS`, unless unsent'),
  webhooks: ownedWithin('People delete them'),
  weekly_mails: age('after 60 days', 'sweepAlerts'),
  workspace_keys: parent('orgs', 'One for each rotation; old ones are deleted once nothing needs them'),
};
