import { LRUCache } from 'lru-cache';
import { backoffMs } from '../../core/concurrency/backoff.ts';
import { Semaphore } from '../../core/concurrency/semaphore.ts';
import { MIN_RETRY_DELAY_SECONDS } from '../../core/encryption/key-retry.ts';
import type { Logger } from '../../core/logger.ts';
import { loadAvailableKeys, prepareKeys } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { decryptReadyEvents } from '../../services/webhooks/ready-events.ts';

/** Maximum number of workspaces whose data keys a worker decrypts at the same time. */
const MAX_CONCURRENT_DECRYPTIONS = 50;
/** Pauses before the worker calls a failed key service again to decrypt events. */
const PAUSES = { firstMs: MIN_RETRY_DELAY_SECONDS * 1000, maxMs: 30_000 };
const MAX_FAILING_WORKSPACES = 10_000;

interface DecryptionFailures {
  count: number;
  retryAtMs: number;
}

export interface EventKeysDeps {
  database: Database;
  log: Logger;
  /** Callback after the keys of a workspace's events have been decrypted, or could not be. */
  onSettled(): void;
}

/**
 * Decrypts the data keys of workspaces' events in the background, so that a slow key service delays only the
 * events of its own workspace.
 */
export class EventKeys {
  readonly #deps: EventKeysDeps;
  readonly #semaphore = new Semaphore(MAX_CONCURRENT_DECRYPTIONS);
  readonly #decryptions = new Map<string, Promise<void>>();
  readonly #failures = new LRUCache<string, DecryptionFailures>({ max: MAX_FAILING_WORKSPACES });

  constructor(deps: EventKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Ids of the workspaces whose keys the worker is decrypting. Their events wait, so that the events of a
   * workspace keep their order.
   */
  get decryptingOrgIds(): string[] {
    return [...this.#decryptions.keys()];
  }

  isDecrypting(orgId: string): boolean {
    return this.#decryptions.has(orgId);
  }

  /** Returns whether the decryption of the workspace's keys has failed a short time ago. */
  isPaused(orgId: string): boolean {
    const failures = this.#failures.get(orgId);
    return failures !== undefined && performance.now() < failures.retryAtMs;
  }

  /**
   * Starts to decrypt the keys that a workspace's events need.
   * @param rows events of one workspace
   */
  startDecrypting(orgId: string, rows: readonly OutboxRow[]): void {
    if (this.#decryptions.has(orgId)) return;
    const decryption = this.#semaphore
      .run(() => this.#decrypt(orgId, rows))
      .catch((error: unknown) => {
        this.#deps.log.warn({ err: error, orgId }, 'cannot decrypt the keys of events');
        this.#noteFailure(orgId);
      })
      .then(() => {
        this.#decryptions.delete(orgId);
        this.#deps.onSettled();
      });
    this.#decryptions.set(orgId, decryption);
  }

  /** Waits until the running decryptions of keys have ended. Returns false if none was running. */
  async waitUntilSettled(): Promise<boolean> {
    const pending = [...this.#decryptions.values()];
    await Promise.all(pending);
    return pending.length > 0;
  }

  async #decrypt(orgId: string, rows: readonly OutboxRow[]): Promise<void> {
    const { database } = this.#deps;
    await Promise.all([loadAvailableKeys(database, [orgId]), prepareKeys(database, rows)]);
    const { withoutUnwrappedKey } = await decryptReadyEvents(database, rows);
    if (withoutUnwrappedKey.length === 0) this.#failures.delete(orgId);
    else this.#noteFailure(orgId);
  }

  #noteFailure(orgId: string): void {
    const count = this.#failures.get(orgId)?.count ?? 0;
    const retryAtMs = performance.now() + backoffMs(count, PAUSES);
    this.#failures.set(orgId, { count: count + 1, retryAtMs });
  }
}
