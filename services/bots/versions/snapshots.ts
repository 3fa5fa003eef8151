import type { ErrorDetail } from '../../../core/errors/errors.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { BotChanges } from '../bot-service.ts';

/** A bot's configuration as the API names its fields, without secrets. */
export type Snapshot = Record<string, unknown>;

/** Converts between bots and snapshots; implemented by the API, which defines the fields. */
export interface Snapshots {
  take(bot: Bot): Snapshot;
  /** Returns the fields that are no longer valid. Fills missing values of objects with defaults, in place. */
  findFaults(snapshot: Snapshot): ErrorDetail[];
  /** Returns the changes that give a bot exactly this configuration; fields that the snapshot lacks get their defaults. */
  toChanges(snapshot: Snapshot): BotChanges;
}

/** Current format of snapshots. */
export const SNAPSHOT_FORMAT = 1;

/** Upgrades from each format to the next, starting with format 1. */
const upgrades: readonly ((snapshot: Snapshot) => Snapshot)[] = [];

/** Returns the snapshot in the current format; null if a later release wrote it. */
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
