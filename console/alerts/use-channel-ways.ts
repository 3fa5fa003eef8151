import type { Meta } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';

/** How messages of each channel go out here; undefined until that is known. */
export function useChannelWays(): Meta['alert_channels'] | undefined {
  const { client } = useSession();
  const { data } = useLoad((signal) => client.get<Meta>('/api/meta', signal), [client]);
  return data?.alert_channels;
}
