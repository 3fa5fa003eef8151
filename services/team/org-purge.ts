import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import type { OrgPurgeRepository } from '../../repositories/team/org-purge.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { orgPrefix } from '../../core/storage-keys.ts';
import type { AccessNotices } from './access-notices.ts';
import type { WebhookPurge } from '../webhooks/webhook-purge.ts';

export interface OrgPurgeDeps {
  purge: OrgPurgeRepository;
  endpoints: WebhookPurge;
  storage: ObjectStorage;
  accessNotices: Pick<AccessNotices, 'flush'>;
}

/** Removes the data of deleted workspaces in batches. Every step is idempotent. */
export class OrgPurge {
  readonly #deps: OrgPurgeDeps;

  constructor(deps: OrgPurgeDeps) {
    this.#deps = deps;
  }

  /** Marks the next batch of the workspace's bots as deleted. Returns their ids. */
  markBotsDeleted(scope: OrgScope): Promise<string[]> {
    return this.#deps.purge.markBotsDeleted(scope);
  }

  /**
   * Deletes the rows that belong to the workspace, in batches.
   * @throws the signal's reason
   */
  async removeRows(scope: OrgScope, signal: AbortSignal): Promise<void> {
    const { purge, endpoints, accessNotices } = this.#deps;
    // Sends waiting emails about access first: the purge deletes them with the workspace's rows.
    if (await purge.isDeleted(scope)) await accessNotices.flush(scope);
    for (const id of await purge.markEndpointsDeleted(scope)) await endpoints.remove(scope, id, signal);
    await purge.deleteRows(scope, signal);
  }

  removeFiles({ orgId }: OrgScope): Promise<void> {
    return this.#deps.storage.deletePrefix(orgPrefix(orgId));
  }

  /** Counts the calendar connections whose access tokens the provider has not revoked yet. */
  countCalendars(scope: OrgScope): Promise<number> {
    return this.#deps.purge.countCalendars(scope);
  }

  /** Deletes the files of a deleted workspace, then its row. */
  async removeOrg(scope: OrgScope): Promise<void> {
    await this.removeFiles(scope);
    await this.#deps.purge.deleteOrg(scope);
  }
}
