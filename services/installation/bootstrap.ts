import { randomBytes } from 'node:crypto';
import { generateApiKey, isWellFormedApiKey } from '../../adapters/keys/api-key.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { SettingsError, type Settings } from '../../core/settings/settings.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { Database } from '../../database/database.ts';
import { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { BootstrapRepository } from '../../repositories/installation/bootstrap.repository.ts';
import { hashPassword } from '../accounts/passwords/passwords.ts';

const DEFAULT_EMAIL = 'owner@parley.localhost';
const SETUP_TOKEN_BYTES = 32;

export interface BootstrapResult {
  created: boolean;
  email: string;
  /**
   * Password and API key that Parley generated at its first start. They are displayed once and never stored
   * in plain text.
   */
  password?: string;
  apiKey?: string;
  /**
   * Token of the page that sets up the account of the installation's first owner; undefined if the page is
   * closed.
   */
  setupToken?: string;
}

type BootstrapSettings = Pick<
  Settings,
  'bootstrapEmail' | 'bootstrapPassword' | 'bootstrapApiKey' | 'firstRunLinkSeconds'
>;

/**
 * Creates the installation's first workspace with its owner and an API key with all scopes, unless they exist
 * already.
 * @param opensSetup true to let a person set up the owner in the browser, with the token that is returned,
 * instead of a generated password
 * @throws SettingsError if PARLEY_BOOTSTRAP_API_KEY has a wrong checksum
 */
export async function bootstrapWorkspace(
  database: Database,
  settings: BootstrapSettings,
  scopes: readonly string[],
  opensSetup = false,
): Promise<BootstrapResult> {
  const { bootstrapApiKey, bootstrapPassword } = settings;
  if (bootstrapApiKey !== undefined && !isWellFormedApiKey(bootstrapApiKey)) {
    throw new SettingsError([
      'PARLEY_BOOTSTRAP_API_KEY has a wrong checksum; `npm run parley -- create-key --print-only` creates a valid key.',
    ]);
  }
  const isSetUpLater = opensSetup && bootstrapPassword === undefined;
  return database.transaction(async (db) => {
    const bootstrap = new BootstrapRepository();
    const { isDone } = await bootstrap.lock(db);
    const email = (settings.bootstrapEmail ?? DEFAULT_EMAIL).toLowerCase();
    if (isDone) return { created: false, email, ...(await resumeSetup(db, settings, isSetUpLater)) };
    const password = isSetUpLater ? null : (bootstrapPassword ?? randomBytes(15).toString('base64url'));
    const passwordHash = password === null ? null : await hashPassword(password);
    const { orgId, userId } = await bootstrap.insertOwner(db, { email, passwordHash });
    const apiKey = await createApiKey(db, {
      orgId,
      createdById: userId,
      name: 'First key',
      scopes,
      key: bootstrapApiKey,
    });
    return {
      created: true,
      email,
      ...(password !== null && bootstrapPassword === undefined && { password }),
      ...(bootstrapApiKey === undefined && { apiKey }),
      ...(isSetUpLater && { setupToken: await createSetupToken(db, userId, settings) }),
    };
  });
}

/**
 * Replaces the set-up link of a first owner whose account is not set up yet. If the operator has set a
 * password since then, the owner gets this password, and the link becomes invalid.
 */
async function resumeSetup(
  db: Database,
  settings: BootstrapSettings,
  isSetUpLater: boolean,
): Promise<Pick<BootstrapResult, 'setupToken'>> {
  const bootstrap = new BootstrapRepository();
  const firstId = await bootstrap.findFirstUserId(db);
  const owner = firstId === null ? null : await bootstrap.findUnusedOwnerLocked(db, firstId);
  if (!owner) return {};
  if (isSetUpLater) return { setupToken: await createSetupToken(db, owner.userId, settings) };
  if (settings.bootstrapPassword !== undefined) {
    const passwordHash = await hashPassword(settings.bootstrapPassword);
    await new AccountRepository().updatePassword(db, owner.userId, passwordHash);
  }
  return {};
}

/**
 * Stores the digest of a new token for the page that sets up the first owner, and returns the token. Earlier
 * tokens become invalid.
 */
async function createSetupToken(
  db: Database,
  userId: string,
  { firstRunLinkSeconds: lifetimeSeconds }: BootstrapSettings,
): Promise<string> {
  const links = new AccountLinkRepository();
  const token = randomBytes(SETUP_TOKEN_BYTES).toString('base64url');
  await links.deleteAll(db, userId, 'first_run');
  await links.insert(db, { digest: digestSecret(token), userId, purpose: 'first_run', lifetimeSeconds });
  return token;
}

export interface NewApiKey {
  id?: string;
  orgId: string;
  createdById: string;
  name: string;
  scopes: readonly string[];
  /**
   * API version for the key's requests that name no version. Defaults to the current version. Null means the
   * newest version at the time of a request.
   */
  apiVersion?: string | null;
  /** Expiry of the API key; null if it does not expire. */
  expiresAt?: Date | null;
  /** The API key itself, in the format of API keys. By default, a new key is generated. */
  key?: string | undefined;
}

/** Stores the digest of an API key and returns the key, which cannot be recovered from the digest. */
export async function createApiKey(
  db: Database,
  { scopes, key = generateApiKey(), ...row }: NewApiKey,
): Promise<string> {
  await db.repository(ApiKey).insert({
    id: newId(),
    apiVersion: shippedVersions.current,
    ...row,
    digest: digestSecret(key),
    lastFour: key.slice(-4),
    scopes: [...scopes],
  });
  return key;
}
