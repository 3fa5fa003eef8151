import type { Bot } from '../client/types.ts';
import type { Tone } from '../components/lists/status.tsx';

type BotStatus = Bot['status'];

/** Color tone and name of each status of a bot. */
export const botWords: Record<BotStatus, readonly [Tone, string]> = {
  draft: ['quiet', 'Draft'],
  active: ['good', 'Live'],
  paused: ['busy', 'Paused'],
  archived: ['quiet', 'Archived'],
};
