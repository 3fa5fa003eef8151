import { listenToNotifications } from '../../adapters/postgres/listen.ts';
import type { Logger } from '../../core/logger.ts';
import { OUTBOX_CHANNEL, UNHURRIED, type OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { Alarm } from '../polling/alarm.ts';
import type { CommandRelay } from './command-relay.ts';
import type { EventRelay } from './event-relay.ts';
import { PollPace } from '../polling/poll-pace.ts';
import type { BatchRelay } from './batch-relay.ts';

/**
 * Intervals in milliseconds for polls of the outbox, for rows whose notification was lost: `busyMs` for some
 * time after the relay found rows, `idleMs` at other times.
 */
const POLLS = { busyMs: 1000, idleMs: 5000, busyForMs: 30_000 };
/**
 * Delay of events in the outbox that are not urgent, in milliseconds. The delay lets these events collect in
 * batches, and leaves the CPU to answers for which visitors wait.
 */
const NON_URGENT_DELAY_MS = 100;

export interface RelayOptions {
  databaseUrl: string;
  events: EventRelay;
  commands: CommandRelay;
  log: Logger;
  pollMs?: number;
}

/**
 * Delivers the rows of the outbox table: events to webhooks, and commands to Temporal. A notification at each
 * commit wakes the relay, which also polls. Events and commands have separate loops, so that events continue
 * while Temporal is down.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  readonly #alarms = { event: new Alarm(), command: new Alarm() };
  readonly #paces = { event: new PollPace(POLLS), command: new PollPace(POLLS) };
  #ringing: NodeJS.Timeout | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Delivers rows of the outbox until `stop` is called and the running batches are done. */
  async run(): Promise<void> {
    const { databaseUrl, events, commands, log } = this.#options;
    const { signal } = this.#stopping;
    const listening = listenToNotifications(
      { databaseUrl, channel: OUTBOX_CHANNEL, log, onWake: (kind) => this.#handleNotification(kind) },
      signal,
    );
    events.onWake(() => this.#wake('event'));
    await Promise.all([listening, this.#loop(events), this.#loop(commands)]);
    await events.waitForKeys();
  }

  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#ringing);
    this.#handleNotification(null);
  }

  /**
   * @param payload an event's row as JSON, the kind of the new rows, or `UNHURRIED`; null if notifications may
   *   have been lost
   */
  #handleNotification(payload: string | null): void {
    if (payload === UNHURRIED) return this.#wakeEventsLater();
    if (payload === null || payload === 'command') this.#wake('command');
    if (payload === 'command') return;
    this.#wakeEvents(payload?.startsWith('{') ? payload : undefined);
  }

  #wakeEvents(row?: string): void {
    this.#options.events.acceptNotification(row);
    this.#wake('event');
  }

  #wake(kind: OutboxRow['kind']): void {
    this.#paces[kind].noteWork();
    this.#alarms[kind].ring();
  }

  #wakeEventsLater(): void {
    this.#ringing ??= setTimeout(() => {
      this.#ringing = undefined;
      this.#wakeEvents();
    }, NON_URGENT_DELAY_MS);
  }

  async #loop(relay: BatchRelay): Promise<void> {
    const { signal } = this.#stopping;
    const { pollMs } = this.#options;
    while (!signal.aborted) {
      const pause = this.#alarms[relay.kind].pause(pollMs ?? this.#paces[relay.kind].pauseMs);
      if (await this.#isMoreDue(relay)) this.#paces[relay.kind].noteWork();
      else await pause;
    }
  }

  async #isMoreDue(half: BatchRelay): Promise<boolean> {
    try {
      return await half.relayBatch();
    } catch (error) {
      this.#options.log.warn({ err: error, kind: half.kind }, 'cannot read the outbox');
      return false;
    }
  }
}
