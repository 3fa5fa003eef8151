import type { Snapshots } from '../../services/bots/versions/snapshots.ts';
import { Strict } from '../http/schemas/schemas.ts';
import { compileCheck } from '../http/schemas/validate.ts';
import { bot } from './bot.resource.ts';

/** Null for each field that a snapshot omits, which resets it to its default. */
const unnamed = Object.fromEntries(Object.keys(bot.configuration).map((name) => [name, null]));

/** Snapshots of bots, by the fields of a bot. */
export const botSnapshots: Snapshots = {
  take: bot.configurationOf,
  findFaults: compileCheck(Strict(bot.configuration), 'body'),
  toChanges: (snapshot) => bot.changesOf({ ...unnamed, ...snapshot }),
};
