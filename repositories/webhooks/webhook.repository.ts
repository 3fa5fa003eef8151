import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';

export class WebhookRepository extends ScopedRepository<Webhook> {
  constructor() {
    super(Webhook, 'webhook');
  }

  /** Locks the workspace's set of webhook endpoints, so that no concurrent transaction adds an endpoint. */
  async lockAll({ db, orgId }: OrgScope): Promise<void> {
    await lockName(db, `webhooks ${orgId}`);
  }

  /** Counts the webhook endpoints of a workspace, except deleted endpoints. */
  countAll(scope: OrgScope): Promise<number> {
    return this.query(scope).getCount();
  }

  /** Lists the URLs of all webhook endpoints of a workspace, except deleted endpoints. */
  async listUrls(scope: OrgScope): Promise<string[]> {
    return (await this.query(scope).select(['row.id', 'row.url']).getMany()).map(({ url }) => url);
  }

  /**
   * Locks the workspace's set of webhook endpoints, so that a change of an endpoint cannot deadlock with
   * `lockAll`.
   */
  protected override beforeLock(scope: OrgScope): Promise<void> {
    return this.lockAll(scope);
  }
}
