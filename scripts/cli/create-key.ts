import { scopes as allScopes } from '../../api/http/scopes.ts';
import type { Settings } from '../../core/settings.ts';
import { Membership } from '../../entities/membership.entity.ts';
import { createApiKey } from '../../services/bootstrap.service.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { withDatabaseOf } from '../launcher/workspace.ts';

export interface KeyOptions {
  name?: string | undefined;
  /** All by default. */
  scopes?: string[] | undefined;
}

/** Makes an API key of the first workspace's owner; the answer is the key, which cannot be read again. */
export async function createKey(
  settings: Settings,
  { name = 'Command line', scopes = [...allScopes] }: KeyOptions,
): Promise<string> {
  const unknown = scopes.filter((scope) => !(allScopes as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new LaunchError(`No such scope: ${unknown.join(', ')}. There are: ${allScopes.join(', ')}.`);
  }
  return withDatabaseOf(settings, async (database) => {
    const owner = await database
      .repository(Membership)
      .findOne({ where: { role: 'owner' }, order: { createdAt: 'ASC', id: 'ASC' } });
    if (!owner) throw new LaunchError('There is no workspace yet; `npm start` makes the first one.');
    return createApiKey(database, { orgId: owner.orgId, createdById: owner.userId, name, scopes });
  });
}
