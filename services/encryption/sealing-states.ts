import { LRUCache } from 'lru-cache';
import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';

/** How a workspace's content is sealed. */
export interface SealingState {
  /** Of the workspace key that it is sealed with; null where it stays readable, or there is no key yet. */
  keyVersion: number | null;
  /** It is to be sealed with a key that is still to be made. */
  lacksKey: boolean;
  /** Some of it may be sealed. */
  isAnySealed: boolean;
  /** All of it is sealed with the workspace's own key: a row that is not comes from elsewhere. */
  isAllSealed: boolean;
  /** A walk through all content is under way, which seals files that arrived late. */
  isSealing: boolean;
}

/** After a switch, processes may go on as before for so long and no longer. */
const STALE_SECONDS = 5;
/** From this age on, they are read anew beside what goes on. */
const RENEWED_AFTER = 0.5;
const KEPT_WORKSPACES = 100_000;

interface Kept {
  state: SealingState;
  readAt: number;
}

/** The same as it is now, and from which version on what is sealed may stay so. */
export type PresentState = SealingState & Pick<OrgEncryption, 'sealedSinceVersion'>;

export interface SealingStatesDeps {
  database: Database;
  encryption: OrgEncryptionRepository;
  clock: Clock;
  settings: Pick<Settings, 'sealContent'>;
}

/** Which workspaces seal their content, as it was at most five seconds ago: whoever writes asks it, and waits for nothing. */
export class SealingStates {
  readonly #encryption: OrgEncryptionRepository;
  readonly #sealContent: boolean;
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ max: KEPT_WORKSPACES });
  readonly #reads: Batcher<string, Kept>;

  constructor({ database, encryption, clock, settings: { sealContent } }: SealingStatesDeps) {
    this.#encryption = encryption;
    this.#sealContent = sealContent;
    this.#clock = clock;
    this.#reads = new Batcher(async (orgIds) => {
      const readAt = this.#now;
      const rows = await encryption.list(database, orgIds);
      const byOrg = new Map(rows.map((row) => [row.orgId, row]));
      return orgIds.map((orgId) => ({ state: stateOf(byOrg.get(orgId), sealContent), readAt }));
    });
  }

  async get(orgId: string): Promise<SealingState> {
    return this.peek(orgId) ?? this.#read(orgId);
  }

  /** The same where it is known; undefined where it has to be read. */
  peek(orgId: string): SealingState | undefined {
    const kept = this.#kept.get(orgId);
    const age = kept ? this.#now - kept.readAt : Infinity;
    if (!kept || age >= STALE_SECONDS * 1000) return undefined;
    if (age >= STALE_SECONDS * 1000 * RENEWED_AFTER) this.#read(orgId).catch(() => undefined);
    return kept.state;
  }

  /** Reads it now, whatever is known. */
  reread(orgId: string): Promise<SealingState> {
    return this.#read(orgId);
  }

  /** In a transaction: there is no switch before it ends. */
  async lock(tx: OrgScope): Promise<PresentState> {
    const row = (await this.#encryption.findLocked(tx)) ?? undefined;
    return { ...stateOf(row, this.#sealContent), sealedSinceVersion: row?.sealedSinceVersion ?? 0 };
  }

  forget(orgId: string): void {
    this.#kept.delete(orgId);
  }

  async #read(orgId: string): Promise<SealingState> {
    const read = await this.#reads.load(orgId);
    this.#kept.set(orgId, read);
    return read.state;
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }
}

function stateOf(row: OrgEncryption | undefined, sealContent: boolean): SealingState {
  const isSealed = row?.mode === 'tenant' || sealContent;
  const keyVersion = (isSealed && row?.keyVersion) || null;
  return {
    keyVersion,
    lacksKey: isSealed && keyVersion === null,
    isAnySealed: row !== undefined && (row.keyVersion !== null || row.isSealing),
    isAllSealed: row?.mode === 'tenant' && row.isAllSealed,
    isSealing: row?.isSealing ?? false,
  };
}
