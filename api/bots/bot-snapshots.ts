import type { Snapshots } from '../../services/bots/versions/snapshots.ts';
import { Strict } from '../http/schemas/schemas.ts';
import { compileCheck } from '../http/schemas/validate.ts';
import { bot } from './bot.resource.ts';

/**
 * Null for every configurable field of a bot, which resets the field to its default. A snapshot overrides the
 * fields that it contains.
 */
const resetAll = Object.fromEntries(Object.keys(bot.configuration).map((name) => [name, null]));

/** Converts between bots and snapshots of their configuration. */
export const botSnapshots: Snapshots = {
  take: bot.toConfiguration,
  findFaults: compileCheck(Strict(bot.configuration), 'body'),
  toChanges: (snapshot) => bot.toChanges({ ...resetAll, ...snapshot }),
};
