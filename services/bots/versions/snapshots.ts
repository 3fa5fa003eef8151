import type { ErrorDetail } from '../../../core/errors/errors.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { BotChanges } from '../bot-service.ts';

/** A bot's configuration as the API names its fields, without secrets. */
export type Snapshot = Record<string, unknown>;

/** How a bot becomes a snapshot and a snapshot changes of a bot: the API knows the fields. */
export interface Snapshots {
  take(bot: Bot): Snapshot;
  /** What of a snapshot a bot may not have today; what its objects lack gets its default, in place. */
  faultsOf(snapshot: Snapshot): ErrorDetail[];
  /** The changes that leave a bot with exactly what the snapshot says; what it does not name gets its default. */
  changesOf(snapshot: Snapshot): BotChanges;
}

/** How snapshots are written now. */
export const SNAPSHOT_FORMAT = 1;

/** What makes a snapshot of the format after it of one of a format, from the first. */
const upgrades: readonly ((snapshot: Snapshot) => Snapshot)[] = [];

/** The snapshot in the present format; null where it is of a later one, as a release after this one writes it. */
export function upgraded({ format, snapshot }: { format: number; snapshot: Snapshot }): Snapshot | null {
  if (format > SNAPSHOT_FORMAT) return null;
  return upgrades.slice(format - 1).reduce((older, upgrade) => upgrade(older), snapshot);
}
