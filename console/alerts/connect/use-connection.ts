import { useEffect, useState } from 'react';
import type { AlertConnection, AlertLink } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useInterval } from '../../state/use-interval.ts';
import { useSession } from '../../session/session.tsx';
import type { AlertChannel } from '../alert-words.ts';

const POLL_EVERY_MS = 2000;

/**
 * Polls until the user has opened the link that connects a chat in the messaging app. Pauses while the page
 * is hidden.
 * @param onConnected called once the chat is connected
 */
export function useConnection(
  channel: AlertChannel,
  { attempt_id: attemptId }: AlertLink,
  onConnected: (connection: AlertConnection) => void,
): 'pending' | 'connected' | 'expired' {
  const { client } = useSession();
  const [connection, setConnection] = useState<AlertConnection | null>(null);
  const { run, problem } = useAction(async () =>
    setConnection(
      await client.ask<AlertConnection>(`/api/alerts/${channel}/poll`, { attempt_id: attemptId }),
    ),
  );
  // The status 404 means that the attempt to connect expired so long ago that the API has deleted it.
  const status = problem?.status === 404 ? 'expired' : (connection?.status ?? 'pending');
  useInterval(run, status === 'pending' ? POLL_EVERY_MS : null);
  useEffect(() => {
    if (connection?.status === 'connected') onConnected(connection);
  }, [connection?.status]);
  return status;
}
