import type { Meta } from '../client/types.ts';
import { useMeta } from '../state/use-meta.ts';

/** Returns how this server delivers messages to each messaging app; undefined while loading. */
export function useChannelModes(): Meta['alert_channels'] | undefined {
  return useMeta()?.alert_channels;
}
