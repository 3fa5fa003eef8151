import { path, withQuery } from '../../client/paths.ts';
import type { ConversationNote, Page } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { useApi } from '../../state/use-api.ts';
import { useReload } from '../../state/use-reload.ts';

/** Interval in milliseconds for loading notes of colleagues, because no event reports them. */
const EVERY_MS = 20_000;
const PAGE_SIZE = 100;

const none: readonly ConversationNote[] = [];

function getNotesUrl(conversationId: string): string {
  return path`/api/ext/conversations/${conversationId}/notes`;
}

const getListUrl = (conversationId: string) =>
  withQuery(getNotesUrl(conversationId), { page_size: PAGE_SIZE });

/** Returns the team's newest notes about a conversation. */
export function useNotes(conversationId: string): readonly ConversationNote[] {
  const { data } = useApi<Page<ConversationNote>>(getListUrl(conversationId), { everyMs: () => EVERY_MS });
  return data?.items ?? none;
}

export interface NoteSteps {
  /** @param mentions user ids of the mentioned members, who get an email */
  addNote(text: string, mentions: readonly string[]): Promise<void>;
  deleteNote(noteId: string): Promise<void>;
}

export function useNoteSteps(conversationId: string): NoteSteps {
  const { client } = useSession();
  const reloadUrl = useReload();
  const url = getNotesUrl(conversationId);
  const reload = () => reloadUrl(url);
  return {
    addNote: async (text, mentions) => {
      await client.post<ConversationNote>(url, { text, mentions });
      await reload();
    },
    deleteNote: async (noteId) => {
      await client.delete(`${url}/${encodeURIComponent(noteId)}`);
      await reload();
    },
  };
}
