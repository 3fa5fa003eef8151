import type { ErrorDetail } from '../../../core/errors/errors.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { BotChanges } from '../bot-service.ts';

/** A bot's configuration without secrets, with the API's field names. */
export type Snapshot = Record<string, unknown>;

/**
 * Converts bots to snapshots of their configuration and back. The API implements this interface, since the
 * API defines the fields.
 */
export interface Snapshots {
  take(bot: Bot): Snapshot;
  /**
   * Returns errors for fields of a snapshot that are no longer valid. Also adds defaults for missing values
   * to the snapshot itself.
   */
  findFaults(snapshot: Snapshot): ErrorDetail[];
  /**
   * Returns the changes that give a bot exactly this configuration. Fields missing in the snapshot get their
   * defaults.
   */
  toChanges(snapshot: Snapshot): BotChanges;
}

/** Version number of the format in which snapshots of bots are stored. */
export const SNAPSHOT_FORMAT = 1;

/** Functions that convert a bot's snapshot from each format to the next, starting with format 1. */
const upgrades: readonly ((snapshot: Snapshot) => Snapshot)[] = [];

/** Converts a bot's snapshot to the current format. Returns null if a newer release of Parley wrote it. */
export function upgradeSnapshot({
  format,
  snapshot,
}: {
  format: number;
  snapshot: Snapshot;
}): Snapshot | null {
  if (format > SNAPSHOT_FORMAT) return null;
  return upgrades.slice(format - 1).reduce((older, upgrade) => upgrade(older), snapshot);
}
