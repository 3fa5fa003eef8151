import { randomBytes } from 'node:crypto';
import { IsNull } from 'typeorm';
import { startApi } from '../../api/start-api.ts';
import { scopes as allScopes } from '../../api/http/access/scopes.ts';
import { newId } from '../../core/ids.ts';
import { createLogger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { Database } from '../../database/database.ts';
import { createApiKey } from '../../services/installation/bootstrap.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../../services/runtime.ts';
import { createClient, type ApiResponse, type ApiClient } from './api-client.ts';
import { createTestDatabase } from './database.ts';
import { advanceClock, stopClock } from './stopped-clock.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { loadTestSettings, type TestSettings } from './test-settings.ts';

export type { ApiResponse, ApiClient };

/** A workspace with one member and that member's API key. */
export interface TestOrg {
  orgId: string;
  userId: string;
  key: string;
  client: ApiClient;
}

/** A person who is signed in to a workspace. */
interface TestSession {
  sessionId: string;
  accessToken: string;
  refreshToken: string;
  client: ApiClient;
}

/** A running process of the API, in a test. */
export interface TestProcess {
  runtime: Runtime;
  baseUrl: string;
  /** Returns an API client with the bearer token, if there is one. */
  client(token?: string): ApiClient;
  stop(): Promise<void>;
}

export interface TestParley extends TestProcess {
  database: Database;
  buildOrg(overrides?: { role?: OrgRole; scopes?: readonly string[]; orgId?: string }): Promise<TestOrg>;
  /** Signs a person in without a request to the API. */
  signIn(person: { userId: string; orgId?: string | null }): Promise<TestSession>;
  /** Advances the database's stopped clock. */
  passTime(seconds: number): Promise<void>;
  /** Starts another process of the API on the same database, with changed settings. */
  startAnother(changes?: Partial<Settings>, options?: StartOptions): Promise<TestProcess>;
}

/** A Parley that several test files share and may not stop. */
export type SharedParley = Omit<TestParley, 'stop' | 'startAnother' | 'passTime'>;

export interface StartOptions extends Partial<
  Pick<RuntimeOptions, 'versions' | 'log' | 'tracing' | 'clock' | 'storage'>
> {
  /** True if due times and limits follow a database clock that stands still in all processes until `passTime`. */
  hasStoppedClock?: boolean;
}

/** Starts the API in this process, with a separate port and database. */
export async function startParley(
  changes: TestSettings = {},
  { hasStoppedClock = false, ...options }: StartOptions = {},
): Promise<TestParley> {
  const testDatabase = await createTestDatabase();
  if (hasStoppedClock) await stopClock(testDatabase.url);
  const settings = loadTestSettings({
    DATABASE_URL: testDatabase.url,
    PORT: '0',
    PARLEY_DATABASE_POOL: '8',
    PARLEY_HOME: makeTemporaryFolder(),
    PARLEY_MASTER_KEY: randomBytes(32).toString('base64'),
    checkResponses: true,
    PARLEY_LOG_LEVEL: 'fatal',
    PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
    alertSettleMs: 200,
    PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
    PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000',
    PARLEY_WIDGET_SESSIONS_PER_HOUR: '1000000',
    PARLEY_SIGN_IN_LIMIT_PER_IP: '1000000',
    signInLimitPerAccount: 1000000,
    PARLEY_ACCOUNT_MAIL_LIMIT: '1000000',
    wrongCodesPerDay: 1000000,
    PARLEY_SHUTDOWN_GRACE_MS: '500',
    // Milliseconds after which `testWebhook` returns if no worker makes the attempt.
    webhookTimeoutMs: 100,
    // Milliseconds after which `generateBot` returns if there is no worker.
    generationTimeoutMs: 100,
    generationsPerHour: 1000000,
    ...changes,
  });
  const first = await startProcess(settings, options);
  const { database } = first.runtime;
  const others: TestProcess[] = [];
  return {
    ...first,
    database,
    passTime: (seconds) => advanceClock(testDatabase.url, seconds),
    signIn: async ({ userId, orgId }) => {
      const device = { userAgent: 'Tests', ip: '127.0.0.1' };
      // Mark the email address as verified, because other accounts cannot sign in.
      await database
        .repository(User)
        .update({ id: userId, emailVerifiedAt: IsNull() }, { emailVerifiedAt: new Date() });
      const { accounts, sessions } = first.runtime.services.accounts;
      const account = await accounts.get(database, userId);
      const tokens = await sessions.start(database, { account, orgId, device });
      return { ...tokens, client: first.client(tokens.accessToken) };
    },
    buildOrg: (overrides) => buildOrg(database, first.baseUrl, overrides),
    startAnother: async (changes, ownOptions = options) => {
      const another = await startProcess({ ...settings, ...changes }, ownOptions);
      others.push(another);
      return another;
    },
    stop: async () => {
      await Promise.all([first, ...others].map((process) => process.stop()));
      await testDatabase.drop();
    },
  };
}

let shared: Promise<TestParley> | undefined;

/**
 * Returns the API in this process, with a database that the process's test files share. The API ends with the
 * process. For tests that need default settings, read only their own workspaces and start no other process.
 */
export function startSharedParley(): Promise<SharedParley> {
  return (shared ??= startParley());
}

async function startProcess(settings: Settings, { log, ...options }: StartOptions): Promise<TestProcess> {
  const runtime = await openRuntime({
    settings,
    log: log ?? createLogger('test', settings.logLevel),
    ...options,
  });
  const api = await startApi(runtime);
  const baseUrl = `http://127.0.0.1:${api.port}`;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await api.stop();
    await runtime.close();
  };
  return {
    runtime,
    baseUrl,
    client: (token) => createClient(baseUrl, token),
    stop: () => (stopped ??= stop()),
  };
}

async function buildOrg(
  database: Database,
  baseUrl: string,
  {
    role = 'owner',
    scopes = allScopes,
    orgId,
  }: { role?: OrgRole; scopes?: readonly string[]; orgId?: string } = {},
): Promise<TestOrg> {
  const userId = newId();
  const id = orgId ?? newId();
  const key = await database.transaction(async (db) => {
    if (orgId === undefined)
      await db
        .repository(Org)
        .insert({ id, payerId: id, name: 'Acme', slug: `acme-${id}`, planTier: 'enterprise' });
    const email = `${userId}@example.com`;
    await db
      .repository(User)
      .insert({ id: userId, email, fullName: 'Ada Okafor', emailVerifiedAt: new Date() });
    await db.repository(Membership).insert({ id: newId(), orgId: id, userId, role });
    return createApiKey(db, { orgId: id, createdById: userId, name: 'Test key', scopes });
  });
  return { orgId: id, userId, key, client: createClient(baseUrl, key) };
}
