import { randomBytes } from 'node:crypto';
import { generateApiKey, isWellFormedApiKey } from '../../adapters/keys/api-key.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { SettingsError, type Settings } from '../../core/settings/settings.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { Database } from '../../database/database.ts';
import { BootstrapRepository } from '../../repositories/installation/bootstrap.repository.ts';
import { hashPassword } from '../accounts/passwords.ts';

const DEFAULT_EMAIL = 'owner@parley.localhost';

export interface BootstrapResult {
  created: boolean;
  email: string;
  /** Secrets generated at the first start. They are displayed once and never stored in plain text. */
  password?: string;
  apiKey?: string;
}

type BootstrapSettings = Pick<Settings, 'bootstrapEmail' | 'bootstrapPassword' | 'bootstrapApiKey'>;

/**
 * Creates the first workspace with its owner and an API key with all scopes, unless they exist already.
 * @throws SettingsError if PARLEY_BOOTSTRAP_API_KEY has a wrong checksum
 */
export async function bootstrapWorkspace(
  database: Database,
  settings: BootstrapSettings,
  scopes: readonly string[],
): Promise<BootstrapResult> {
  const { bootstrapApiKey } = settings;
  if (bootstrapApiKey !== undefined && !isWellFormedApiKey(bootstrapApiKey)) {
    throw new SettingsError([
      'PARLEY_BOOTSTRAP_API_KEY has a wrong checksum; `npm run parley -- create-key --print-only` makes a valid one.',
    ]);
  }
  return database.transaction(async (db) => {
    const bootstrap = new BootstrapRepository();
    const { isDone } = await bootstrap.lock(db);
    const email = (settings.bootstrapEmail ?? DEFAULT_EMAIL).toLowerCase();
    if (isDone) return { created: false, email };
    const password = settings.bootstrapPassword ?? randomBytes(15).toString('base64url');
    const passwordHash = await hashPassword(password);
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
      ...(settings.bootstrapPassword === undefined && { password }),
      ...(bootstrapApiKey === undefined && { apiKey }),
    };
  });
}

export interface NewApiKey {
  id?: string;
  orgId: string;
  createdById: string;
  name: string;
  scopes: readonly string[];
  /**
   * API version for requests that name none. Defaults to the current version. Null means the newest version
   * at the time of a request.
   */
  apiVersion?: string | null;
  /** Expiry of the key; null if it does not expire. */
  expiresAt?: Date | null;
  /** The key itself, in the format of API keys. By default, a new one is generated. */
  key?: string | undefined;
}

/** Stores the digest of an API key and returns the key. It cannot be recovered from the digest. */
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
