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

export interface Bootstrap {
  created: boolean;
  email: string;
  /** Only on the first start, and only what was made up here: both are shown once and never stored. */
  password?: string;
  apiKey?: string;
}

type BootstrapSettings = Pick<Settings, 'bootstrapEmail' | 'bootstrapPassword' | 'bootstrapApiKey'>;

/**
 * Makes the first workspace with its owner and an API key of all scopes, unless there is a workspace already.
 * @throws SettingsError when PARLEY_BOOTSTRAP_API_KEY has a wrong checksum
 */
export async function bootstrapWorkspace(
  database: Database,
  settings: BootstrapSettings,
  scopes: readonly string[],
): Promise<Bootstrap> {
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
  /** The API version that its calls get when they name none: by default that of today; null for the newest of any day. */
  apiVersion?: string | null;
  /** Null for a key that does not end by itself. */
  expiresAt?: Date | null;
  /** A well-formed key to take; by default a fresh one. */
  key?: string | undefined;
}

/** Stores the digest of a key, and returns the key, which cannot be read again. */
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
