import { useEffect, useMemo, useRef, useState } from 'react';
import { toApiError, type ApiError } from '../../../client/api-error.ts';
import { withQuery } from '../../../client/paths.ts';
import type { Message } from '../../../client/types.ts';
import { useInterval } from '../../../state/use-interval.ts';
import { useSession } from '../../../session/session.tsx';

export interface Messages {
  messages: readonly Message[];
  /** Error of the last poll for new messages; null if the poll succeeded. */
  problem: ApiError | null;
  readNewer(): void;
}

/**
 * Poll interval in milliseconds for new messages. The event stream of the inbox does not report messages of
 * bots.
 */
const EVERY_MS = 4000;
const BATCH = 500;

/**
 * Returns the messages of a conversation and polls for new messages.
 * @param first messages that were loaded with the conversation; undefined before that
 */
export function useMessages(url: string, first: readonly Message[] | undefined): Messages {
  const { client } = useSession();
  const [later, setLater] = useState<readonly Message[]>([]);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const messages = useMemo(() => removeDuplicates([...(first ?? []), ...later]), [first, later]);
  const last = useRef<string | undefined>(undefined);
  last.current = messages.at(-1)?.id;
  /** Number of pending calls of `readNewer`. A call during a request causes one more request afterwards. */
  const pendingCalls = useRef(0);

  const fetchNewer = async (): Promise<void> => {
    try {
      while (pendingCalls.current > 0) {
        pendingCalls.current = 1;
        const query = { after: last.current, limit: BATCH };
        const newer = await client.get<Message[]>(withQuery(`${url}/messages`, query));
        if (newer.length > 0) setLater((before) => [...before, ...newer]);
        last.current = newer.at(-1)?.id ?? last.current;
        // A page of long messages has fewer than `BATCH` messages, so only an empty page is the end.
        if (newer.length === 0) pendingCalls.current -= 1;
      }
      setProblem(null);
    } catch (error) {
      pendingCalls.current = 0;
      setProblem(toApiError(error));
    }
  };
  const readNewer = (): void => {
    if (first === undefined) return;
    pendingCalls.current += 1;
    if (pendingCalls.current === 1) void fetchNewer();
  };
  useEffect(readNewer, [first === undefined]);
  useInterval(readNewer, EVERY_MS);
  return { messages, problem, readNewer };
}

function removeDuplicates(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((message) => [message.id, message])).values()];
}
