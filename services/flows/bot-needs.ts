import type { Need } from '../../core/flows/node-type.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

/** What steps of flows may need, and the bot has switched on. */
export function hasOf({ handoffEnabled, leadCaptureConfig, directoryConfig }: Bot): Set<Need> {
  const has = new Set<Need>();
  if (handoffEnabled) has.add('handoff');
  if (leadCaptureConfig?.['enabled'] === true) has.add('lead_form');
  if (directoryConfig?.enabled === true) has.add('directory');
  return has;
}
