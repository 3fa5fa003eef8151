import type { FlowContext } from '../../core/flows/step.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Returns the bot's values, which templates of flows read with paths such as `bot.name`. */
export function toBotValues({ id, name, language }: Bot) {
  return { id, name, language };
}

/**
 * Returns the values of the current time in UTC, which templates of flows read with paths that begin with
 * `now`.
 */
export function toTimeValues(now: Date) {
  const iso = now.toISOString();
  return {
    iso,
    date: iso.slice(0, 10),
    time: iso.slice(11, 16),
    hour: now.getUTCHours(),
    weekday: WEEKDAY.format(now).toLowerCase(),
  };
}

/** Returns the bot's directory entries; an empty array if its directory is disabled. */
export function listDirectoryEntries({ directoryConfig }: Bot): FlowContext['directory'] {
  return directoryConfig?.enabled ? (directoryConfig.entries ?? []) : [];
}
