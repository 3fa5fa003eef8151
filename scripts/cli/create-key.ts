import { scopes as allScopes } from '../../api/http/access/scopes.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { AuditRepository } from '../../repositories/team/audit.repository.ts';
import { createApiKey } from '../../services/installation/bootstrap.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { withAppDatabase } from '../launcher/workspace.ts';

export interface KeyOptions {
  name?: string | undefined;
  /** Scopes of the new API key; default: all scopes. */
  scopes?: string[] | undefined;
  /** Time at which the new API key expires; by default it never expires. */
  expiresAt?: Date;
}

/**
 * Creates an API key for the first workspace, on behalf of its owner, and records this in the audit log.
 * @returns the key, which cannot be shown again
 */
export async function createKey(
  settings: Settings,
  { name = 'Command line', scopes = [...allScopes], expiresAt }: KeyOptions,
): Promise<string> {
  const unknown = scopes.filter((scope) => !(allScopes as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new LaunchError(`No such scope: ${unknown.join(', ')}. Available scopes: ${allScopes.join(', ')}.`);
  }
  return withAppDatabase(settings, async (database) => {
    const owner = await database
      .repository(Membership)
      .findOne({ where: { role: 'owner' }, order: { createdAt: 'ASC', id: 'ASC' } });
    if (!owner) throw new LaunchError('There is no workspace yet. `npm start` creates the first one.');
    const { orgId, userId } = owner;
    const id = newId();
    return database.transaction(async (db) => {
      const subject = { orgId, resourceType: 'api_key', resourceId: id, action: null };
      new AuditRepository().insert(db, [subject], {
        userId,
        keyId: null,
        operation: 'createApiKey',
        changedFields: ['name', 'scopes', ...(expiresAt ? ['expires_at'] : [])],
        ip: '127.0.0.1',
        userAgent: 'Command line of Parley',
        requestId: newId(),
      });
      return createApiKey(db, { id, orgId, createdById: userId, name, scopes, expiresAt: expiresAt ?? null });
    });
  });
}
