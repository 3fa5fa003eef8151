import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../core/logger.ts';
import type { Database } from '../entities/database.ts';
import type { OutboxRow } from '../entities/outbox.entity.ts';
import { OUTBOX_CHANNEL } from '../services/outbox.service.ts';
import type { CommandRelay } from './command-relay.ts';
import type { EventRelay } from './event-relay.ts';
import { listen } from './outbox-listener.ts';

/** How long a row waits at most when its notification was lost. */
const POLL_MS = 1000;

/** Where events go. Runs in the transaction that removes them from the outbox. */
export interface EventSink {
  deliver(db: Database, events: OutboxRow[]): Promise<void>;
}

/** Hands over one batch of due rows; answers how many it took. */
export interface RelayHalf {
  readonly kind: OutboxRow['kind'];
  relayBatch(): Promise<number>;
}

export interface RelayOptions {
  databaseUrl: string;
  events: EventRelay;
  commands: CommandRelay;
  log: Logger;
}

/**
 * Hands over what the outbox holds: woken at each commit, and polling besides. Events and commands are two loops,
 * so that events go on while Temporal is away.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  readonly #wakers = new Map<string, () => void>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Resolves after `stop`, when the batches at hand are done. */
  async run(): Promise<void> {
    const { databaseUrl, events, commands, log } = this.#options;
    const { signal } = this.#stopping;
    const listening = listen(
      { databaseUrl, channel: OUTBOX_CHANNEL, log, onWake: (kind) => this.#wake(kind) },
      signal,
    );
    await Promise.all([listening, this.#loop(events), this.#loop(commands)]);
  }

  stop(): void {
    this.#stopping.abort();
    this.#wake(null);
  }

  #wake(kind: string | null): void {
    for (const [key, wake] of this.#wakers) if (kind === null || key === kind) wake();
  }

  async #loop(half: RelayHalf): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const woken = this.#nextWake(half.kind);
      if (!(await this.#relayed(half))) await woken;
    }
  }

  /** Made before the batch is read, so that what arrives meanwhile is not slept over. */
  #nextWake(kind: string): Promise<void> {
    const timer = new AbortController();
    this.#wakers.set(kind, () => timer.abort());
    if (this.#stopping.signal.aborted) timer.abort();
    return sleep(POLL_MS, undefined, { signal: timer.signal }).catch(() => {});
  }

  async #relayed(half: RelayHalf): Promise<boolean> {
    try {
      return (await half.relayBatch()) > 0;
    } catch (error) {
      this.#options.log.warn({ err: error, kind: half.kind }, 'the outbox cannot be relayed now');
      return false;
    }
  }
}
