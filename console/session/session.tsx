import { createContext, useContext } from 'react';
import type { Client } from '../client/client.ts';
import type { Me } from '../client/types.ts';
import type { Drafts } from '../conversations/conversation/drafts.ts';
import type { InboxFeed } from '../conversations/inbox/inbox-feed.ts';
import type { NotificationSettings } from '../conversations/inbox/notification-settings.ts';
import type { ReadMarks } from '../conversations/inbox/read-marks.ts';
import type { FormDrafts } from '../state/form-drafts.ts';
import type { Cached } from '../state/use-loaded.ts';

/** Objects that all pages of a signed-in user share. */
export interface Session {
  client: Client;
  feed: InboxFeed;
  reads: ReadMarks;
  notifications: NotificationSettings;
  drafts: Drafts;
  forms: FormDrafts;
  me: Cached<Me>;
  signOut(): Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession must be called within SessionContext.Provider.');
  return session;
}
