import { In, IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { isInPast, isOlderThan } from '../../database/times.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { Holder } from '../accounts/credential-holder.ts';
import { LAST_USE_INTERVAL } from '../accounts/credential-holder.sql.ts';
import { KEY_HOLDERS } from './api-key.sql.ts';
import type { PresentedKeyRow } from './api-key.sql.ts';

/** Digest of an API key that a request contains, and the workspace in the request's path. */
export interface PresentedKey {
  digest: string;
  pathOrgId: string | null;
}

/**
 * Reason why an API key gives no access. `without_access`: its creator has no role, or its workspace is
 * inactive.
 */
export type KeyFault = 'unknown' | 'revoked' | 'expired' | 'without_access';

export class ApiKeyRepository {
  /**
   * Returns the account that uses each API key, with its permissions. Null if the key is unknown, revoked or
   * expired, its creator has no role, or its workspace is inactive. Updates the time of a key's last use at
   * most once a minute.
   */
  async findHolders(database: Database, presented: PresentedKey[]): Promise<(Holder | null)[]> {
    const keysById = new Map(presented.map((key) => [toPresentedKeyId(key), key]));
    const rows = await database.run(KEY_HOLDERS, [
      [...keysById.values()].map(({ digest }) => digest),
      [...keysById.values()].map(({ pathOrgId }) => pathOrgId),
    ]);
    const idsToUpdate = rows.filter(({ needsLastUseUpdate }) => needsLastUseUpdate).map(({ keyId }) => keyId);
    if (idsToUpdate.length > 0) {
      const keys = { id: In(idsToUpdate) };
      await database.repository(ApiKey).update(
        // Check again that the last use is old, so that only one of many concurrent requests updates the row.
        [
          { ...keys, lastUsedAt: IsNull() },
          { ...keys, lastUsedAt: isOlderThan(LAST_USE_INTERVAL) },
        ],
        { lastUsedAt: () => 'now()' },
      );
    }
    const holders = new Map(rows.map((row) => [toPresentedKeyId(row), toKeyHolder(row)]));
    return presented.map((key) => holders.get(toPresentedKeyId(key)) ?? null);
  }

  /** Returns why an API key gives no access. */
  async findFault(database: Database, digest: string): Promise<KeyFault> {
    const keys = database.repository(ApiKey);
    const key = await keys.findOneBy({ digest });
    if (!key) return 'unknown';
    if (key.revokedAt) return 'revoked';
    return (await keys.existsBy({ digest, expiresAt: isInPast() })) ? 'expired' : 'without_access';
  }
}

function toPresentedKeyId({ digest, pathOrgId }: PresentedKey): string {
  return `${digest} ${pathOrgId}`;
}

function toKeyHolder(row: PresentedKeyRow): Holder {
  const { keyId, userId, orgId, role, scopes, apiVersion, defaultLanguage, budgetId, pathOrgId, ...rest } =
    row;
  const pathAccess = pathOrgId && { orgId: pathOrgId, exists: rest.pathOrgExists, role: rest.roleInPathOrg };
  return {
    userId,
    orgId,
    isOrgActive: true,
    role,
    keyId,
    sessionId: null,
    signedInSecondsAgo: null,
    scopes,
    apiVersion,
    defaultLanguage,
    budgetId,
    pathAccess: pathAccess || null,
  };
}
