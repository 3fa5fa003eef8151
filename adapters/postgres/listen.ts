import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../core/logger.ts';

const RECONNECT_PAUSE_MS = 500;

export interface ListenerOptions {
  databaseUrl: string;
  channel: string;
  log: Logger;
  /**
   * Callback with the payload of each notification from PostgreSQL. Also called with null after each connect
   * or reconnect, since notifications may have been missed.
   */
  onWake: (payload: string | null) => void;
}

/**
 * Listens for notifications from PostgreSQL on a connection of its own until the signal aborts. Reconnects
 * whenever the connection breaks.
 */
export async function listenToNotifications(options: ListenerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.log.warn(
        { err: error, channel: options.channel },
        'connection for LISTEN was lost; polling until it is back',
      );
      await sleep(RECONNECT_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }
}

async function listenOnce(
  { databaseUrl, channel, onWake }: ListenerOptions,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    application_name: 'parley-listener',
  });
  client.on('notification', ({ payload }) => onWake(payload ?? null));
  const ended = once(client, 'end', { signal });
  ended.catch(() => {});
  client.on('error', () => {}); // Ignore the error here, since the event `end` follows.
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onWake(null);
    await ended;
    throw new Error('The connection to PostgreSQL ended.');
  } finally {
    await client.end().catch(() => {});
  }
}
