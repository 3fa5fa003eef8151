import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { createApiKey } from '../installation/bootstrap.ts';

export interface ApiKeyInput {
  name: string;
  scopes: string[];
  expires_at?: string | null;
}

/** Member who creates an API key. The key never has more rights than its creator has now. */
export interface KeyCreator extends OrgScope {
  readonly userId: string;
  /** API version for requests with the new key that do not name a version. */
  readonly version: string;
}

/** A new API key and its database row. The key's text is returned only once. */
export interface IssuedKey {
  row: ApiKey;
  key: string;
}

type NewKey = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt' | 'apiVersion'>;

export class ApiKeyService {
  readonly #keys: IssuedKeyRepository;
  readonly #clock: Clock;

  constructor({ keys, clock }: { keys: IssuedKeyRepository; clock: Clock }) {
    this.#keys = keys;
    this.#clock = clock;
  }

  list(scope: OrgScope): Promise<ApiKey[]> {
    return this.#keys.list(scope);
  }

  /**
   * Creates an API key.
   * @throws AppError `validation_error` if the key would already be expired
   */
  async create(creator: KeyCreator, { name, scopes, expires_at: end }: ApiKeyInput): Promise<IssuedKey> {
    const expiresAt = end ? new Date(end) : null;
    if (expiresAt && expiresAt <= this.#clock.now())
      throw invalidField('expires_at', 'must be in the future');
    return this.#issue(creator, { name, scopes, expiresAt, apiVersion: creator.version });
  }

  /**
   * Revokes an API key.
   * @throws AppError `forbidden` or `not_found`
   */
  async revoke(scope: OrgScope, id: string): Promise<void> {
    await this.#keys.lockActive(scope, id);
    await this.#keys.markRevoked(scope, id);
  }

  /**
   * Creates a successor of an API key with the same API version and lifetime. The old key expires after the
   * grace period.
   * @throws AppError `conflict` for a key that has expired or has a successor, `forbidden` or `not_found`
   */
  async rotate(creator: KeyCreator, id: string, graceHours: number): Promise<IssuedKey> {
    const { name, scopes, createdAt, expiresAt, replacedAt, apiVersion } = await this.#keys.lockActive(
      creator,
      id,
    );
    if (replacedAt) throw new AppError('conflict', 'The key was already rotated; rotate its successor.');
    const now = this.#clock.now().getTime();
    if (expiresAt && expiresAt.getTime() <= now)
      throw new AppError('conflict', 'The key has expired; create a new key.');
    if (graceHours === 0) await this.#keys.markRevoked(creator, id);
    else await this.#keys.markReplaced(creator, id, graceHours);
    const lifetimeMs = expiresAt && expiresAt.getTime() - createdAt.getTime();
    const successor = { name, scopes, apiVersion };
    return this.#issue(creator, { ...successor, expiresAt: lifetimeMs ? new Date(now + lifetimeMs) : null });
  }

  async #issue(creator: KeyCreator, row: NewKey): Promise<IssuedKey> {
    const id = newId();
    const { orgId, userId: createdById } = creator;
    const key = await createApiKey(creator.db, { ...row, id, orgId, createdById });
    return { key, row: await this.#keys.get(creator, id) };
  }
}
