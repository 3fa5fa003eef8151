import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { path, withQuery } from '../client/paths.ts';
import type { ConversationDetail, InboxItem, MessageRead } from '../client/types.ts';
import { useStore } from '../hooks/store.ts';
import { useInterval } from '../hooks/use-interval.ts';
import { useLoad, type Loaded } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';

export interface LiveConversation {
  detail: Loaded<ConversationDetail>;
  messages: readonly MessageRead[];
  /** While a person is asked for or has it. */
  item: InboxItem | undefined;
  /** Why newer messages could not be read. */
  problem: ApiError | null;
  /** Reads everything that may have changed. */
  refresh(): void;
}

/** The inbox's stream tells when the team or a visitor who waits says something; what the bot does is asked for. */
const MESSAGES_EVERY_MS = 4000;
const DETAIL_EVERY_MS = 20_000;
const BATCH = 500;

export function useConversation(id: string): LiveConversation {
  const { client, feed } = useSession();
  const url = path`/api/conversations/${id}`;
  const item = useStore(feed.state).entries.get(id)?.item;
  const detail = useLoad((signal) => client.get<ConversationDetail>(url, signal), [client, url]);
  const [later, setLater] = useState<readonly MessageRead[]>([]);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const messages = useMemo(
    () => withoutRepeats([...(detail.data?.messages ?? []), ...later]),
    [detail.data, later],
  );
  const last = useRef<string | undefined>(undefined);
  last.current = messages.at(-1)?.id;
  const isReading = useRef(false);

  const readNewer = async (): Promise<void> => {
    if (isReading.current || detail.data === undefined) return;
    isReading.current = true;
    try {
      for (let count = BATCH; count === BATCH;) {
        const newer = await client.get<MessageRead[]>(
          withQuery(`${url}/messages`, { after: last.current, limit: BATCH }),
        );
        if (newer.length > 0) setLater((before) => [...before, ...newer]);
        last.current = newer.at(-1)?.id ?? last.current;
        count = newer.length;
      }
      setProblem(null);
    } catch (error) {
      setProblem(toApiError(error));
    } finally {
      isReading.current = false;
    }
  };
  const refresh = (): void => {
    detail.reload();
    void readNewer();
  };
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    if (detail.data !== undefined) void readNewer();
  }, [detail.data === undefined]);
  useEffect(
    () =>
      feed.onEvent((event) => {
        if (event.item.id === id) latest.current();
      }),
    [feed, id],
  );
  useInterval(() => void readNewer(), MESSAGES_EVERY_MS);
  useInterval(() => detail.reload(), DETAIL_EVERY_MS);
  return { detail, messages, item, problem, refresh };
}

function withoutRepeats(messages: readonly MessageRead[]): MessageRead[] {
  return [...new Map(messages.map((message) => [message.id, message])).values()];
}
