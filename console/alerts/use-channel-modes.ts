import type { Meta } from '../client/types.ts';
import { useMeta } from '../state/use-meta.ts';

/** Returns how each channel delivers messages on this server; undefined while loading. */
export function useChannelModes(): Meta['alert_channels'] | undefined {
  return useMeta()?.alert_channels;
}
