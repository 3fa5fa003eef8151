import type { Meta } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';

/** Returns how each channel delivers messages on this server; undefined while loading. */
export function useChannelModes(): Meta['alert_channels'] | undefined {
  const { client } = useSession();
  const { data } = useLoad((signal) => client.get<Meta>('/api/meta', signal), [client]);
  return data?.alert_channels;
}
