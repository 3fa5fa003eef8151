import { useEffect, useMemo, useRef } from 'react';
import { path } from '../../client/paths.ts';
import type { ConversationFile } from '../../client/types.ts';
import { groupItems } from '../../../core/group-items.ts';
import { useApi } from '../../state/use-api.ts';

/** Files of a conversation, by the ids of their messages. */
export type FilesByMessage = ReadonlyMap<string, readonly ConversationFile[]>;

/** Interval in milliseconds for loading new links to files. The links expire after five minutes. */
const EVERY_MS = 200_000;
/**
 * Remaining lifetime in milliseconds below which a file's link is replaced. Replacing the link earlier would
 * load the image again.
 */
const MIN_LIFETIME_MS = 60_000;

/**
 * Returns the files of a conversation.
 * @param messageCount number of messages; the files are loaded again when it changes
 */
export function useFiles(conversationId: string, messageCount: number): FilesByMessage {
  const url = path`/api/ext/conversations/${conversationId}/files`;
  const { data, reload } = useApi<ConversationFile[]>(url, { everyMs: () => EVERY_MS });
  const shown = useRef(new Map<string, ConversationFile>());
  const count = useRef(messageCount);
  useEffect(() => {
    if (count.current === messageCount) return;
    count.current = messageCount;
    reload();
  }, [messageCount, reload]);
  return useMemo(() => {
    const files = (data ?? []).map((file) => {
      const known = shown.current.get(file.id);
      return known && isFresh(known) ? known : toLocalLink(file);
    });
    shown.current = new Map(files.map((file) => [file.id, file]));
    return new Map(groupItems(files, ({ message_id: messageId }) => messageId ?? ''));
  }, [data]);
}

function isFresh({ url_expires_at: expiresAt }: ConversationFile): boolean {
  return Date.parse(expiresAt) - Date.now() > MIN_LIFETIME_MS;
}

/** Makes the file's link relative: the console may be open at another address than the one in links. */
function toLocalLink(file: ConversationFile): ConversationFile {
  return { ...file, url: file.url.slice(file.url.indexOf('/api/ext/')) };
}
